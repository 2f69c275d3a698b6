import { createHash } from "node:crypto";
import type { Stored, Write } from "../../store/store.ts";

/** Who has a lock or waits for it: an iteration of a task. */
export interface LockTicket {
  job: string;
  task: string;
  iteration: number;
  /** Of one that waits: keys of the locks that are held around it, by loops and childJob tasks it is part of. Absent: none. */
  within?: readonly string[];
}

/** A lock, in the collection `locks`, while somebody has it. */
export interface LockDocument {
  /** `name:<name>` or `device:<device>`. */
  _id: string;
  /** Nobody: only in what older releases left. */
  holder: LockTicket | null;
  /** Who waits, in order of arrival. */
  queue: LockTicket[];
}

export const lockCollection = "locks";

/**
 * The write that makes the lock what it is to be, only over what was read. A lock that nobody has or wants is no
 * document. The first version of the next one follows from its first holder, so that what was read of an earlier
 * document is never taken for it.
 */
export function lockWrite(read: Stored<LockDocument> | undefined, document: LockDocument): Write {
  const collection = lockCollection;
  if (!read) return { kind: "insert", collection, document, version: firstVersion(document) };
  const { version } = read;
  const isFree = document.holder === null && document.queue.length === 0;
  return isFree
    ? { kind: "discard", collection, id: document._id, version }
    : { kind: "replace", collection, document, version };
}

const versionDigits = 12;

function firstVersion({ holder }: LockDocument): number {
  const digest = createHash("sha256").update(`${holder?.job}.${holder?.iteration}`).digest("hex");
  return 1 + Number.parseInt(digest.slice(0, versionDigits), 16);
}

/** The same iteration? A release does not tell the task. */
export function isSameTicket(
  left: Pick<LockTicket, "job" | "iteration">,
  right: Pick<LockTicket, "job" | "iteration">,
): boolean {
  return left.job === right.job && left.iteration === right.iteration;
}
