import type { JsonObject } from "../../core/json.ts";
import type { WorkItem } from "../store.ts";
import type { ReaderPool } from "./reader-pool.ts";

interface WorkRow {
  id: string;
  run_at: number;
  kind: string;
  payload: string;
  attempts: number;
}

export interface Claim {
  now: number;
  until: number;
  limit: number;
  exceptKinds: readonly string[];
}

// Rows that another node is just taking are passed over, so that nodes neither wait for each other nor take the same.
const claimSql = `
  WITH due AS (
    SELECT id, run_at FROM work_items WHERE run_at <= $1 AND kind <> ALL ($4::text[])
    ORDER BY run_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE work_items AS w SET run_at = $2 FROM due WHERE w.id = due.id
  RETURNING w.id, due.run_at, w.kind, w.payload, w.attempts`;

/** Takes due items for this node, earliest first, as they were before. */
export async function claimWork(pool: ReaderPool, { now, until, limit, exceptKinds }: Claim): Promise<WorkItem[]> {
  const rows = await pool.all<WorkRow>(claimSql, [now, until, limit, exceptKinds], "claim");
  return rows.map(workItem).toSorted((left, right) => left.runAt - right.runAt || (left.id < right.id ? -1 : 1));
}

/** All items in order of their identifiers. */
export async function readWorkItems(pool: ReaderPool, after: string, limit: number): Promise<WorkItem[]> {
  const rows = await pool.all<WorkRow>("SELECT * FROM work_items WHERE id > $1 ORDER BY id LIMIT $2", [after, limit]);
  return rows.map(workItem);
}

/** When the earliest item is due. */
export async function nextWorkAt(pool: ReaderPool, exceptKinds: readonly string[]): Promise<number | undefined> {
  const sql = "SELECT run_at FROM work_items WHERE kind <> ALL ($1::text[]) ORDER BY run_at LIMIT 1";
  const [row] = await pool.all<{ run_at: number }>(sql, [exceptKinds], "next work");
  return row?.run_at;
}

function workItem({ id, run_at, kind, payload, attempts }: WorkRow): WorkItem {
  const item: WorkItem = { id, kind, payload: JSON.parse(payload) as JsonObject, runAt: run_at };
  return attempts > 0 ? { ...item, attempts } : item;
}
