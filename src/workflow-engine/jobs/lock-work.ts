import { PlatformError } from "../../core/errors.ts";
import { DuplicateKeyError, VersionConflictError, type Store, type Stored, type Write } from "../../store/store.ts";
import { isUnderWay, type JobState } from "../interpreter/job-state.ts";
import { lockWait } from "../interpreter/locks.ts";
import type { JobRunner } from "./job-runner.ts";
import { isSameTicket, lockCollection, lockWrite, type LockDocument, type LockTicket } from "./lock-documents.ts";
import { createMailboxes } from "./mailboxes.ts";
import type { EngineWork } from "./work-items.ts";

export interface LockServices {
  store: Store;
  runner: JobRunner;
}

type Acquire = Extract<EngineWork, { kind: "acquireLock" }>;
type Release = Extract<EngineWork, { kind: "releaseLock" }>;

/** Getting and giving back locks. Each write of a lock is one commit with the event it is for the job, so they always agree. */
export interface LockWork {
  /** Gives the lock to the task, or puts it into the queue. Repeated, it finds that done. */
  acquire(work: Acquire, complete: Write): Promise<void>;
  /** Takes the task out of the lock, and gives the lock to the next who waits. */
  release(work: Release, complete: Write): Promise<void>;
}

/** The lock work of a node. */
export function createLockWork(services: LockServices): LockWork {
  const inTurn = createTurns();
  return {
    acquire: (work, complete) => inTurn(work.key, () => repeat(() => acquire(services, work, complete))),
    release: (work, complete) => inTurn(work.key, () => repeat(() => release(services, work, complete))),
  };
}

type Turns = (key: string, run: () => Promise<void>) => Promise<void>;

/** Work of one lock is done one after the other on a node: only nodes race for it. */
function createTurns(): Turns {
  const mailboxes = createMailboxes<() => Promise<void>>(async (_key, batch) => {
    for (const run of batch) await run();
    return true;
  });
  return (key, run) =>
    new Promise((resolve, reject) => {
      mailboxes.send(key, () => run().then(resolve, reject));
    });
}

/** After so many looks at a moving lock, the work is left for later. */
const mostLooks = 100;

/** Looks again while others are faster. `look` resolves with true when all is done. */
async function repeat(look: () => Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks++) {
    try {
      if (await look()) return;
    } catch (error) {
      if (!(error instanceof VersionConflictError || error instanceof DuplicateKeyError)) throw error;
    }
  }
  throw new Error("a lock changes faster than this node can follow");
}

async function acquire(services: LockServices, work: Acquire, complete: Write): Promise<boolean> {
  const { store, runner } = services;
  const { job, task, iteration, key } = work;
  const ticket = { job, task, iteration };
  // The lock is read before the job: what is found in it then is no older than what the job knows of it.
  const read = await store.read<LockDocument>(lockCollection, key);
  const wait = lockWait((await runner.read(job))?.tasks.get(task), iteration);
  if (!wait || wait.isQueued) {
    await store.commit([complete]);
    return true;
  }
  const lock = read?.document ?? { _id: key, holder: null, queue: [] };
  if (lock.holder && (await isOwnSection(runner, work, lock.holder))) return refuse(services, work, complete);
  const next = lock.holder ? { ...lock, queue: [...lock.queue, ticket] } : { ...lock, holder: ticket };
  const event = lock.holder ? "lockQueued" : "lockGranted";
  const isTold = await tell(runner, ticket, event, [lockWrite(read, next), complete]);
  if (!isTold) await store.commit([complete]);
  return true;
}

/** Told to a job whose state forbids it, an event and what goes with it come to nothing: false. */
async function tell(
  runner: JobRunner,
  { job, task, iteration }: LockTicket,
  event: "lockGranted" | "lockQueued" | "lockPassed" | "lockRefused",
  writes: readonly Write[],
): Promise<boolean> {
  try {
    await runner.activate(job, { event, task, iteration }, writes);
    return true;
  } catch (error) {
    if (error instanceof PlatformError && (error.code === "CONFLICT" || error.code === "NOT_FOUND")) return false;
    throw error;
  }
}

/** Waiting for a lock that the section the job runs in holds would be waiting for ever: the task ends in error. */
async function refuse({ store, runner }: LockServices, work: Acquire, complete: Write): Promise<boolean> {
  if (!(await tell(runner, work, "lockRefused", [complete]))) await store.commit([complete]);
  return true;
}

/** Is the holder the childJob task that the job runs under, at whatever depth? */
async function isOwnSection(runner: JobRunner, { job }: Acquire, holder: LockTicket): Promise<boolean> {
  let state = await runner.read(job);
  if (!state?.origin.ancestors.includes(holder.job)) return false;
  for (let parent = state.origin.parent; parent; parent = state?.origin.parent) {
    if (isSameTicket(parent, holder)) return true;
    state = await runner.read(parent.job);
  }
  return false;
}

async function release(services: LockServices, work: Release, complete: Write): Promise<boolean> {
  const { store } = services;
  const read = await store.read<LockDocument>(lockCollection, work.key);
  if (!read) {
    await store.commit([complete]);
    return true;
  }
  const { holder, queue } = read.document;
  if (holder && isSameTicket(holder, work)) return passOn(services, read, complete);
  const left = queue.filter((ticket) => !isSameTicket(ticket, work));
  const leave = left.length < queue.length ? [lockWrite(read, { ...read.document, queue: left })] : [];
  await store.commit([...leave, complete]);
  return true;
}

/** Gives the lock to the first who waits and may run. Those whose jobs are held are passed over: they ask again. */
async function passOn({ store, runner }: LockServices, read: Stored<LockDocument>, complete: Write): Promise<boolean> {
  const lock = read.document;
  const [next, ...queue] = lock.queue;
  if (!next) {
    await store.commit([lockWrite(read, { ...lock, holder: null }), complete]);
    return true;
  }
  const state = await runner.read(next.job);
  if (state?.status === "running" && isWaiting(state, next)) {
    return tell(runner, next, "lockGranted", [lockWrite(read, { ...lock, holder: next, queue }), complete]);
  }
  const write = lockWrite(read, { ...lock, queue });
  const isTold = state !== undefined && isWaiting(state, next) && (await tell(runner, next, "lockPassed", [write]));
  // Whoever does not wait any more is left out without a word.
  if (!isTold && !(state && isWaiting(state, next))) await store.commit([write]);
  return false;
}

function isWaiting(state: JobState, { task: taskId, iteration }: LockTicket): boolean {
  const task = state.tasks.get(taskId);
  return task !== undefined && isUnderWay(task) && lockWait(task, iteration) !== undefined;
}
