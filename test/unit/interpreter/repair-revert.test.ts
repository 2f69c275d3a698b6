import { describe, expect, it } from "vitest";
import type { JobEvent } from "../../../src/workflow-engine/interpreter/events.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const by = tester;
const call = { app: "Outside", location: "Adapter" };
const forEach = { name: "forEach", type: "operation", incoming: { data_array: [1, 2, 3] } };
const child = { name: "childJob", type: "operation", incoming: { workflow: "w", variables: {} } };
const stale = (job: SimulatedJob, task: string): JobEvent => ({
  event: "taskResult",
  task,
  iteration: job.iteration(task),
  result: { finishState: "success", outgoing: {} },
});

/** Two branches of calls that join. */
const branches = workflowOf("branches", { a: call, b: { ...call }, c: { ...call }, j: { ...call } }, [
  "start > a",
  "a > b",
  "start > c",
  "b > j",
  "c > j",
  "j > end",
]);

describe("revert by a person", () => {
  it("resets the target and what lies forward of it, and keeps what lies beside", () => {
    const job = new SimulatedJob(branches).answer("a").answer("c").answer("b");
    const late = stale(job, "j");
    job.send({ event: "revert", from: "j", to: "a", by });
    expect([job.status("a"), job.status("b"), job.status("c"), job.status("j")]).toEqual([
      "running",
      "incomplete",
      "complete",
      "incomplete",
    ]);
    expect(job.take("forget")).toEqual([{ effect: "forget", iteration: 4 }]);
    job.send(late).answer("a").answer("b").answer("j");
    expect(job.state.status).toBe("complete");
    expect([job.runs("a"), job.runs("c"), job.runs("j")]).toEqual([2, 1, 2]);
  });

  it("may repeat the task that runs, and go back to the start", () => {
    const job = new SimulatedJob(branches);
    job.send({ event: "revert", from: "a", to: "a", by });
    expect([job.runs("a"), job.runs("c")]).toEqual([2, 1]);
    job.send({ event: "revert", to: "workflow_start", by });
    expect([job.runs("a"), job.runs("c")]).toEqual([3, 2]);
  });

  it("keeps a paused job paused until it is resumed", () => {
    const job = new SimulatedJob(branches).answer("a").send({ event: "pause", by });
    job.send({ event: "revert", from: "b", to: "a", by });
    expect([job.state.status, job.status("a"), job.runs("a")]).toEqual(["paused", "incomplete", 1]);
    job.send({ event: "resume", by });
    expect(job.runs("a")).toBe(2);
  });

  it.each([
    ["b", "c", "Task c does not lie upstream of b. These do: workflow_start, a, b"],
    ["a", "b", "Task b does not lie upstream of a"],
    [undefined, "b", "Task b has not run"],
    [undefined, "workflow_end", "Task workflow_end has not run"],
  ])("from %s to %s is refused: %s", (from, to, message) => {
    const job = new SimulatedJob(branches);
    expect(() => job.send({ event: "revert", ...(from ? { from } : {}), to, by })).toThrow(message);
  });

  it("is refused for a task on a branch that was not taken", () => {
    const job = new SimulatedJob(
      workflowOf("dead", { e: {}, x: {}, m: call }, ["start > e", "e >failure> x", "e > m", "x > end", "m > end"]),
    );
    expect(job.status("x")).toBe("dead");
    expect(() => job.send({ event: "revert", to: "x", by })).toThrow("Task x has not run");
  });

  it("cancels the children of what it resets", () => {
    const job = new SimulatedJob(workflowOf("parent", { a: {}, c: child }, ["start > a", "a > c", "c > end"]));
    const [started] = job.take("startChild");
    job.send({ event: "revert", from: "c", to: "a", by });
    expect(job.take("cancelChild")).toEqual([
      { effect: "cancelChild", jobId: "child of 0123456789abcdef01234567.2.0" },
    ]);
    job.send({
      event: "childEnded",
      task: "c",
      iteration: started?.iteration ?? 0,
      index: 0,
      end: { status: "canceled" },
    });
    expect([job.status("c"), job.runs("c")]).toEqual(["running", 2]);
  });
});

