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

/** Items whose time has come, earliest first. */
export function readDueWork(reader: StoreReader, now: number, limit: number): WorkItem[] {
  const sql = "SELECT * FROM work_items WHERE run_at <= @now ORDER BY run_at, id LIMIT @limit";
  return reader.all<WorkRow>(sql, { now, limit }).map(workItem);
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
