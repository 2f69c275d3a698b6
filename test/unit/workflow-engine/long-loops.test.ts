import { describe, expect, it } from "vitest";
import { documentOfState, stateOfDocument, type StateDocument } from "../../../src/workflow-engine/jobs/log-format.ts";
import { projectionWrites, taskRow } from "../../../src/workflow-engine/jobs/projections.ts";
import { taskDocument } from "../../../src/workflow-engine/jobs/task-document.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };
const elements = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

function childLoop(count: number): SimulatedJob {
  const incoming = { workflow: "w", variables: {}, loopType: "parallel", data_array: elements(count) };
  return new SimulatedJob(workflowOf("loop", { c: { name: "childJob", incoming } }, ["start > c", "c > end"]));
}

const ended = (job: SimulatedJob, index: number) => {
  const end = { status: "complete", variables: { childJobLoopIndex: index } } as const;
  return job.send({ event: "childEnded", task: "c", iteration: job.iteration("c"), index, end });
};

interface Shown {
  iterations: string[];
  childJobs?: object[];
}

describe("a loop of many child jobs", () => {
  it("writes no row when a child ends: of children a row has identifiers alone", () => {
    const job = childLoop(3);
    const before = job.state;
    const after = ended(job, 1).state;
    expect(projectionWrites(before, after, job.context.workflow)).toEqual([]);
    const last = ended(ended(job, 0), 2).state;
    expect(projectionWrites(after, last, job.context.workflow).map(({ kind }) => kind)).toContain("remove");
  });

  it("shows the first 100 children in rows, and all in the task itself", () => {
    const { state, context } = childLoop(1_200);
    const row = taskRow(state, context.workflow, "c") as Shown;
    const { childJobs } = taskDocument(state, context.workflow, "c") as Shown;
    expect([row.childJobs?.length, childJobs?.length]).toEqual([100, 1_200]);
    expect(row.childJobs).toEqual(childJobs?.slice(0, 100));
  });

  it("hears nothing of a child that it does not have", () => {
    const job = childLoop(3);
    const before = job.state;
    ended(job, 3);
    expect(job.state.tasks.get("c")).toBe(before.tasks.get("c"));
  });

  it("is the same after a snapshot, with its children counted anew", () => {
    const job = ended(ended(childLoop(600), 7), 300);
    const written = JSON.parse(JSON.stringify(documentOfState(job.state))) as StateDocument;
    const read = stateOfDocument(written);
    const [before, after] = [job.state, read].map(({ tasks }) => tasks.get("c"));
    expect(after?.childCounts).toEqual({ running: 598, error: 0, complete: 2, canceled: 0, failed: 0 });
    expect(after?.childCounts).toEqual(before?.childCounts);
    expect([...(after?.children ?? [])]).toEqual([...(before?.children ?? [])]);
    expect(JSON.stringify(written)).not.toContain("childCounts");
  });
});

describe("a loop of many iterations", () => {
  it("shows the newest 100 in rows, and all in the task itself", () => {
    const forEach = { name: "forEach", type: "operation", incoming: { data_array: elements(130) } };
    const workflow = workflowOf("each", { a: forEach, b: call }, ["start > a", "a >loop> b", "a > end"]);
    const job = new SimulatedJob(workflow);
    for (let n = 0; n < 120; n++) job.answer("b");
    const row = taskRow(job.state, job.context.workflow, "b") as Shown;
    const { iterations } = taskDocument(job.state, job.context.workflow, "b") as Shown;
    expect([row.iterations.length, iterations.length]).toEqual([100, 121]);
    expect(row.iterations).toEqual(iterations.slice(-100));
  });
});
