import { Worker } from "node:worker_threads";
import { builtUrl } from "../core/built-url.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import { DeadlineThread } from "./deadline-thread.ts";
import type { MatchAnswer, MatchQuestion } from "./postgres/match-worker.ts";
import { hasRegex, type Condition } from "./query/condition.ts";
import { parseFindOptions } from "./query/find-options.ts";
import { matches } from "./query/matches.ts";
import { compareDocuments } from "./query/order-documents.ts";
import { parseQuery, type Query } from "./query.ts";
import type { FindOptions } from "./store.ts";

/** Finds among documents that are made, not stored, in the query language of the store. */
export interface DocumentFinder {
  /**
   * What `find` and `count` of a store that held just these documents would answer. UNPROCESSABLE when a
   * `$regex` takes longer than the deadline.
   */
  find(
    documents: readonly JsonObject[],
    query: Query,
    options?: FindOptions,
  ): Promise<{ results: JsonObject[]; total: number }>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Creates a finder. Expressions of users run in a thread of its own, one question at a time (decision 17). */
export function createDocumentFinder(clock: Clock, deadlineMs = 2_000): DocumentFinder {
  const thread = new DeadlineThread<MatchQuestion, MatchAnswer>({
    clock,
    purpose: "matching",
    start: () => new Worker(builtUrl(import.meta.url, "./postgres/match-worker.js")),
  });
  let last: Promise<unknown> = Promise.resolve();

  const judge = (condition: Condition, documents: readonly JsonObject[]): Promise<MatchAnswer> => {
    const texts = documents.map((document) => JSON.stringify(document));
    const answer = last.then(() => thread.ask({ condition, texts }, deadlineMs, () => tooSlow(deadlineMs)));
    last = answer.catch(() => undefined);
    return answer;
  };
  const matching = async (condition: Condition, documents: readonly JsonObject[]): Promise<JsonObject[]> => {
    if (!hasRegex(condition)) return documents.filter((document) => matches(condition, document));
    const positions = new Set(await judge(condition, documents));
    return documents.filter((_, position) => positions.has(position));
  };

  return {
    async find(documents, query, options = {}) {
      const { sort, skip, limit, project } = parseFindOptions(options);
      const found = await matching(parseQuery(query), documents);
      found.sort((left, right) => compareDocuments(left, right, sort));
      const page = found.slice(skip, limit === undefined ? undefined : skip + limit);
      return { results: page.map(project), total: found.length };
    },
    close: () => thread.close(),
  };
}

function tooSlow(deadlineMs: number): PlatformError {
  return new PlatformError(
    "UNPROCESSABLE",
    `The query took longer than ${deadlineMs / 1000} s. Simplify its $regex or narrow it by other fields.`,
  );
}
