import type { Clock } from "../../core/clock.ts";
import { PlatformError } from "../../core/errors.ts";
import { DuplicateKeyError, VersionConflictError, type Store, type Stored, type Write } from "../../store/store.ts";
import type { JobEvent } from "../interpreter/events.ts";
import { lockWait } from "../interpreter/locks.ts";
import type { JobRunner } from "./job-runner.ts";
import { findCycle, isWaiting, locksAround, victimOf, type CycleServices, type LockWait } from "./lock-cycles.ts";
import { isSameTicket, lockCollection, lockWrite, type LockDocument, type LockTicket } from "./lock-documents.ts";
import { createMailboxes } from "./mailboxes.ts";
import { workItemId, type EngineWork } from "./work-items.ts";

export interface LockServices extends CycleServices {
  clock: Clock;
}

type Acquire = Extract<EngineWork, { kind: "acquireLock" }>;
interface Asked {
  work: Acquire;
  complete: Write;
  /** How often the task asked in vain. */
  attempts: number;
}
type Release = Extract<EngineWork, { kind: "releaseLock" }>;

/** Getting and giving back locks. Each write of a lock is one commit with the event it is for the job, so they always agree. */
export interface LockWork {
  /** Gives the lock to the task, or puts it into the queue. Repeated, it finds that done. */
  acquire(work: Acquire, complete: Write, attempts: number): Promise<void>;
  /** Takes the task out of the lock, and gives the lock to the next who waits. */
  release(work: Release, complete: Write): Promise<void>;
}

/** The lock work of a node. */
export function createLockWork(services: LockServices): LockWork {
  const inTurn = createTurns();
  return {
    acquire: (work, complete, attempts) =>
      inTurn(work.key, () => repeat(() => acquire(services, { work, complete, attempts }))),
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

/**
 * More do not stand in the queue of a lock, which is one document: others ask again later, in no order. Who has to be
 * seen waiting, because a lock is held around it, has a place in any case.
 */
const mostWaiting = 1_000;

async function acquire(services: LockServices, asked: Asked): Promise<boolean> {
  const { store, runner } = services;
  const { work, complete } = asked;
  const { job, task, iteration, key } = work;
  // The lock is read before the job: what is found in it then is no older than what the job knows of it.
  const read = await store.read<LockDocument>(lockCollection, key);
  const wait = lockWait((await runner.read(job))?.tasks.get(task), iteration);
  if (!wait) return done(services, asked);
  const lock = read?.document ?? { _id: key, holder: null, queue: [] };
  const ticket: LockTicket = { job, task, iteration };
  if (!wait.isQueued && !lock.holder) {
    const isTold = await tell(runner, ticket, "lockGranted", [lockWrite(read, { ...lock, holder: ticket }), complete]);
    return isTold || done(services, asked);
  }
  return standInLine(services, asked, { read, ticket, isQueued: wait.isQueued === true });
}

interface Line {
  read: Stored<LockDocument> | undefined;
  ticket: LockTicket;
  /** It stands in the queue already. */
  isQueued: boolean;
}

async function standInLine(services: LockServices, asked: Asked, { read, ticket, isQueued }: Line): Promise<boolean> {
  const { key } = asked.work;
  const within = await locksAround(services, ticket);
  const waiting = within.length === 0 ? ticket : { ...ticket, within };
  const cycle = await findCycle(services, waiting, key);
  if (cycle) return refuse(services, asked, { cycle, isQueued });
  if (isQueued || !read) return done(services, asked);
  const { document: lock } = read;
  if (within.length === 0 && lock.queue.length >= mostWaiting) return askLater(services, asked);
  const write = lockWrite(read, { ...lock, queue: [...lock.queue, waiting] });
  // Two who close a circle at the same time see each other only once both are in the queues.
  const isLooking = within.length > 0;
  const isTold = await tell(services.runner, ticket, "lockQueued", isLooking ? [write] : [write, asked.complete]);
  return isTold ? !isLooking : done(services, asked);
}

async function done({ store }: LockServices, { complete }: Asked): Promise<boolean> {
  await store.commit([complete]);
  return true;
}

const soonestMs = 1_000;
const latestMs = 60_000;

async function askLater({ store, clock }: LockServices, { work, attempts }: Asked): Promise<boolean> {
  const runAt = clock.now() + Math.min(latestMs, soonestMs * 2 ** attempts);
  await store.commit([{ kind: "postpone", itemId: workItemId(work), runAt, attempts: attempts + 1 }]);
  return true;
}

type PlainNews = "lockGranted" | "lockQueued" | "lockPassed";

/** Told to a job whose state forbids it, an event and what goes with it come to nothing: false. */
function tell(runner: JobRunner, ticket: LockTicket, event: PlainNews, writes: readonly Write[]): Promise<boolean> {
  const { task, iteration } = ticket;
  return send(runner, ticket.job, { event, task, iteration }, writes);
}

async function send(runner: JobRunner, job: string, event: JobEvent, writes: readonly Write[]): Promise<boolean> {
  try {
    await runner.activate(job, event, writes);
    return true;
  } catch (error) {
    if (error instanceof PlatformError && (error.code === "CONFLICT" || error.code === "NOT_FOUND")) return false;
    throw error;
  }
}

/** Tasks that wait for each other would do so for ever: one of them ends in error. */
async function refuse(
  services: LockServices,
  asked: Asked,
  { cycle, isQueued }: { cycle: readonly LockWait[]; isQueued: boolean },
): Promise<boolean> {
  const victim = isQueued ? victimOf(cycle) : cycle[0];
  if (!victim) throw new Error("a circle of tasks has a task");
  const { ticket, key } = victim;
  const isSelf = isSameTicket(ticket, asked.work);
  const waits = startingWith(cycle, victim).map((wait) => ({
    job: wait.ticket.job,
    task: wait.ticket.task,
    key: wait.key,
  }));
  const leave = isQueued ? await leaveQueue(services.store, key, ticket) : [];
  const event = { event: "lockRefused", task: ticket.task, iteration: ticket.iteration, waits } as const;
  const isTold = await send(services.runner, ticket.job, event, [...leave, ...(isSelf ? [asked.complete] : [])]);
  // After another one had to give way, this one looks whether it waits in one more circle.
  if (!isSelf) return false;
  return isTold || done(services, asked);
}

function startingWith(cycle: readonly LockWait[], first: LockWait): LockWait[] {
  const place = cycle.indexOf(first);
  return [...cycle.slice(place), ...cycle.slice(0, place)];
}

async function leaveQueue(store: Store, key: string, ticket: LockTicket): Promise<Write[]> {
  const read = await store.read<LockDocument>(lockCollection, key);
  return read ? leaveWrite(read, ticket) : [];
}

/** Nothing to write for one who is not in the queue. */
function leaveWrite(read: Stored<LockDocument>, ticket: Pick<LockTicket, "job" | "iteration">): Write[] {
  const { queue } = read.document;
  const left = queue.filter((other) => !isSameTicket(other, ticket));
  return left.length < queue.length ? [lockWrite(read, { ...read.document, queue: left })] : [];
}

async function release(services: LockServices, work: Release, complete: Write): Promise<boolean> {
  const { store } = services;
  const read = await store.read<LockDocument>(lockCollection, work.key);
  if (!read) {
    await store.commit([complete]);
    return true;
  }
  const { holder } = read.document;
  if (holder && isSameTicket(holder, work)) return passOn(services, read, complete);
  await store.commit([...leaveWrite(read, work), complete]);
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
