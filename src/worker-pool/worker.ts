import { performance } from "node:perf_hooks";
import { isLongerThan, largestResult, tooLargeResult } from "../core/result-size.ts";
import { TaskError } from "../core/task.ts";
import { asJson } from "../workflow-engine/interpreter/json-value.ts";
import { poolWork, type PoolContext, type WorkAnswer, type WorkQuestion } from "./pool-work.ts";
import { startWatch } from "./start-watch.ts";
import { cutValue } from "./value-pieces.ts";

// This file is the body of a worker process: one question, one answer.
process.on("message", (question: WorkQuestion) => {
  const begunAt = performance.now();
  const context: PoolContext = { random: Math.random, elapsedMs: () => performance.now() - begunAt };
  answer(question, context).then(post, (thrown: unknown) => post(problemOf(thrown)));
});
// What ends the node is often sent to all of its processes. The node decides then how long its work may go on.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
startWatch(Number(process.argv[2]), () => process.send?.("ready"));

async function answer({ name, input }: WorkQuestion, context: PoolContext): Promise<WorkAnswer> {
  const work = (await poolWork[name]()) as (input: unknown, context: PoolContext) => unknown;
  const output = await work(input, context);
  // Refuses what is nested so deep that the other side could not read it.
  asJson(output);
  if (isLongerThan(output, largestResult)) throw new TaskError(tooLargeResult.message);
  const pieces = cutValue(output);
  return pieces ? { pieces } : { output };
}

function post(answer: WorkAnswer): void {
  try {
    process.send?.(answer);
  } catch (thrown) {
    process.send?.(problemOf(thrown));
  }
}

function problemOf(thrown: unknown): WorkAnswer {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return thrown instanceof TaskError ? { refusal: message } : { failure: message };
}
