import type { JsonObject } from "../../core/json.ts";
import type { WorkItem } from "../store.ts";
import type { StoreReader } from "./store-reader.ts";

interface WorkRow {
  id: string;
  run_at: number;
  kind: string;
  payload: string;
  attempts: number;
}

const isOfOtherKind = "kind NOT IN (SELECT value FROM json_each(@kinds))";

/** Which items are due: at `now` or before, at most `limit`, of any kind but `exceptKinds`. */
export interface DueWork {
  now: number;
  limit: number;
  exceptKinds: readonly string[];
}

/** Items whose time has come, earliest first. */
export function readDueWork(reader: StoreReader, { now, limit, exceptKinds }: DueWork): WorkItem[] {
  const sql = `SELECT * FROM work_items WHERE run_at <= @now AND ${isOfOtherKind} ORDER BY run_at, id LIMIT @limit`;
  return reader.all<WorkRow>(sql, { now, limit, kinds: JSON.stringify(exceptKinds) }).map(workItem);
}

/** When the earliest item is due. */
export function readNextWorkAt(reader: StoreReader, exceptKinds: readonly string[]): number | undefined {
  const sql = `SELECT run_at FROM work_items WHERE ${isOfOtherKind} ORDER BY run_at LIMIT 1`;
  return reader.get<{ run_at: number }>(sql, { kinds: JSON.stringify(exceptKinds) })?.run_at;
}

/** All items in order of their identifiers. */
export function readWorkItems(reader: StoreReader, after: string, limit: number): WorkItem[] {
  const sql = "SELECT * FROM work_items WHERE id > @after ORDER BY id LIMIT @limit";
  return reader.all<WorkRow>(sql, { after, limit }).map(workItem);
}

function workItem({ id, run_at, kind, payload, attempts }: WorkRow): WorkItem {
  const item: WorkItem = { id, kind, payload: JSON.parse(payload) as JsonObject, runAt: run_at };
  return attempts > 0 ? { ...item, attempts } : item;
}
