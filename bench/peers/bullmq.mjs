import { Queue, QueueEvents, Worker } from "bullmq";
import { createStepRunner } from "./run-step.mjs";
import { serve } from "./serve.mjs";
import { steps } from "./steps.mjs";

// The "process step jobs" pattern of BullMQ's documentation: one job that records its state after each step.
const runStep = createStepRunner();
const connection = { url: process.env.PEER_REDIS_URL, maxRetriesPerRequest: null };

async function runJob(job) {
  let { step, state } = job.data;
  while (step < steps.length) {
    state = await runStep(step, state);
    step += 1;
    await job.updateData({ step, state });
  }
  return state;
}

const queue = new Queue("chain", { connection });
const events = new QueueEvents("chain", { connection });
const worker = new Worker("chain", runJob, { connection, concurrency: 64 });
// One listener for each caller that waits.
queue.setMaxListeners(0);
events.setMaxListeners(0);
await Promise.all([queue.waitUntilReady(), events.waitUntilReady(), worker.waitUntilReady()]);
await serve(async (state) => {
  const job = await queue.add("chain", { step: 0, state }, { removeOnComplete: 1000 });
  return job.waitUntilFinished(events);
});
