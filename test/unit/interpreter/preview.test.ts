import { describe, expect, it } from "vitest";
import type { JobEvent } from "../../../src/workflow-engine/interpreter/events.ts";
import { previewEvent } from "../../../src/workflow-engine/interpreter/preview.ts";
import { findTaskId } from "../../../src/workflow-engine/interpreter/task-names.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const by = tester;
const call = { app: "Outside", location: "Adapter" };
const child = { name: "childJob", type: "operation", incoming: { workflow: "w", variables: {} } };
describe("previews", () => {
  it("say what would be reset, started, kept and canceled, and change nothing", () => {
    const job = new SimulatedJob(
      workflowOf("previewed", { a: {}, b: call, c: child, x: { ...call } }, [
        "start > a",
        "a > b",
        "a > c",
        "start > x",
        "b > end",
        "c > end",
        "x > end",
      ]),
    );
    const { seq } = job.state;
    const of = (event: JobEvent) => previewEvent(job.state, event, { ...job.context, at: job.at });
    expect(of({ event: "revert", from: "b", to: "a", by })).toEqual({
      dryRun: true,
      job: { _id: job.origin._id, status: "running" },
      tasks: { reset: ["a", "b", "c"], run: ["a"], stay: ["workflow_start", "x"], canceled: ["b", "c"] },
      childJobs: { canceled: ["child of 0123456789abcdef01234567.4.0"] },
    });
    expect(of({ event: "pause", by })).toMatchObject({
      job: { status: "paused" },
      tasks: { reset: [], run: [], stay: ["workflow_start", "a", "b", "c", "x"], canceled: [] },
    });
    expect(of({ event: "cancel", by }).tasks.canceled).toEqual(["b", "c", "x"]);
    expect(() => of({ event: "resume", by })).toThrow("Job is running and cannot be resumed");
    expect([job.state.seq, job.status("b"), job.state.status]).toEqual([seq, "running", "running"]);
  });
});

describe("previews of a paused job", () => {
  it("name what timers that came due meanwhile lead to", () => {
    const retrySettings = { state: ["error"], limit: 1, delay: 5_000, autoRetry: true };
    const delay = { name: "delay", type: "operation", incoming: { time: 2 } };
    const workflow = workflowOf("held", { a: { ...call, retrySettings }, b: { ...delay }, c: call }, [
      "start > a",
      "start > b",
      "b > c",
      "a > end",
      "c > end",
    ]);
    const job = new SimulatedJob(workflow).answer("a", "error").send({ event: "pause", by }).ring("a").ring("b");
    const of = (event: JobEvent) => previewEvent(job.state, event, { ...job.context, at: job.at });
    expect(of({ event: "cancel", by }).tasks.canceled).toEqual(["a", "b", "c"]);
    expect(of({ event: "resume", by }).tasks).toEqual({
      reset: ["a"],
      run: ["a", "c"],
      stay: ["workflow_start", "b"],
      canceled: [],
    });
  });
});

describe("previews of jobs that undo what they did", () => {
  const undoing = workflowOf("undoing", { a: { ...call, compensation: "u" }, b: { ...call }, u: { ...call } }, [
    "start > a",
    "a > b",
    "b > end",
  ]);

  it("name what is undone first, and what takes place then", () => {
    const job = new SimulatedJob(undoing).answer("a");
    const of = (event: JobEvent) => previewEvent(job.state, event, { ...job.context, at: job.at });
    expect(of({ event: "revert", to: "a", by })).toMatchObject({
      job: { status: "running" },
      tasks: { reset: ["a", "b"], run: ["u", "a"], stay: ["workflow_start"], canceled: ["b"] },
    });
    const canceled = of({ event: "cancel", by });
    expect([canceled.job.status, canceled.tasks.run, canceled.tasks.canceled]).toEqual(["running", ["u"], ["b"]]);
    const forced = of({ event: "cancel", force: true, by });
    expect([forced.job.status, forced.tasks.run]).toEqual(["canceled", []]);
    job.send({ event: "cancel", by });
    expect(of({ event: "pause", by }).tasks.canceled).toEqual([]);
  });
});

describe("names of tasks", () => {
  const { workflow } = new SimulatedJob(
    workflowOf(
      "names",
      { a1: { ...call, name: "ping", summary: "Ping first" }, b1: { ...call, name: "ping", summary: "Ping again" } },
      ["start > a1", "a1 > b1", "b1 > end"],
    ),
  ).context;
  const find = (named: string) => findTaskId(workflow, { named, place: "/body/x" });

  it("are ids, and names or summaries that only one task has", () => {
    expect([find("a1"), find("Ping again"), find("workflow_start")]).toEqual(["a1", "b1", "workflow_start"]);
  });

  it("are refused when several tasks or none have them, with those that were perhaps meant", () => {
    expect(() => find("ping")).toThrow("Several tasks are named ping: a1 (Ping first), b1 (Ping again)");
    expect(() => find("zz")).toThrow(/^The job has no task zz\. It has workflow_start .*a1 \(Ping first\)/u);
  });
});
