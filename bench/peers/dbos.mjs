import { DBOS } from "@dbos-inc/dbos-sdk";
import { createStepRunner } from "./run-step.mjs";
import { serve } from "./serve.mjs";
import { steps } from "./steps.mjs";

// A durable workflow with ten durable steps, as in DBOS's tutorial: the result of each is recorded before the next.
const runStep = createStepRunner();

async function tenSteps(first) {
  let state = first;
  for (const index of steps.keys()) state = await DBOS.runStep(() => runStep(index, state), { name: `step${index}` });
  return state;
}

const workflow = DBOS.registerWorkflow(tenSteps, { name: "tenSteps" });
DBOS.setConfig({ name: "bench", systemDatabaseUrl: process.env.PEER_DATABASE_URL, logLevel: "error" });
await DBOS.launch();
await serve((state) => workflow(state));
