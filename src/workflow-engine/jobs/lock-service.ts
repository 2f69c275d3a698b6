import { readPage } from "../../core/page.ts";
import type { Store } from "../../store/store.ts";
import { iterationId } from "./iteration-id.ts";
import { lockCollection, type LockDocument, type LockTicket } from "./lock-documents.ts";

/** A ticket as people see it: the iteration by its identifier. */
export interface ShownTicket {
  job: string;
  task: string;
  iteration: string;
  /** Keys of the locks that are held around a task that waits. */
  within?: readonly string[];
}

/** A lock that somebody holds. */
export interface ShownLock {
  key: string;
  holder: ShownTicket;
  /** The first who wait, in order of arrival. */
  waiters: ShownTicket[];
  waiting: number;
}

/** Seeing locks. */
export interface LockService {
  /** The locks that somebody holds, by their keys. */
  list(skip: number, limit: number): Promise<{ results: ShownLock[]; skip: number; limit: number; total: number }>;
}

const mostWaiters = 100;
const held = { "holder.job": { $exists: true } };

/** The lock service of a node. */
export function createLockService(store: Store): LockService {
  return {
    async list(skip, limit) {
      const options = { sort: { _id: 1 as const }, skip, limit };
      const { results, total } = await readPage<LockDocument>(store, lockCollection, held, options);
      return { results: results.flatMap(shownLock), skip, limit, total };
    },
  };
}

function shownLock({ _id, holder, queue }: LockDocument): ShownLock[] {
  if (!holder) return [];
  const waiters = queue.slice(0, mostWaiters).map(shownTicket);
  return [{ key: _id, holder: shownTicket(holder), waiters, waiting: queue.length }];
}

function shownTicket({ job, task, iteration, within }: LockTicket): ShownTicket {
  return { job, task, iteration: iterationId(job, iteration), ...(within ? { within } : {}) };
}
