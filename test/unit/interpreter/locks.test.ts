import { describe, expect, it } from "vitest";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };
const locked = (lock: unknown, more: object = {}) => ({ ...call, lock, ...more }) as typeof call;
const one = (lock: unknown, variables: Record<string, unknown> = {}, more: object = {}) =>
  new SimulatedJob(
    workflowOf("one", { a: locked(lock, more), b: call }, ["start > a", "a > b", "a >failure~ a", "b > end"]),
    {
      variables,
    },
  );
const tell = (job: SimulatedJob, event: "lockGranted" | "lockQueued" | "lockPassed") =>
  job.send({ event, task: "a", iteration: job.iteration("a") });

describe("tasks with a lock", () => {
  it.each([
    ["config", "name:config"],
    [{ name: "$var.job.n" }, "name:7"],
    [{ device: "$var.job.d" }, "device:edge-1"],
  ])("%j asks for %s and is scheduled until it has it", (lock, key) => {
    const job = one(lock, { n: 7, d: "edge-1" });
    expect(job.take("acquireLock")).toEqual([{ effect: "acquireLock", task: "a", iteration: 1, key }]);
    expect([job.status("a"), job.take("call"), job.state.status]).toEqual(["scheduled", [], "running"]);
    tell(tell(job, "lockQueued"), "lockGranted");
    expect([job.status("a"), job.iteration("a"), job.runs("a")]).toEqual(["running", 1, 1]);
    job.answer("a");
    expect(job.take("releaseLock")).toEqual([{ effect: "releaseLock", iteration: 1, key }]);
    expect([job.state.tasks.get("a")?.lock, job.status("b")]).toEqual([undefined, "running"]);
  });

  it("gives it back whatever the end: failure, error, a retry, a revert, a cancellation", () => {
    const ends: ((job: SimulatedJob) => unknown)[] = [
      (job) => job.answer("a", "failure"),
      (job) => job.answer("a", "error"),
      (job) => job.send({ event: "cancel", by: tester }),
      (job) => job.send({ event: "revert", to: "a", by: tester }),
    ];
    for (const end of ends) {
      const job = one("x");
      tell(job, "lockGranted");
      end(job);
      expect(job.take("releaseLock")).toEqual([{ effect: "releaseLock", iteration: 1, key: "name:x" }]);
    }
    const retrying = one("x", {}, { retrySettings: { state: ["error"], limit: 1, delay: 10 } });
    tell(retrying, "lockGranted").answer("a", "error");
    expect(retrying.take("releaseLock")).toHaveLength(1);
    retrying.take("acquireLock");
    expect(retrying.ring("a").take("acquireLock")).toHaveLength(1);
  });

  it("leaves the queue when the job is canceled, and takes no lock afterwards", () => {
    const job = tell(one("x"), "lockQueued").send({ event: "cancel", by: tester });
    expect(job.take("releaseLock")).toHaveLength(1);
    for (const event of ["lockGranted", "lockQueued", "lockPassed"] as const) {
      expect(() => job.send({ event, task: "a", iteration: 1 })).toThrow("does not wait for this lock any more");
    }
  });

  it("keeps it through a pause, and starts when the job goes on", () => {
    const job = one("x").send({ event: "pause", by: tester });
    tell(job, "lockGranted");
    expect([job.status("a"), job.take("releaseLock")]).toEqual(["scheduled", []]);
    job.send({ event: "resume", by: tester });
    expect([job.status("a"), job.runs("a")]).toEqual(["running", 1]);
  });

  it("asks again when it was passed over", () => {
    const job = tell(one("x"), "lockQueued").send({ event: "pause", by: tester });
    tell(job, "lockPassed");
    job.take("acquireLock");
    job.send({ event: "resume", by: tester });
    expect(job.take("acquireLock")).toEqual([{ effect: "acquireLock", task: "a", iteration: 2, key: "name:x" }]);
  });

  it.each([["$var.job.none"], ["$var.job.list"]])("ends in error when %s is no name", (lock) => {
    const job = one(lock, { list: [] });
    expect([job.status("a"), job.take("acquireLock")]).toEqual(["error", []]);
    expect(JSON.stringify(job.state.errors)).toContain("The name of the lock is missing");
  });

  it("is not asked for by a mocked task", () => {
    const workflow = workflowOf("mocked", { a: locked("x") }, ["start > a", "a > end"]);
    expect(new SimulatedJob(workflow, { mocks: { a: {} } }).state.status).toBe("complete");
  });
});
