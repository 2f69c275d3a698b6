import type { Stored, Write } from "../../store/store.ts";

/** Who has a lock or waits for it: an iteration of a task. */
export interface LockTicket {
  job: string;
  task: string;
  iteration: number;
}

/** A lock, in the collection `locks`. It stays when nobody has it, so that its versions never begin anew. */
export interface LockDocument {
  /** `name:<name>` or `device:<device>`. */
  _id: string;
  holder: LockTicket | null;
  /** Who waits, in order of arrival. */
  queue: LockTicket[];
}

export const lockCollection = "locks";

/** A lock with the write that changes it, only over what was read. */
export function lockWrite(read: Stored<LockDocument> | undefined, document: LockDocument): Write {
  return read
    ? { kind: "replace", collection: lockCollection, document, version: read.version }
    : { kind: "insert", collection: lockCollection, document };
}

/** The same iteration? A release does not tell the task. */
export function isSameTicket(left: Omit<LockTicket, "task">, right: Omit<LockTicket, "task">): boolean {
  return left.job === right.job && left.iteration === right.iteration;
}
