import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SequenceConflictError, type Store } from "../../../src/store/store.ts";
import { compileWorkflow } from "../../../src/workflow-engine/interpreter/compiled-workflow.ts";
import type { JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { createJobTextWriter } from "../../../src/workflow-engine/jobs/job-text.ts";
import type { WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { storeWorkflows } from "../../support/engine-bench.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { createRunnerNode, type RunnerNode } from "./runner-bench.ts";

const open = (summary: string): WorkflowDocument =>
  workflowOf("open", { a1: { type: "manual", summary } }, ["start > a1", "a1 > end"]);
const compiled = (summary: string) => compileWorkflow({ workflow: open(summary), transformations: {} });

describe("the answer of a start", () => {
  let store: Store;
  let node: RunnerNode;
  let ready: JobState[];
  const start = (jobId: string, variables = {}) =>
    node.start("open", jobId, variables, { meanwhile: (state) => void ready.push(state) });
  beforeEach(async () => {
    store = await createCurrentStore();
    await storeWorkflows(store, [open("a task")]);
    node = createRunnerNode(store, createManualClock());
    ready = [];
  });
  afterEach(() => store.close());

  it("is made ready before the job is there for others, unless the job is large", async () => {
    await start("1".repeat(24));
    expect(ready.map(({ origin }) => origin._id)).toEqual(["1".repeat(24)]);
    await start("2".repeat(24), { large: "x".repeat(40_000) });
    expect(ready).toHaveLength(1);
  });

  it("is not given where the job cannot be stored", async () => {
    const jobId = "1".repeat(24);
    await start(jobId);
    await expect(start(jobId)).rejects.toThrow(SequenceConflictError);
  });

  it("is kept for the one who asks for it, unless the workflow is large", async () => {
    await start("1".repeat(24));
    const [state] = ready as [JobState];
    const texts = createJobTextWriter();
    const [here, other, large] = [compiled("here"), compiled("other"), compiled("x".repeat(40_000))];
    const [asHere, asOther] = [texts.write(state, here), texts.write(state, other)];
    expect(asHere).not.toBe(asOther);
    texts.writeAhead(state, here);
    // What was written ahead is told by the workflow that it was written for.
    expect(texts.write(state, other)).toBe(asHere);
    expect(texts.write(state, other)).toBe(asOther);
    texts.writeAhead(state, large);
    expect(texts.write(state, other)).toBe(asOther);
  });
});
