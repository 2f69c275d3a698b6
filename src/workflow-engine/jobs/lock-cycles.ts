import type { Store } from "../../store/store.ts";
import { isUnderWay, type JobState, type TaskState } from "../interpreter/job-state.ts";
import { lockWait } from "../interpreter/locks.ts";
import type { JobRunner } from "./job-runner.ts";
import { lockCollection, type LockDocument, type LockTicket } from "./lock-documents.ts";
import type { WorkflowSnapshots } from "./workflow-snapshots.ts";

/*
 * Tasks that wait for each other. A loop or a childJob task with a lock gives it back when everything in it has
 * ended: whoever waits for that lock waits for every task in there that waits for a lock itself. Locks are asked for
 * one at a time, so a circle closes when a task asks, and is found by who closes it.
 */

export interface CycleServices {
  store: Store;
  runner: JobRunner;
  snapshots: WorkflowSnapshots;
}

/** A task that waits for a lock while one is held around it that others wait for. */
export interface LockWait {
  ticket: LockTicket;
  /** What it waits for. */
  key: string;
  /** What is held around it. */
  holds: string;
}

/** Keys of the locks that are held around a task: by loops it is in, by the childJob task its job runs under, and so on. */
export async function locksAround(
  { runner, snapshots }: Pick<CycleServices, "runner" | "snapshots">,
  { job, task }: Pick<LockTicket, "job" | "task">,
): Promise<string[]> {
  const keys: (string | undefined)[] = [];
  let [state, taskId]: [JobState | undefined, string] = [await runner.read(job), task];
  while (state) {
    const { tasks, origin }: JobState = state;
    const workflow = await snapshots.find(origin.snapshot);
    keys.push(...workflow.loopsAround(taskId).map((loop) => tasks.get(loop)?.lock));
    const { parent } = origin;
    if (!parent) break;
    state = await runner.read(parent.job);
    const above: TaskState | undefined = state?.tasks.get(parent.task);
    // The task has gone on: what runs under its last iteration is being canceled.
    if (above?.iteration !== parent.iteration) break;
    keys.push(above.lock);
    taskId = parent.task;
  }
  return [...new Set(keys)].filter((key) => key !== undefined);
}

/**
 * The circle that the asking task closes or is part of, itself first; undefined when there is none. What is found in
 * the documents is confirmed by the jobs: all of it was true at the moment between.
 */
export async function findCycle(
  services: CycleServices,
  asking: LockTicket,
  key: string,
): Promise<LockWait[] | undefined> {
  const cycle = await searchCycle(services.store, asking, key);
  for (const wait of cycle ?? []) if (!(await isTrue(services, wait))) return undefined;
  return cycle;
}

/** From the locks around the asking task to those that wait for them, to the locks around those, and so on. */
async function searchCycle(store: Store, asking: LockTicket, key: string): Promise<LockWait[] | undefined> {
  const waits = new Map<string, LockWait>();
  let open: readonly string[] = asking.within ?? [];
  const known = new Set(open);
  while (open.length > 0 && !known.has(key)) {
    const found: string[] = [];
    const locks = await readLocks(store, open);
    for (const wait of locks.flatMap(waitsFor)) {
      if (known.has(wait.holds)) continue;
      known.add(wait.holds);
      waits.set(wait.holds, wait);
      found.push(wait.holds);
    }
    open = found;
  }
  return known.has(key) ? circleOf(asking, key, waits) : undefined;
}

function waitsFor({ _id: key, queue }: LockDocument): LockWait[] {
  return queue.flatMap((ticket) => (ticket.within ?? []).map((holds) => ({ ticket, key, holds })));
}

function readLocks(store: Store, keys: readonly string[]): Promise<LockDocument[]> {
  return store.find<LockDocument>(lockCollection, { _id: { $in: [...keys] } }, {});
}

/** `waits`: for each lock that was come to, who waits while it is held around them. */
function circleOf(asking: LockTicket, key: string, waits: ReadonlyMap<string, LockWait>): LockWait[] {
  const others: LockWait[] = [];
  let last = key;
  for (let wait = waits.get(key); wait; wait = waits.get(wait.key)) {
    others.push(wait);
    last = wait.key;
  }
  return [{ ticket: asking, key, holds: last }, ...others];
}

async function isTrue(services: CycleServices, { ticket, holds }: LockWait): Promise<boolean> {
  const state = await services.runner.read(ticket.job);
  if (!state || !isWaiting(state, ticket)) return false;
  return (await locksAround(services, ticket)).includes(holds);
}

/** Does the iteration wait for a lock? */
export function isWaiting(state: JobState, { task: taskId, iteration }: LockTicket): boolean {
  const task = state.tasks.get(taskId);
  return task !== undefined && isUnderWay(task) && lockWait(task, iteration) !== undefined;
}

/** Who of a circle has to give way: whoever finds it chooses the same. */
export function victimOf(cycle: readonly LockWait[]): LockWait | undefined {
  const name = ({ ticket }: LockWait): string => `${ticket.job}.${String(ticket.iteration).padStart(12, "0")}`;
  return cycle.toSorted((one, other) => (name(one) < name(other) ? 1 : -1))[0];
}
