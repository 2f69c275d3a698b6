import type { Database, Statement } from "better-sqlite3";
import { asStoreError, isUnavailable } from "./sqlite-errors.ts";

/** Statements kept ready at most; queries of users come in endless shapes. */
const mostStatements = 200;

type Parameters = Record<string, string | number>;

/** A connection for reading. After a disk error it is given up and the next read opens a new one. */
export class StoreReader {
  readonly #open: () => Database;
  #database: Database | undefined;
  readonly #statements = new Map<string, Statement<[Parameters], unknown>>();

  constructor(open: () => Database) {
    this.#open = open;
  }

  /** First row of a statement. */
  get<Row>(sql: string, parameters: Parameters = {}): Row | undefined {
    return this.#guarded(() => this.#prepare(sql).get(parameters) as Row | undefined);
  }

  /** All rows of a statement. */
  all<Row>(sql: string, parameters: Parameters = {}): Row[] {
    return this.#guarded(() => this.#prepare(sql).all(parameters) as Row[]);
  }

  close(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  #connection(): Database {
    return (this.#database ??= this.#open());
  }

  #prepare(sql: string): Statement<[Parameters], unknown> {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#connection().prepare<[Parameters], unknown>(sql);
    const [oldest] = this.#statements.keys();
    if (oldest !== undefined && this.#statements.size >= mostStatements) this.#statements.delete(oldest);
    this.#statements.set(sql, statement);
    return statement;
  }

  #guarded<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      if (isUnavailable(error)) this.close();
      throw asStoreError(error);
    }
  }
}
