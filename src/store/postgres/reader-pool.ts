import { StoreUnavailableError } from "../store.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { asStoreError, isVerdict, NoAnswerError } from "./postgres-errors.ts";

/** Work with one connection that nobody else uses meanwhile. */
type Use<Result> = (connection: Connection) => Promise<Result>;

/** A reader that waits for a place. */
interface Waiting {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * A few connections for reading, opened when first needed; one that fails is dropped and the next reader opens
 * another. When the server does not answer, those who wait for a place are told so as well: they shall not wait as
 * long once more.
 */
export class ReaderPool {
  readonly #options: ConnectionOptions;
  readonly #size: number;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #idle: Connection[] = [];
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  #isClosed = false;

  constructor(options: ConnectionOptions, size: number) {
    this.#options = options;
    this.#size = size;
    // The server gives up a little earlier than the reader: its verdict is a precise one.
    // Compiling a query of many conditions to machine code can take minutes, and no timeout ends that.
    // The default cost of a random page is that of a spinning disk: the server would rather read a table along its
    // primary key than by the index that was made for the list.
    this.#settings = {
      statement_timeout: String(Math.floor(options.deadlineMs * 0.9)),
      jit: "off",
      random_page_cost: "1.1",
    };
  }

  /** Rows of one statement. Errors are those of the store. With a name the server parses and plans it once for each connection. */
  all<Row extends object>(text: string, values: unknown[] = [], name?: string): Promise<Row[]> {
    const statement = name === undefined ? text : { name, text, values };
    return this.use((connection) => connection.query<Row>(statement, values));
  }

  /** Several statements on one connection. */
  async use<Result>(work: Use<Result>): Promise<Result> {
    const connection = await this.#take();
    try {
      return await work(connection);
    } catch (error) {
      if (!isVerdict(error)) connection.close();
      this.#tellWaiting(error);
      throw asStoreError(error);
    } finally {
      this.#giveBack(connection);
    }
  }

  /** Ends all connections; those in use when their work is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()));
  }

  async #take(): Promise<Connection> {
    if (this.#isClosed) throw closedError();
    if (this.#taken >= this.#size) await this.#turn();
    else this.#taken += 1;
    try {
      let connection = this.#idle.pop();
      while (connection?.isClosed) connection = this.#idle.pop();
      connection ??= await new Connection(this.#options, this.#settings).open();
      return connection;
    } catch (error) {
      this.#tellWaiting(error);
      this.#next();
      throw asStoreError(error);
    }
  }

  #tellWaiting(error: unknown): void {
    if (error instanceof NoAnswerError) for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** Waits for a place; the one who leaves hands it over. */
  async #turn(): Promise<void> {
    await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    if (this.#isClosed) throw closedError();
  }

  #giveBack(connection: Connection): void {
    if (this.#isClosed) void connection.end();
    else if (!connection.isClosed) this.#idle.push(connection);
    this.#next();
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next) next.resolve();
    else this.#taken -= 1;
  }
}

function closedError(): StoreUnavailableError {
  return new StoreUnavailableError("The store is closed");
}
