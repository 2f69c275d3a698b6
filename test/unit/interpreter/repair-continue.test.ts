import { describe, expect, it } from "vitest";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const by = tester;
const call = { app: "Outside", location: "Adapter" };
/** Two branches of calls that join. */
const branches = workflowOf("branches", { a: call, b: { ...call }, c: { ...call }, j: { ...call } }, [
  "start > a",
  "a > b",
  "start > c",
  "b > j",
  "c > j",
  "j > end",
]);

describe("continue", () => {
  const line = workflowOf("line", { a: call, b: { ...call }, c: { ...call } }, [
    "start > a",
    "a > b",
    "b > c",
    "c > end",
  ]);

  it("runs what follows again, not the task itself", () => {
    const job = new SimulatedJob(line).answer("a").answer("b").answer("c", "error");
    job.send({ event: "continue", fromTask: "a", by });
    expect([job.state.status, job.runs("a"), job.status("b"), job.status("c")]).toEqual([
      "running",
      1,
      "running",
      "incomplete",
    ]);
    job.answer("b").answer("c");
    expect(job.state.status).toBe("complete");
  });

  it("goes on by itself after the task that finished last and has a way on", () => {
    const job = new SimulatedJob(line).answer("a").answer("b").answer("c", "error").send({ event: "continue", by });
    expect([job.runs("a"), job.runs("b"), job.runs("c")]).toEqual([1, 1, 2]);
  });

  it("gets a stuck job going", () => {
    const check = { incoming: { type: "$var.job.how" } };
    const job = new SimulatedJob(
      workflowOf("switch", { q: call, e: check, x: {} }, ["start > q", "q > e", "e > x", "x > end"]),
      { variables: { how: "failure" } },
    ).answer("q");
    expect(job.state.errors.map(({ task }) => task)).toEqual(["job"]);
    job.send({ event: "continue", by });
    expect([job.runs("q"), job.runs("e"), job.state.status]).toEqual([1, 2, "error"]);
  });

  it("waits at joins for what is not done yet, and counts what is", () => {
    const job = new SimulatedJob(
      workflowOf("join", { a: call, b: { ...call }, c: { ...call }, j: { ...call }, k: { ...call } }, [
        "start > a",
        "a > b",
        "b > j",
        "start > c",
        "c > j",
        "j > k",
        "k > end",
      ]),
    );
    job.answer("c").answer("a").answer("b").answer("j");
    job.send({ event: "continue", fromTask: "a", by });
    expect([job.status("b"), job.status("j"), job.status("k")]).toEqual(["running", "incomplete", "incomplete"]);
    job.answer("b");
    expect([job.status("j"), job.runs("c")]).toEqual(["running", 1]);
    job.answer("j").answer("k");
    expect(job.state.status).toBe("complete");
  });

  it("drops what still runs further on, and makes a task that others lead to as well wait for them", () => {
    const job = new SimulatedJob(
      workflowOf("shortcut", { a: call, b: { ...call }, j: { ...call } }, [
        "start > a",
        "a > b",
        "a > j",
        "b > j",
        "j > end",
      ]),
    );
    job.answer("a").answer("b").answer("j", "error");
    job.send({ event: "continue", fromTask: "a", by });
    expect([job.status("b"), job.status("j")]).toEqual(["running", "incomplete"]);
    const further = new SimulatedJob(line).answer("a").answer("b");
    const open = further.iteration("c");
    further.send({ event: "continue", fromTask: "a", by });
    expect(further.take("forget")).toEqual([{ effect: "forget", iteration: open }]);
  });

  it("takes a revert transition again", () => {
    const job = new SimulatedJob(
      workflowOf("back", { a: call, x: { ...call }, y: { ...call }, b: { ...call } }, [
        "start > a",
        "a > x",
        "x > y",
        "start > b",
        "b >failure~ x",
        "y > end",
        "b > end",
      ]),
    );
    job.answer("a").answer("x").answer("b", "failure").answer("x");
    expect([job.runs("x"), job.status("y")]).toEqual([2, "running"]);
    job.send({ event: "continue", fromTask: "b", by });
    expect([job.runs("x"), job.status("y"), job.status("b")]).toEqual([3, "incomplete", "complete"]);
  });

  it.each([
    ["b", "Task b is running: a job goes on from a task that has finished"],
    ["c", "Task c is incomplete"],
    ["a", "b is under way already. To repeat it, revert to it"],
  ])("from %s is refused: %s", (fromTask, message) => {
    const job = new SimulatedJob(line).answer("a");
    expect(() => job.send({ event: "continue", fromTask, by })).toThrow(message);
  });

  it("says why it cannot go on", () => {
    const failed = new SimulatedJob(line).answer("a", "error");
    expect(() => failed.send({ event: "continue", fromTask: "a", by })).toThrow(
      "Task a ended in error and has no transition for it",
    );
    const waiting = new SimulatedJob(branches).answer("c");
    expect(() => waiting.send({ event: "continue", fromTask: "c", by })).toThrow("j waits for other tasks as well");
    expect(() => waiting.send({ event: "continue", by })).toThrow("There is no finished task to go on from");
  });
});

