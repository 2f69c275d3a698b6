import { parentPort } from "node:worker_threads";
import type { RegexAnswer, RegexQuestion } from "./regex-runner.ts";

// This file is the body of a worker thread: it alone runs patterns of users, and is ended when one takes too long.
parentPort?.on("message", ({ pattern, flags, text }: RegexQuestion) => {
  parentPort?.postMessage(answer(pattern, flags, text));
});
parentPort?.postMessage("ready");

function answer(pattern: string, flags: string, text: string): RegexAnswer {
  try {
    const match = new RegExp(pattern, flags).exec(text);
    return {
      match: match
        ? { text: match[0], index: match.index, captures: match.slice(1).map((part) => part ?? null) }
        : null,
    };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "the pattern cannot be used" };
  }
}
