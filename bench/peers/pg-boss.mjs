import { randomUUID } from "node:crypto";
import PgBoss from "pg-boss";
import { createStepRunner } from "./run-step.mjs";
import { serve, Waiters } from "./serve.mjs";
import { steps } from "./steps.mjs";

// One queue job per step; each sends the next. Half a second is the shortest polling interval pg-boss allows.
const runStep = createStepRunner();
const waiters = new Waiters();
const boss = new PgBoss({ connectionString: process.env.PEER_DATABASE_URL, max: 20 });

async function runJob({ data: { id, step, state } }) {
  const next = await runStep(step, state);
  if (step + 1 < steps.length) await boss.send("step", { id, step: step + 1, state: next });
  else waiters.settle(id, next);
}

boss.on("error", (error) => process.stderr.write(`${error}\n`));
await boss.start();
await boss.createQueue("step");
await boss.work("step", { batchSize: 64, pollingIntervalSeconds: 0.5 }, (jobs) => Promise.all(jobs.map(runJob)));
await serve(async (state) => {
  const id = randomUUID();
  const finished = waiters.wait(id);
  await boss.send("step", { id, step: 0, state });
  return finished;
});
