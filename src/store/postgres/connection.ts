import { Client, types, type ClientConfig } from "pg";
import type { Clock } from "../../core/clock.ts";
import { StoreUnavailableError } from "../store.ts";
import type { Statement } from "./group-statement.ts";
import { messageOf, NoAnswerError } from "./postgres-errors.ts";

/** A moment at which a test may break in: before a statement is sent, or after its answer came. */
export interface StatementPoint {
  phase: "before" | "after";
  text: string;
}

/** Throws what the statement shall fail with. After the answer: the statement was executed and only its answer is lost. */
export type StatementFaults = (point: StatementPoint) => void | Promise<void>;

/** What every connection of a store has in common. */
export interface ConnectionOptions {
  url: string;
  clock: Clock;
  /** How long a statement, or connecting, may take before the server counts as away, milliseconds. */
  deadlineMs: number;
  /** For connecting, where statements may take longer. */
  connectMs?: number;
  statementFaults?: StatementFaults | undefined;
}

const int8 = 20;
const json = 114;

/** Integers as numbers (times and versions are far below 2^53), documents as their text. */
const typeParsers: NonNullable<ClientConfig["types"]> = {
  getTypeParser: (id: number, format?: "text" | "binary") => {
    if (id === int8) return Number;
    if (id === json) return (text: string) => text;
    return types.getTypeParser(id, format) as (text: string) => unknown;
  },
};

/**
 * One connection to the server. A statement that is not answered by its deadline closes it: what the
 * statement did is not known then. A closed connection stays closed; its owner makes another.
 */
export class Connection {
  readonly #client: Client;
  readonly #options: ConnectionOptions;
  #isClosed = false;
  /** The server's process for this connection. */
  processId = 0;

  constructor(options: ConnectionOptions, settings: Readonly<Record<string, string>> = {}) {
    this.#options = options;
    this.#client = new Client({
      connectionString: options.url,
      application_name: "linewright",
      keepAlive: true,
      types: typeParsers,
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(" "),
    });
    // Told to whoever waits for an answer as well; between statements the next one finds it closed.
    this.#client.on("error", () => this.close());
    this.#client.on("end", () => {
      this.#isClosed = true;
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Connects; StoreUnavailableError when the server does not answer in time. */
  async open(): Promise<this> {
    const { deadlineMs, connectMs = deadlineMs } = this.#options;
    await this.#inTime(
      this.#client.connect().then(() => undefined),
      connectMs,
    );
    this.processId = (this.#client as Client & { processID?: number }).processID ?? 0;
    return this;
  }

  /** Executes a statement; rejects with the server's error, or StoreUnavailableError when there was no answer. */
  async query<Row extends object>(statement: string | Statement, values?: unknown[], extraMs = 0): Promise<Row[]> {
    const config = typeof statement === "string" ? { text: statement, values: values ?? [] } : statement;
    const { statementFaults, deadlineMs } = this.#options;
    if (statementFaults) await statementFaults({ phase: "before", text: config.text });
    if (this.#isClosed) throw new StoreUnavailableError("The connection to the database was lost");
    const { rows } = await this.#inTime(this.#client.query<Row>(config), deadlineMs + extraMs);
    if (statementFaults) await statementFaults({ phase: "after", text: config.text });
    return rows;
  }

  /** Executes statements without values, e.g. of a migration, on the client itself. */
  get client(): Client {
    return this.#client;
  }

  /** Calls `listener` with the payload of every notice of a channel that is listened to. */
  onNotice(listener: (payload: string) => void): void {
    this.#client.on("notification", ({ payload }) => listener(payload ?? ""));
  }

  /** Calls `listener` once the connection has ended. */
  onEnd(listener: () => void): void {
    this.#client.once("end", listener);
  }

  /** Ends the connection politely, or at once when the server does not answer. */
  async end(): Promise<void> {
    if (this.#isClosed) return;
    await this.#inTime(this.#client.end()).catch(() => undefined);
    this.close();
  }

  /** Drops the connection without waiting for anything. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { stream } = (this.#client as Client & { connection: { stream: { destroy(): void } } }).connection;
    stream.destroy();
  }

  #inTime<Result>(answer: Promise<Result>, deadlineMs = this.#options.deadlineMs): Promise<Result> {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const giveUp = (): void => {
        if (isAnswered) return;
        this.close();
        reject(new NoAnswerError());
      };
      // Where this process did something else for long the answer is there, unread: it is read before the next turn.
      const cancelDeadline = this.#options.clock.after(deadlineMs, () => setImmediate(giveUp));
      const end = (): void => {
        isAnswered = true;
        cancelDeadline();
      };
      answer.then(
        (result) => {
          end();
          resolve(result);
        },
        (error: unknown) => {
          end();
          reject(error instanceof Error ? error : new Error(messageOf(error)));
        },
      );
    });
  }
}
