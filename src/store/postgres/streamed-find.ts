import { Worker } from "node:worker_threads";
import { builtUrl } from "../../core/built-url.ts";
import type { Clock } from "../../core/clock.ts";
import { DeadlineThread } from "../deadline-thread.ts";
import type { Condition } from "../query/condition.ts";
import type { ParsedFindOptions } from "../query/find-options.ts";
import { parseFindOptions } from "../query/find-options.ts";
import { findStatement, type QueriedCollection } from "./find-statement.ts";
import type { MatchAnswer, MatchQuestion } from "./match-worker.ts";
import { tooSlow } from "./postgres-errors.ts";
import type { ReaderPool } from "./reader-pool.ts";
import { weaken } from "./weaken-condition.ts";

const batchSize = 500;

interface Selection {
  collection: QueriedCollection;
  condition: Condition;
  options: ParsedFindOptions;
}

/**
 * Finds by regular expressions, which PostgreSQL reads otherwise than JavaScript: the server gives all
 * documents that satisfy the rest of the query, in order and in batches, and a thread here judges them.
 * A query that is not done by its deadline is a PlatformError UNPROCESSABLE. One at a time.
 */
export class StreamedFind {
  readonly #pool: ReaderPool;
  readonly #clock: Clock;
  readonly #deadlineMs: number;
  readonly #thread: DeadlineThread<MatchQuestion, MatchAnswer>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pool: ReaderPool, clock: Clock, deadlineMs: number) {
    this.#pool = pool;
    this.#clock = clock;
    this.#deadlineMs = deadlineMs;
    this.#thread = new DeadlineThread({
      clock,
      purpose: "matching",
      start: () => new Worker(builtUrl(import.meta.url, "./match-worker.js")),
    });
  }

  /** Documents as text. */
  find(collection: QueriedCollection, condition: Condition, options: ParsedFindOptions): Promise<string[]> {
    const { skip, limit } = options;
    const most = limit === undefined ? Number.POSITIVE_INFINITY : skip + limit;
    return this.#inTurn(async () => {
      const found: string[] = [];
      await this.#stream({ collection, condition, options }, (texts) => {
        found.push(...texts);
        return found.length < most;
      });
      return found.slice(skip, most);
    });
  }

  count(collection: QueriedCollection, condition: Condition): Promise<number> {
    return this.#inTurn(async () => {
      let total = 0;
      await this.#stream({ collection, condition, options: parseFindOptions() }, (texts) => {
        total += texts.length;
        return true;
      });
      return total;
    });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Hands over what matches, batch by batch, until there is no more or `take` says it is enough. */
  async #stream(selection: Selection, take: (texts: string[]) => boolean): Promise<void> {
    const { collection, condition, options } = selection;
    const until = this.#clock.now() + this.#deadlineMs;
    const { text, values } = findStatement(collection, weaken(condition), { ...options, skip: 0, limit: undefined });
    await this.#pool.use(async (connection) => {
      await connection.query("BEGIN READ ONLY");
      try {
        await connection.query(`DECLARE found NO SCROLL CURSOR FOR ${text}`, values);
        for (let isMore = true; isMore;) {
          const rows = await connection.query<{ doc: string }>(`FETCH ${batchSize} FROM found`);
          const texts = rows.map(({ doc }) => doc);
          const remainingMs = until - this.#clock.now();
          if (remainingMs <= 0) throw tooSlow();
          const positions =
            texts.length === 0 ? [] : await this.#thread.ask({ condition, texts }, remainingMs, tooSlow);
          isMore = take(positions.map((position) => texts[position] ?? "")) && texts.length === batchSize;
        }
      } finally {
        if (!connection.isClosed) await connection.query("ROLLBACK");
      }
    });
  }
}
