import { systemCaller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Store, Stored, Write } from "../../store/store.ts";
import type { WorkQueue } from "../../work-queue/work-queue.ts";
import { archivePath, writeArchiveFile } from "./archive-files.ts";
import { archiveTexts, UnreadableTree } from "./archive-lines.ts";
import type { JobDeletion } from "./job-deletion.ts";
import type { FindWorkflow } from "./job-log.ts";
import { whyNotAtRest } from "./job-tree.ts";
import { retentionItemId, workItem } from "./work-items.ts";

/** How long finished jobs are kept, and what becomes of them then. */
export interface RetentionSettings {
  /** Days since the end of the root job of a tree. */
  days: number;
  /** Folder of the archive; undefined: jobs are deleted without. */
  archiveDir: string | undefined;
}

export interface RetentionServices {
  store: Store;
  queue: WorkQueue;
  clock: Clock;
  logger: Logger;
  deletion: Pick<JobDeletion, "deleteRoot">;
  findWorkflow: FindWorkflow;
  /** Undefined: this node keeps everything. */
  settings: RetentionSettings | undefined;
}

/**
 * Archives and deletes trees of jobs whose root ended long ago. One work item, which is run by one node at a time,
 * takes one step after the other: it plans a batch, writes its file, deletes its jobs. Each step ends with a commit
 * over the plan it began with, so a node that comes late can neither repeat nor undo a step.
 */
export interface Retention {
  /** Sees to it that there is the work item, from now on. Does nothing where everything is kept. */
  start(): Promise<void>;
  stop(): void;
  /** Runs the work `retention`: one step. */
  run(complete: Write): Promise<void>;
}

/** The retention of a node. */
export function createRetention(services: RetentionServices): Retention {
  return new NodeRetention(services);
}

/** A root job and when it ended. */
interface EndedJob {
  _id: string;
  status: string;
  metrics: { end_time: number };
}

/** What is stored of the retention, in the collection `retention`. */
interface Plan {
  _id: "plan";
  /** Roots that ended up to then, in milliseconds since the epoch, were looked at in this round. */
  after?: number;
  /** Roots that are being archived and deleted, and the UTC day they ended on. */
  batch?: { day: string; roots: string[] };
  /** The file of the batch is on disk: its jobs may go. */
  isArchived?: boolean;
}

/** What a step leaves: the plan, and how long the next step waits. */
interface Outcome {
  plan: Plan;
  pauseMs: number;
}

const collection = "retention";
const dayMs = 86_400_000;
const mostPerBatch = 100;
/** Between batches, so that those who work now are not disturbed. */
const pauseMs = 1_000;
/** Between rounds through all jobs. */
const restMs = 3_600_000;
/** The item was dropped by a node that keeps everything: others look again. */
const lookMs = 600_000;

class NodeRetention implements Retention {
  readonly #services: RetentionServices;
  #cancelLook: () => void = () => undefined;

  constructor(services: RetentionServices) {
    this.#services = services;
  }

  async start(): Promise<void> {
    if (!this.#services.settings) return;
    this.#cancelLook = this.#services.clock.after(lookMs, () => void this.#lookAgain());
    await this.#ensureItem();
  }

  stop(): void {
    this.#cancelLook();
  }

  async run(complete: Write): Promise<void> {
    const { store, queue, clock, settings } = this.#services;
    if (!settings) return store.commit([complete]);
    const stored = await store.read<Plan & { _id: "plan" }>(collection, "plan");
    const { plan, pauseMs } = await this.#step(stored?.document ?? { _id: "plan" }, settings);
    const item = workItem({ kind: "retention" }, clock.now() + pauseMs);
    await store.commit([planWrite(plan, stored), queue.enqueue(item)]);
    queue.committed([item]);
  }

  async #lookAgain(): Promise<void> {
    this.#cancelLook = this.#services.clock.after(lookMs, () => void this.#lookAgain());
    try {
      await this.#ensureItem();
    } catch (error) {
      this.#services.logger.debug("the work of the retention could not be looked for", { error: String(error) });
    }
  }

