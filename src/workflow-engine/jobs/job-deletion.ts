import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { conflict, PlatformError } from "../../core/errors.ts";
import { mayAccess } from "../../core/group-access.ts";
import type { Store, Write } from "../../store/store.ts";
import type { WorkQueue } from "../../work-queue/work-queue.ts";
import type { Person } from "../interpreter/events.ts";
import type { MayAccess } from "./judged-events.ts";
import type { JobRunner } from "./job-runner.ts";
import type { JobService } from "./job-service.ts";
import { someChildren, startsChildren, whyNotAtRest } from "./job-tree.ts";
import { largeValueCollection, largeValuePrefix, rootOf } from "./large-parts.ts";
import { workItem, type EngineWork } from "./work-items.ts";

export interface JobDeletionServices {
  store: Store;
  queue: WorkQueue;
  runner: JobRunner;
  jobs: Pick<JobService, "view">;
  clock: Clock;
  leaseMs: number;
}

/**
 * Deletes jobs that have ended, each with everything below it (workflow-engine.md §7.1, §9.2). The first commit
 * marks the root in its log, removes its header, and asks for the rest as durable work: whatever dies then, somebody
 * ends it. Jobs below go from the leaves up. Logs and large values follow once no node can remember the jobs.
 */
export interface JobDeletion {
  /**
   * Deletes jobs the caller may see: none unless all of them can be. NOT_FOUND for an unknown one; CONFLICT for one
   * that has not ended, or that belongs to a job that exists.
   */
  delete(jobIds: readonly string[], caller: Caller): Promise<void>;
  /** Deletes a root job that was found to be at rest; one that is gone already is no error. */
  deleteRoot(jobId: string, by: Person): Promise<void>;
  /** Runs the work `deleteTree`. */
  runTree(work: Extract<EngineWork, { kind: "deleteTree" }>, complete: Write): Promise<void>;
  /** Runs the work `removeJob`. */
  runRemoval(work: Extract<EngineWork, { kind: "removeJob" }>, complete: Write): Promise<void>;
}

/**
 * How long the log of a deleted job stays on a store that several nodes share: longer than any of them goes by what
 * it remembers (`trustedMs` of job states), so that whoever remembers the job learns from the log that it is gone.
 */
export const removedAfterMs = 3_600_000;

const childrenAtOnce = 100;
const valuesAtOnce = 20;

/** The deletion of jobs on a node. */
export function createJobDeletion(services: JobDeletionServices): JobDeletion {
  return new Deletion(services);
}

class Deletion implements JobDeletion {
  readonly #services: JobDeletionServices;

  constructor(services: JobDeletionServices) {
    this.#services = services;
  }

  async delete(jobIds: readonly string[], caller: Caller): Promise<void> {
    const wanted = [...new Set(jobIds)];
    for (const jobId of wanted) await this.#requireDeletable(jobId, caller);
    const mayAct = (groups: readonly string[]) => mayAccess(groups, caller);
    for (const jobId of wanted) await this.#markRoot(jobId, caller, mayAct);
  }

  async deleteRoot(jobId: string, by: Person): Promise<void> {
    await this.#markRoot(jobId, by);
  }

  async runTree({ job, by }: Extract<EngineWork, { kind: "deleteTree" }>, complete: Write): Promise<void> {
    await this.#deleteBelow(job, by);
    const removal = this.#removalOf(job, true);
    await this.#services.store.commit([complete, this.#services.queue.enqueue(removal)]);
    this.#services.queue.committed([removal]);
  }

  async runRemoval({ job, isRoot }: Extract<EngineWork, { kind: "removeJob" }>, complete: Write): Promise<void> {
    const { store } = this.#services;
    if (isRoot) await this.#removeLargeValues(largeValuePrefix(job));
    // What sums over jobs were made from is no longer there: a rebuild leaves them as they are.
    const removed: Write = { kind: "keep", collection: "retention", document: { _id: "removed" } };
    await store.commit([{ kind: "removeLog", jobId: job }, removed, complete]);
  }

  async #requireDeletable(jobId: string, caller: Caller): Promise<void> {
    const { store, runner, jobs } = this.#services;
    const { status, origin } = (await jobs.view(jobId, caller)).state;
    const root = rootOf(origin);
    if (root !== jobId && (await runner.read(root)))
      throw conflict(`Job ${jobId} is a child job: it goes with its root job ${root}`);
    if (status !== "complete" && status !== "canceled")
      throw conflict(`Job ${jobId} is ${status} and cannot be deleted: cancel it first`);
    const reason = await whyNotAtRest(store, jobId);
    if (reason !== undefined) throw conflict(`${reason}: try again when it has ended`);
  }

  async #markRoot(jobId: string, { accountId, username }: Person, mayAct?: MayAccess): Promise<void> {
    const by = { accountId, username };
    await this.#mark(jobId, by, { kind: "deleteTree", job: jobId, by }, mayAct);
  }

  /** Puts the mark into the log, with the work that follows from it. A job that is gone is left at that. */
  async #mark(jobId: string, by: Person, next: EngineWork, mayAct?: MayAccess): Promise<void> {
    const { queue, runner, clock, leaseMs } = this.#services;
    const isNow = next.kind === "deleteTree";
    const item = isNow ? workItem(next, clock.now() + leaseMs) : this.#removalOf(jobId, false);
    try {
      await runner.activate(jobId, { event: "delete", by }, [queue.enqueue(item)], mayAct);
    } catch (error) {
      const isGone = error instanceof PlatformError && error.code === "NOT_FOUND" && !(await runner.read(jobId));
      if (isGone) return;
      throw error;
    }
    if (isNow) queue.runLocally(item);
    else queue.committed([item]);
  }

  /** A job goes after those below it, because they are found by it. */
  async #deleteBelow(jobId: string, by: Person): Promise<void> {
    const { store } = this.#services;
    for (;;) {
      const children = await someChildren(store, jobId, childrenAtOnce);
      if (children.length === 0) return;
      for (const child of children) {
        if (await startsChildren(store, child)) throw conflict(`Job ${child} still starts child jobs`);
        await this.#deleteBelow(child, by);
        await this.#mark(child, by, { kind: "removeJob", job: child, isRoot: false });
      }
    }
  }

  #removalOf(job: string, isRoot: boolean) {
    const { store, clock } = this.#services;
    return workItem({ kind: "removeJob", job, isRoot }, clock.now() + (store.isShared ? removedAfterMs : 0));
  }

  async #removeLargeValues(prefix: string): Promise<void> {
    const { store } = this.#services;
    // A slash is the next character after the dot that ends the prefix.
    const query = { _id: { $gt: prefix, $lt: `${prefix.slice(0, -1)}/` } };
    for (;;) {
      const options = { limit: valuesAtOnce, fields: { _id: 1 } } as const;
      const values = await store.find<{ _id: string }>(largeValueCollection, query, options);
      if (values.length === 0) return;
      await store.commit(
        values.map(({ _id: id }) => ({ kind: "remove", collection: largeValueCollection, id }) as const),
      );
    }
  }
}
