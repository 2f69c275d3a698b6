import type { Clock } from "../core/clock.ts";
import type { Identifiers } from "../core/identifiers.ts";
import type { Logger } from "../core/logger.ts";
import type { Store, Write } from "../store/store.ts";
import { viewNode, type NodeRecord, type NodeStatus, type NodeView } from "./node-record.ts";

export interface NodeRegistryOptions {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  logger: Logger;
  /** Of this process. */
  host: string;
  pid: number;
  version: string;
}

/**
 * Which nodes there are, for people: nothing the platform does rests on it. A node that dies is known by
 * the leases of its work, which end, not by its heartbeats.
 */
export interface NodeRegistry {
  /** Identity of this node. */
  readonly id: string;
  /** What this node says of itself. */
  status(): NodeStatus;
  /** Says that this node is here, every second from now on. A store that is away is no error. */
  start(): Promise<void>;
  /** Says that this node ends what it has begun and takes nothing new; it is heard of until it stops. */
  drain(): void;
  /** Says that this node has ended, within a second, and nothing after that. */
  stop(): Promise<void>;
  /** All nodes heard of within a day, those heard of last first. */
  list(): Promise<NodeView[]>;
}

const collection = "nodes";
const heartbeatMs = 1_000;
const farewellMs = 1_000;
/** Beats between two looks at the other nodes. */
const lookEvery = 10;
const forgottenAfterMs = 86_400_000;
/** A heartbeat from so far ahead shows that the clocks of two nodes differ. */
const clocksDifferMs = 1_000;
const mostListed = 1_000;

/** The registry of a node. */
export function createNodeRegistry(options: NodeRegistryOptions): NodeRegistry {
  return new Registry(options);
}

class Registry implements NodeRegistry {
  readonly id: string;
  readonly #options: NodeRegistryOptions;
  readonly #startedAt: number;
  #status: NodeStatus = "running";
  #cancelBeat: () => void = () => undefined;
  #writing: Promise<void> | undefined;
  #isHeard = true;
  #beats = 0;
  readonly #differing = new Set<string>();

  constructor(options: NodeRegistryOptions) {
    this.#options = options;
    this.id = options.identifiers.uuid();
    this.#startedAt = options.clock.now();
  }

  status(): NodeStatus {
    return this.#status;
  }

  async start(): Promise<void> {
    await this.#beat();
  }

  drain(): void {
    if (this.#status !== "running") return;
    this.#status = "draining";
    void this.#say();
  }

  async stop(): Promise<void> {
    this.#cancelBeat();
    this.#status = "stopped";
    let cancelWait: () => void = () => undefined;
    const waited = new Promise<void>((resolve) => {
      cancelWait = this.#options.clock.after(farewellMs, resolve);
    });
    await Promise.race([this.#say(), waited]);
    cancelWait();
  }

  async list(): Promise<NodeView[]> {
    const { store, clock } = this.#options;
    const records = await store.find<NodeRecord>(collection, {}, { sort: { heardAt: -1 }, limit: mostListed });
    return records.map((record) => viewNode(record, clock.now(), this.id));
  }

  async #beat(): Promise<void> {
    this.#cancelBeat = this.#options.clock.after(heartbeatMs, () => void this.#beat());
    // A store that is slow gets no second heartbeat while it has the first.
    if (this.#writing) return;
    this.#beats += 1;
    await this.#say();
    if (this.#beats % lookEvery === 1) await this.#look();
  }

  /** Writes what this node says of itself, after what is being written. */
  async #say(): Promise<void> {
    await this.#writing;
    this.#writing = this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const { store, logger, clock, host, pid, version } = this.#options;
    const document: NodeRecord = {
      _id: this.id,
      host,
      pid,
      version,
      startedAt: this.#startedAt,
      heardAt: clock.now(),
      clockOffMs: clock.offMs?.() ?? 0,
      status: this.#status,
    };
    try {
      await store.commit([{ kind: "put", collection, document }]);
      this.#isHeard = true;
    } catch (error) {
      if (this.#isHeard) logger.warn("the node cannot say that it is here", { error: String(error) });
      this.#isHeard = false;
    }
    this.#writing = undefined;
  }

  /** Removes what nobody asks for any more, and tells of clocks that differ. */
  async #look(): Promise<void> {
    const { store, clock, logger } = this.#options;
    try {
      const now = clock.now();
      const forgotten = await store.find<NodeRecord>(collection, { heardAt: { $lt: now - forgottenAfterMs } });
      await store.commit(forgotten.map(({ _id }): Write => ({ kind: "remove", collection, id: _id })));
      const ahead = await store.find<NodeRecord>(collection, { heardAt: { $gt: now + clocksDifferMs } });
      ahead.filter(({ _id }) => _id !== this.id).forEach((record) => this.#tellDifference(record, now));
    } catch (error) {
      logger.debug("the other nodes could not be read", { error: String(error) });
    }
  }

  #tellDifference({ _id, host, heardAt }: NodeRecord, now: number): void {
    if (this.#differing.has(_id)) return;
    this.#differing.add(_id);
    this.#options.logger.warn("the clock of another node is ahead of this one: work may be taken over too early", {
      node: _id,
      host,
      aheadMs: heardAt - now,
    });
  }
}
