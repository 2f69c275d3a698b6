import { parentPort } from "node:worker_threads";
import type { Condition } from "../query/condition.ts";
import { matches } from "../query/matches.ts";

/** Documents as text, to be judged by a condition. */
export interface MatchQuestion {
  condition: Condition;
  texts: readonly string[];
}

/** Positions of the documents that satisfy it. */
export type MatchAnswer = readonly number[];

// Entry of the thread that judges documents where a user's regular expression may make that endless.
parentPort?.on("message", ({ condition, texts }: MatchQuestion) => {
  const answer: MatchAnswer = texts.flatMap((text, position) =>
    matches(condition, JSON.parse(text)) ? [position] : [],
  );
  parentPort?.postMessage(answer);
});
