import fc from "fast-check";
import { expect, it } from "vitest";
import type { JobEventRow, Store, Write } from "../../../src/store/store.ts";
import type { JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { jobDocument } from "../../../src/workflow-engine/jobs/job-document.ts";
import { createJobTextWriter } from "../../../src/workflow-engine/jobs/job-text.ts";
import { documentOfState } from "../../../src/workflow-engine/jobs/log-format.ts";
import { restoreMarkers, stateAfter } from "../../../src/workflow-engine/jobs/replay-log.ts";
import { randomWorkflow } from "../../support/random-workflow.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 200);

/** Plays a job with random answers, and keeps the state it was in after every event. */
function play({ workflow, results, order }: typeof randomWorkflow extends fc.Arbitrary<infer S> ? S : never) {
  const job = new SimulatedJob(workflow);
  const states: JobState[] = [];
  const keep = (): void => {
    if (job.deltas.length > states.length) states.push(job.state);
  };
  keep();
  results.forEach((finishState, step) => {
    const open = [...job.state.tasks].filter(([, task]) => task.status === "running" && task.wait);
    const [taskId, task] = open[(order[step] ?? 0) % Math.max(1, open.length)] ?? [];
    if (job.state.status !== "running" || taskId === undefined || task?.wait === undefined) return;
    if (task.wait.for === "person") job.finish(taskId, finishState === "error" ? "failure" : finishState);
    else job.answer(taskId, finishState, { result: [step] }, finishState === "error" ? "err" : undefined);
    keep();
  });
  return { job, states };
}

const asText = (document: object): unknown => JSON.parse(JSON.stringify(document));
const stored = (state: JobState): unknown => asText(documentOfState(state));

it("the replay of any part of any log is the state the job was in", async () => {
  const store: Store = await createTemporaryStore();
  const texts = createJobTextWriter();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(randomWorkflow, async (scenario) => {
      const { job, states } = play(scenario);
      const jobId = `job ${count++}`;
      const workflow = job.context.workflow;
      const rows = job.deltas.map((delta, index): JobEventRow => ({
        seq: index + 1,
        at: states[index]?.changedAt ?? 0,
        delta: JSON.stringify(delta),
      }));
      await store.commit(rows.map((row): Write => ({ kind: "appendEvent", jobId, ...row })));
      const services = { store, findWorkflow: async () => workflow, restore: restoreMarkers };
      for (const [index, live] of states.entries()) {
        const then = await stateAfter(services, jobId, index + 1);
        expect(then && stored(then)).toEqual(stored(live));
        const document = jobDocument(live, workflow);
        expect(then && jobDocument(then, workflow)).toEqual(document);
        expect(JSON.parse(texts.write(live, workflow))).toEqual(asText(document));
        texts.writeAhead(live, workflow);
        expect(JSON.parse(texts.write(live, workflow))).toEqual(asText(document));
      }
    }),
    { numRuns: runs },
  );
  await store.close();
}, 120_000);
