import type { Store } from "../../store/store.ts";
import { lockCollection, type LockDocument } from "./lock-documents.ts";

/** Locks of tasks, as far as they are looked at. */
export interface LockSurvey {
  held: number;
  waiting: number;
  /** Keys of locks whose holders have ended: the work that gives them back has not been done. */
  forsaken: readonly string[];
}

const mostRead = 1_000;

/** Reads the locks that are held, at most a thousand, and whether the jobs that hold them are under way. */
export async function surveyLocks(store: Store): Promise<LockSurvey> {
  const locks = await store.find<LockDocument>(
    lockCollection,
    { "holder.job": { $exists: true } },
    { sort: { _id: 1 }, limit: mostRead },
  );
  const $in = [...new Set(locks.flatMap(({ holder }) => (holder ? [holder.job] : [])))];
  const query = { _id: { $in }, status: { $nin: ["complete", "canceled"] } };
  const open = await store.find<{ _id: string }>("jobs", query, { fields: { _id: 1 } });
  const known = new Set(open.map(({ _id }) => _id));
  return {
    held: locks.length,
    waiting: locks.reduce((sum, { queue }) => sum + queue.length, 0),
    forsaken: locks.filter(({ holder }) => holder && !known.has(holder.job)).map(({ _id }) => _id),
  };
}
