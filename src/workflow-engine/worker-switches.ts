import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { Store } from "../store/store.ts";
import { CollectionFollower } from "./jobs/collection-follower.ts";
import type { EngineWork } from "./jobs/work-items.ts";

/** The two workers of the engine: the one works automatic tasks, the other starts jobs. */
export const workerNames = ["jobWorker", "taskWorker"] as const;
export type WorkerName = (typeof workerNames)[number];

/**
 * The work that waits while a worker is switched off. The task worker calls what lies outside the engine;
 * time goes on without it, and what the engine computes itself is part of the step it belongs to: a delay
 * or a retry comes due, an evaluation is made, and the next call waits. The job worker starts jobs: people
 * are refused, child jobs wait.
 */
const workOf: Readonly<Record<WorkerName, EngineWork["kind"]>> = { jobWorker: "startChild", taskWorker: "callTask" };

/** The kinds of work that wait as things are. */
export function waitingKinds(switches: Pick<WorkerSwitches, "isRunning">): EngineWork["kind"][] {
  return workerNames.filter((worker) => !switches.isRunning(worker)).map((worker) => workOf[worker]);
}

/** How a worker is (workflow-engine.md §8.1). */
export interface WorkerStatus {
  /** Does it work on this node? */
  running: boolean;
  /** What is set for all nodes. */
  clusterValue: "enabled" | "disabled" | "not defined";
  /** What is set for this node alone: nothing, a switch is for all nodes. */
  localValue: "not defined";
  /** How a node begins where nothing is set. */
  startupValue: true;
}

export type WorkerStatuses = Record<WorkerName, WorkerStatus>;

/** What is stored of a switch, in the collection `worker_switches`. */
interface SwitchRecord {
  _id: WorkerName;
  isEnabled: boolean;
  /** Milliseconds since the epoch. */
  changedAt: number;
  changedBy: string;
}

/** Switches the workers of all nodes on and off. A node that has not heard of a change yet does so within a second. */
export interface WorkerSwitches {
  /** As this node knows it. */
  isRunning(worker: WorkerName): boolean;
  /** Effective on this node when it resolves. */
  set(worker: WorkerName, isEnabled: boolean, caller: Caller): Promise<void>;
  /** As it is set now. */
  statuses(): Promise<WorkerStatuses>;
  /** Reads the switches, and follows them from now on. */
  start(): Promise<void>;
  stop(): void;
}

export interface WorkerSwitchesOptions {
  store: Store;
  clock: Clock;
  logger: Logger;
  /** Called when a worker of this node was switched. */
  onChange(): void;
}

const collection = "worker_switches";

/** The switches as a node follows them. */
export function createWorkerSwitches(options: WorkerSwitchesOptions): WorkerSwitches {
  return new Switches(options);
}

class Switches implements WorkerSwitches {
  readonly #options: WorkerSwitchesOptions;
  #known: ReadonlyMap<WorkerName, boolean> = new Map();
  readonly #follower: CollectionFollower;

  constructor(options: WorkerSwitchesOptions) {
    this.#options = options;
    this.#follower = new CollectionFollower({ ...options, collection, read: () => this.#readAll() });
  }

  isRunning(worker: WorkerName): boolean {
    return this.#known.get(worker) ?? true;
  }

  async set(worker: WorkerName, isEnabled: boolean, caller: Caller): Promise<void> {
    const { store, clock, logger } = this.#options;
    const document: SwitchRecord = { _id: worker, isEnabled, changedAt: clock.now(), changedBy: caller.username };
    await store.commit([{ kind: "put", collection, document }]);
    logger.info("a worker was switched", { worker, isEnabled, changedBy: caller.username });
    await this.#follower.look();
  }

  async statuses(): Promise<WorkerStatuses> {
    await this.#follower.look();
    return { jobWorker: this.#status("jobWorker"), taskWorker: this.#status("taskWorker") };
  }

  async start(): Promise<void> {
    await this.#follower.start();
  }

  stop(): void {
    this.#follower.stop();
  }

  #status(worker: WorkerName): WorkerStatus {
    const isEnabled = this.#known.get(worker);
    const clusterValue = isEnabled === undefined ? "not defined" : isEnabled ? "enabled" : "disabled";
    return { running: this.isRunning(worker), clusterValue, localValue: "not defined", startupValue: true };
  }

  async #readAll(): Promise<void> {
    const records = await this.#options.store.find<SwitchRecord>(collection, {});
    this.#apply(new Map(records.map(({ _id, isEnabled }) => [_id, isEnabled])));
  }

  #apply(known: ReadonlyMap<WorkerName, boolean>): void {
    const before = workerNames.map((worker) => this.isRunning(worker));
    this.#known = known;
    if (workerNames.some((worker, index) => this.isRunning(worker) !== before[index])) this.#options.onChange();
  }
}