  async #ensureItem(): Promise<void> {
    const { store, queue, clock } = this.#services;
    const [next] = await store.workItems(retentionItemId.slice(0, -1), 1);
    if (next?.id === retentionItemId) return;
    const item = workItem({ kind: "retention" }, clock.now());
    await store.commit([queue.enqueue(item)]);
    queue.committed([item]);
  }

  async #step(plan: Plan, settings: RetentionSettings): Promise<Outcome> {
    if (!plan.batch) return this.#planBatch(plan, settings);
    if (!plan.isArchived) return this.#archiveBatch(plan, plan.batch, settings);
    for (const root of plan.batch.roots) await this.#services.deletion.deleteRoot(root, systemCaller);
    this.#services.logger.info("finished jobs were deleted by their age", {
      day: plan.batch.day,
      jobs: plan.batch.roots.length,
    });
    return { plan: withoutBatch(plan), pauseMs };
  }

  /** The next roots that ended on one day. At the end of a round the next one begins after a rest. */
  async #planBatch(plan: Plan, { days }: RetentionSettings): Promise<Outcome> {
    const ended = await this.#endedBetween(plan.after ?? 0, this.#services.clock.now() - days * dayMs);
    const [first] = ended;
    if (!first) return { plan: { _id: "plan" }, pauseMs: restMs };
    const day = dayOf(first);
    const ofDay = ended.filter((job) => dayOf(job) === day);
    const roots: string[] = [];
    for (const job of ofDay) if (await this.#mayGo(job)) roots.push(job._id);
    const after = (ofDay.at(-1) ?? first).metrics.end_time;
    return roots.length > 0
      ? { plan: { _id: "plan", after, batch: { day, roots } }, pauseMs: 0 }
      : { plan: { _id: "plan", after }, pauseMs };
  }

  async #mayGo({ _id, status }: EndedJob): Promise<boolean> {
    const isEnded = status === "complete" || status === "canceled";
    return isEnded && (await whyNotAtRest(this.#services.store, _id)) === undefined;
  }

  /**
   * Roots in the order of their ends. Of those that ended in the millisecond of the last one some may be left for
   * the next round. Nothing else is asked of the store: what ended has an end, and an index leads to it.
   */
  async #endedBetween(after: number, before: number): Promise<EndedJob[]> {
    const query = { $and: [{ "metrics.end_time": { $gt: after, $lt: before } }, { parent: { $exists: false } }] };
    return this.#services.store.find<EndedJob>("jobs", query, {
      sort: { "metrics.end_time": 1, _id: 1 },
      limit: mostPerBatch,
      fields: { _id: 1, status: 1, "metrics.end_time": 1 },
    });
  }

  /** One that cannot be read is left out, and tried again in the next round. */
  async #archiveBatch(plan: Plan, batch: NonNullable<Plan["batch"]>, settings: RetentionSettings): Promise<Outcome> {
    const { store, findWorkflow, logger } = this.#services;
    if (settings.archiveDir === undefined) return { plan: { ...plan, isArchived: true }, pauseMs: 0 };
    const path = archivePath(settings.archiveDir, batch.day, batch.roots);
    try {
      await writeArchiveFile(path, () => archiveTexts({ store, findWorkflow }, batch.roots));
    } catch (error) {
      if (!(error instanceof UnreadableTree)) throw error;
      logger.error("a job is kept although its time is over", { job: error.root, error: error.message });
      const roots = batch.roots.filter((root) => root !== error.root);
      return { plan: roots.length > 0 ? { ...plan, batch: { ...batch, roots } } : withoutBatch(plan), pauseMs: 0 };
    }
    logger.info("finished jobs were archived", { day: batch.day, jobs: batch.roots.length });
    return { plan: { ...plan, isArchived: true }, pauseMs: 0 };
  }
}

function planWrite(document: Plan, stored: Stored<Plan> | undefined): Write {
  return stored
    ? { kind: "replace", collection, document, version: stored.version }
    : { kind: "insert", collection, document };
}

function withoutBatch({ _id, after }: Plan): Plan {
  return after === undefined ? { _id } : { _id, after };
}

/** The UTC day a job ended on: `2026-11-21`. */
function dayOf({ metrics }: EndedJob): string {
  return new Date(metrics.end_time).toISOString().slice(0, 10);
}