describe("revert within a loop", () => {
  const looping = workflowOf("loop", { f: forEach, a: call, b: { ...call }, z: { ...call } }, [
    "start > f",
    "f >loop> a",
    "a > b",
    "f > z",
    "z > end",
  ]);

  it("repeats the current element only", () => {
    const job = new SimulatedJob(looping).answer("a").answer("b").answer("a");
    job.send({ event: "revert", from: "b", to: "a", by });
    expect(job.state.tasks.get("f")?.cursor).toBe(1);
    job.answer("a").answer("b").answer("a").answer("b").answer("z");
    expect(job.state.status).toBe("complete");
    expect(job.runs("a")).toBe(4);
  });

  it("is refused once the loop is over; the loop itself can be repeated", () => {
    const job = new SimulatedJob(looping);
    for (const _ of [1, 2, 3]) job.answer("a").answer("b");
    expect(() => job.send({ event: "revert", to: "a", by })).toThrow("belongs to the loop f, which is not running");
    expect(() => job.send({ event: "continue", fromTask: "a", by })).toThrow("belongs to the loop f");
    job.send({ event: "revert", from: "z", to: "f", by });
    expect(job.state.tasks.get("f")?.cursor).toBe(0);
  });

  it("does not pass over an element that is held in error", () => {
    const job = new SimulatedJob(
      workflowOf("held", { f: forEach, a: call, x: { ...call } }, [
        "start > f",
        "f >loop> a",
        "start > x",
        "f > end",
        "x > end",
      ]),
    );
    job.answer("a", "error", {}, "down").answer("x", "error", {}, "down");
    job.send({ event: "fix", from: "x", to: "x", by }).answer("x");
    expect(job.state.status).toBe("error");
    expect(job.state.errors.map(({ task }) => task)).toEqual(["a"]);
    expect(job.state.tasks.get("f")?.cursor).toBe(0);
    job.send({ event: "retry", task: "a", by }).answer("a").answer("a").answer("a");
    expect(job.state.status).toBe("complete");
  });
});

describe("a job in error", () => {
  it("keeps saying why when a transition of its own takes it back past the task in error", () => {
    const job = new SimulatedJob(
      workflowOf("own way", { a: {}, b: call, c: { ...call } }, [
        "start > a",
        "a > b",
        "a > c",
        "b > end",
        "c > end",
        "c >failure~ a",
      ]),
    );
    job.answer("b", "error", {}, "down").answer("c", "failure");
    expect([job.state.status, job.status("b"), job.state.errors.map(({ task }) => task)]).toEqual([
      "error",
      "incomplete",
      ["b"],
    ]);
    job.send({ event: "resume", by }).answer("b").answer("c");
    expect([job.state.status, job.state.errors]).toEqual(["complete", []]);
  });
});

describe("fix", () => {
  const failing = workflowOf("failing", { a: {}, b: call }, ["start > a", "a > b", "b > end"]);

  it("takes a job in error back, tells watchers, and clears the error", () => {
    const job = new SimulatedJob(failing).answer("b", "error", {}, "down");
    job.take("publish");
    job.send({ event: "fix", from: "b", to: "a", by });
    expect(job.take("publish")).toEqual([{ effect: "publish", topic: "jobFix" }]);
    expect([job.state.status, job.state.errors, job.runs("a"), job.runs("b")]).toEqual(["running", [], 2, 2]);
    expect(job.deltas.at(-1)?.cause).toEqual({ event: "fix", by: "tester" });
  });

  it("needs a task that is in error", () => {
    const job = new SimulatedJob(failing).answer("b", "error");
    expect(() => job.send({ event: "fix", from: "a", to: "a", by })).toThrow("Task a is not in error. In error: b");
    expect(() => job.send({ event: "fix", from: "job", to: "a", by })).toThrow("Task job is not in error. In error: b");
  });

  it("takes a stuck job back: it is the job itself that is in error", () => {
    const stuck = workflowOf("stuck", { a: call, b: {} }, ["start > a", "a >failure> b", "b > end"]);
    const job = new SimulatedJob(stuck).answer("a");
    expect(job.state.errors.map(({ task }) => task)).toEqual(["job"]);
    job.send({ event: "fix", from: "job", to: "a", by }).answer("a", "failure");
    expect(job.state.status).toBe("complete");
    const other = new SimulatedJob(stuck).answer("a").send({ event: "fix", from: "a", to: "a", by });
    expect(other.status("a")).toBe("running");
  });
});
