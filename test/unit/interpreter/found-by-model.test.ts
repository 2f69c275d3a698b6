import { describe, expect, it } from "vitest";
import { SimulatedJob, tester as by } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

// Found by `npm run model` (test/model), each made as small as it goes.

const call = { app: "Outside", location: "Adapter" };
const joinOf = (join: number): typeof call => Object.assign({ join }, call);
const cancelling = (...cancelOthers: string[]): typeof call => Object.assign({ cancelOthers }, call);

describe("a forEach (workflow-engine.md §3.3 rules 5 and 7)", () => {
  it("without a body is over once it has gone through its items: no job hangs", () => {
    const workflow = workflowOf("bodiless", { f: { name: "forEach", incoming: { data_array: [1, 2] } } }, [
      "start > f",
      "f > end",
    ]);
    expect(new SimulatedJob(workflow).state.status).toBe("complete");
  });

  it("runs a body task that it and another task lead to again after a revert within the body", () => {
    const workflow = workflowOf(
      "revert in a body",
      { f: { name: "forEach", incoming: { data_array: [1] } }, a: call, b: call },
      ["start > f", "f >loop> a", "f >loop> b", "a > b", "b >failure~ a", "f > end"],
    );
    const job = new SimulatedJob(workflow).answer("a").answer("b", "failure").answer("a");
    expect(job.status("b")).toBe("running");
    expect(job.answer("b").state.status).toBe("complete");
  });
});

describe("continueJob", () => {
  it("starts no join that asks for more transitions than were taken (control-flow-patterns.md 30)", () => {
    const workflow = workflowOf("counted join", { s: call, x: call, t: call, j: joinOf(2) }, [
      "start > s",
      "start > x",
      "s > t",
      "s > j",
      "x > j",
      "t >failure> end",
      "j > end",
    ]);
    const job = new SimulatedJob(workflow).answer("x", "failure").answer("s").answer("t");
    expect(job.state.status).toBe("error");
    job.send({ event: "continue", fromTask: "s", by });
    expect(job.runs("t")).toBe(2);
    expect(job.runs("j")).toBe(0);
  });
});

describe("a job that a repair has left errors of other tasks", () => {
  it("forgets the error of a task that is canceled", () => {
    const workflow = workflowOf("cancels a task in error", { a: cancelling("b"), b: call }, [
      "start > a",
      "start > b",
      "a > end",
      "b > end",
    ]);
    const job = new SimulatedJob(workflow).answer("b", "error", {}, "broken");
    job.send({ event: "revert", to: "a", by });
    job.answer("a");
    expect(job.state.status).toBe("complete");
    expect(job.state.errors).toEqual([]);
  });
});
