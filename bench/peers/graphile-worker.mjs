import { randomUUID } from "node:crypto";
import { run } from "graphile-worker";
import { createStepRunner } from "./run-step.mjs";
import { serve, Waiters } from "./serve.mjs";
import { steps } from "./steps.mjs";

// One queue job per step; each adds the next. A caller is answered once the last job is recorded as done.
const runStep = createStepRunner();
const waiters = new Waiters();
const lastStates = new Map();

async function runJob({ id, step, state }, { addJob }) {
  const next = await runStep(step, state);
  if (step + 1 < steps.length) await addJob("step", { id, step: step + 1, state: next });
  else lastStates.set(id, next);
}

const runner = await run({
  connectionString: process.env.PEER_DATABASE_URL,
  concurrency: 64,
  maxPoolSize: 20,
  pollInterval: 1000,
  noHandleSignals: true,
  taskList: { step: runJob },
  logger: undefined,
});
runner.events.on("job:complete", ({ job, error }) => {
  const { id } = job.payload;
  if (error) return waiters.fail(id, error);
  if (!lastStates.has(id)) return;
  waiters.settle(id, lastStates.get(id));
  lastStates.delete(id);
});
await serve(async (state) => {
  const id = randomUUID();
  const finished = waiters.wait(id);
  await runner.addJob("step", { id, step: 0, state });
  return finished;
});
