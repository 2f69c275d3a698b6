import { builtUrl } from "./built-url.ts";
import { createSystemClock, type Clock } from "./clock.ts";
import { DeadlinePool, PoolError, type PoolProblem } from "./deadline-pool.ts";
import { startThread } from "./thread-worker.ts";

/** The first match of a pattern. `captures` are the groups in order; null where a group took no part. */
export interface RegexMatch {
  text: string;
  index: number;
  captures: readonly (string | null)[];
}

export interface RegexQuestion {
  pattern: string;
  flags: string;
  text: string;
}

export type RegexAnswer = { match: RegexMatch | null } | { problem: string };

/** Runs patterns of users away from the event loop and under a deadline (decision 17). */
export interface RegexRunner {
  /** First match or null. Rejects with RegexError when the pattern does not compile or takes longer than the deadline. */
  exec(question: RegexQuestion): Promise<RegexMatch | null>;
  /** Does the pattern match anywhere in the text? Rejects like `exec`. */
  test(question: RegexQuestion): Promise<boolean>;
  /** Ends all workers; what still waits is rejected. */
  close(): Promise<void>;
}

/** A pattern that cannot be used: it does not compile, or was stopped at the deadline. */
export class RegexError extends Error {
  override readonly name = "RegexError";
}

export interface RegexRunnerOptions {
  /** How long one pattern may run on one text. */
  deadlineMs: number;
  /** Most workers at a time. */
  size: number;
  clock?: Clock;
}

/** A pool of worker threads, started when first needed. The deadline counts from when a worker has the question. */
export function createRegexRunner({ deadlineMs, size, clock = createSystemClock() }: RegexRunnerOptions): RegexRunner {
  const pool = new DeadlinePool<RegexQuestion, RegexAnswer>({
    start: (listener) => startThread(builtUrl(import.meta.url, "./regex-worker.js"), {}, listener),
    size,
    deadlineMs,
    clock,
  });
  const exec = async (question: RegexQuestion): Promise<RegexMatch | null> => {
    const answer = await pool.ask(question).catch((error: unknown) => {
      throw error instanceof PoolError ? new RegexError(explain(error.problem, deadlineMs)) : error;
    });
    if ("problem" in answer) throw new RegexError(answer.problem);
    return answer.match;
  };
  return { exec, test: async (question) => (await exec(question)) !== null, close: () => pool.close() };
}

function explain(problem: PoolProblem, deadlineMs: number): string {
  if (problem === "deadline") return `the pattern was stopped after ${deadlineMs} ms`;
  if (problem === "closed") return "the pattern runner was closed";
  if (problem === "unstartable") return "the pattern runner cannot be started";
  return "the pattern ended its worker";
}
