import type { Logger } from "../../core/logger.ts";
import type { StoreChange } from "../store.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";

const channel = "linewright_changes";
/** The server takes payloads of less than 8,000 bytes. */
const longestPayload = 7_800;
const reconnectMs = 500;
/** Changes that come sooner after an announcement wait for the next one. */
const pauseMs = 20;
/** Changes that wait to be announced at most; others are not told, and their watchers look again by themselves. */
const mostWaiting = 20_000;

export interface AnnouncerOptions {
  connection: ConnectionOptions;
  /** Tells this process from others. */
  origin: string;
  logger: Logger;
  /** Called with what other processes changed. */
  onChanges: (changes: readonly StoreChange[]) => void;
}

type Notice = [origin: string, changes: [collection: string, id: string][]];

/**
 * Tells other processes what was committed here and hears what they committed, over LISTEN and NOTIFY on
 * a connection of its own: announcing in the commits themselves would make the commits of all nodes wait
 * for each other. What is missed while the connection is down is missed.
 */
export class ChangeAnnouncer {
  readonly #options: AnnouncerOptions;
  #connection: Connection | undefined;
  #waiting: StoreChange[] = [];
  #isAnnouncing = false;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /** Begins to listen. */
  async open(): Promise<void> {
    const { connection: options } = this.#options;
    const connection = await new Connection(options).open();
    connection.onNotice((payload) => this.#hear(payload));
    connection.onEnd(() => this.#lost());
    await connection.query(`LISTEN ${channel}`);
    this.#connection = connection;
  }

  /** Announces changes that are committed, together with those of the same moment. */
  announce(changes: readonly StoreChange[]): void {
    if (this.#isClosed || this.#waiting.length > mostWaiting || changes.length === 0) return;
    this.#waiting.push(...changes);
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    setImmediate(() => void this.#announceAll());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#connection?.end();
  }

  async #announceAll(): Promise<void> {
    const payloads = payloadsOf(this.#options.origin, this.#waiting.splice(0));
    try {
      await this.#connection?.query("SELECT pg_notify($1, p) FROM unnest($2::text[]) AS p", [channel, payloads]);
    } catch {
      // Told once, where the connection is made again.
      this.#connection?.close();
    }
    this.#options.connection.clock.after(pauseMs, () => {
      if (this.#waiting.length > 0 && !this.#isClosed) void this.#announceAll();
      else this.#isAnnouncing = false;
    });
  }

  #hear(payload: string): void {
    const [origin, changes] = JSON.parse(payload) as Notice;
    if (origin !== this.#options.origin)
      this.#options.onChanges(changes.map(([collection, id]) => ({ collection, id })));
  }

  #lost(): void {
    if (this.#isClosed) return;
    this.#options.logger.warn("the change feed is interrupted: what other nodes change is seen a few seconds later");
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    if (this.#isClosed) return;
    const { clock } = this.#options.connection;
    this.#cancelTimer = clock.after(reconnectMs, () => {
      this.open().catch(() => this.#reconnectLater());
    });
  }
}

/** As few payloads as hold all changes, each change once. */
function payloadsOf(origin: string, changes: readonly StoreChange[]): string[] {
  const payloads: string[] = [];
  let pairs: string[] = [];
  let length = 0;
  const endPayload = (): void => {
    if (pairs.length > 0) payloads.push(`[${JSON.stringify(origin)},[${pairs.join()}]]`);
    pairs = [];
    length = 0;
  };
  for (const pair of new Set(changes.map(({ collection, id }) => JSON.stringify([collection, id])))) {
    const bytes = Buffer.byteLength(pair) + 1;
    // An identifier too long to be told is found by those who look again.
    if (bytes > longestPayload - 100) continue;
    if (length + bytes > longestPayload - 100) endPayload();
    pairs.push(pair);
    length += bytes;
  }
  endPayload();
  return payloads;
}