describe("retry", () => {
  const outside = { ...call, incoming: { host: "$var.job.host", port: 22 } };
  const sides = workflowOf("sides", { a: outside, b: { ...outside } }, [
    "start > a",
    "start > b",
    "a > end",
    "b > end",
  ]);
  const incoming = (job: SimulatedJob, task: string) => job.state.tasks.get(task)?.incoming;
  const failed = () => new SimulatedJob(sides, { variables: { host: "r1" } }).answer("a", "error", {}, "down");

  it("runs the task again with values put over its own", () => {
    const job = failed().send({ event: "retry", task: "a", variables: { port: 830 }, by });
    expect([job.state.status, job.runs("a"), job.runs("b")]).toEqual(["running", 2, 1]);
    expect(incoming(job, "a")).toEqual({ host: "r1", port: 830 });
    expect(job.state.errors).toEqual([]);
  });

  it("keeps the values for a resume, and takes the workflow's own again on the next retry", () => {
    const job = failed()
      .send({ event: "retry", task: "a", variables: { port: 830 }, by })
      .answer("a", "error");
    job.send({ event: "resume", by });
    expect(incoming(job, "a")).toEqual({ host: "r1", port: 830 });
    job.answer("a", "error").send({ event: "retry", task: "a", by });
    expect(incoming(job, "a")).toEqual({ host: "r1", port: 22 });
    job.answer("a", "error").send({ event: "retry", task: "a", variables: { port: 1 }, by });
    job.send({ event: "revert", to: "a", by });
    expect(incoming(job, "a")).toEqual({ host: "r1", port: 22 });
  });

  it("waits while another task is in error", () => {
    const job = failed()
      .answer("b", "error")
      .send({ event: "retry", task: "a", variables: { port: 1 }, by });
    expect([job.state.status, job.status("a"), job.runs("a")]).toEqual(["error", "incomplete", 1]);
    expect(job.state.errors.map(({ task }) => task)).toEqual(["b"]);
    job.send({ event: "retry", task: "b", variables: { port: 2 }, by });
    expect([job.state.status, incoming(job, "a")?.["port"], incoming(job, "b")?.["port"]]).toEqual(["running", 1, 2]);
  });

  it("refuses unknown values and tasks that are not in error", () => {
    expect(() => failed().send({ event: "retry", task: "a", variables: { hots: 1 }, by })).toThrow(
      "Task a has no incoming variable hots. It has host, port",
    );
    expect(() => failed().send({ event: "retry", task: "b", by })).toThrow(
      "Task b is running: only a task in error is retried",
    );
  });

  it("leaves errors that others hold on record, and they hold the job again", () => {
    const job = failed().answer("b", "error", {}, "also down").send({ event: "fix", from: "a", to: "a", by });
    expect([job.state.status, job.state.errors.map(({ task }) => task)]).toEqual(["running", ["b"]]);
    job.answer("a");
    expect([job.state.status, job.state.errors.map(({ task }) => task)]).toEqual(["error", ["b"]]);
    job.send({ event: "resume", by }).answer("b");
    expect([job.state.status, job.state.errors]).toEqual(["complete", []]);
  });

  it("forgets an error that was left when its task is reset or resumed", () => {
    const held = () => failed().answer("b", "error").send({ event: "fix", from: "a", to: "a", by });
    expect(held().send({ event: "revert", to: "b", by }).state.errors).toEqual([]);
    expect(held().send({ event: "pause", by }).send({ event: "resume", by }).state.errors).toEqual([]);
  });
});
