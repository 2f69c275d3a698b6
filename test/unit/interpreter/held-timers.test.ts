import { describe, expect, it } from "vitest";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const by = tester;
const call = { app: "Outside", location: "Adapter" };
const delay = (time: number) => ({ name: "delay", type: "operation", incoming: { time } });
const paused = (job: SimulatedJob) => job.send({ event: "pause", by });
const resumed = (job: SimulatedJob) => job.send({ event: "resume", by });

describe("a timer that is due while its job is paused", () => {
  const one = workflowOf("one", { a: delay(2), b: {} }, ["start > a", "a > b", "b > end"]);

  it("acts once the job is resumed, not before", () => {
    const job = paused(new SimulatedJob(one)).ring("a");
    expect([job.state.status, job.status("a")]).toEqual(["paused", "running"]);
    expect(resumed(job).state.status).toBe("complete");
    expect(job.runs("a")).toBe(1);
  });

  it("is written down once, so that it is neither lost nor doubled", () => {
    const job = paused(new SimulatedJob(one)).ring("a");
    const { seq } = job.state;
    expect(job.ring("a").state.seq).toBe(seq);
    resumed(job);
    const after = job.state.seq;
    expect(job.send({ event: "timerDue", task: "a", iteration: 1 }).state.seq).toBe(after);
  });

  it("keeps its time when the job is resumed before", () => {
    const job = resumed(paused(new SimulatedJob(one)));
    expect(job.status("a")).toBe("running");
    expect(job.ring("a").state.status).toBe("complete");
  });

  it("is not an attempt of a retry before the job goes on", () => {
    const retrySettings = { state: ["error"], limit: 1, delay: 5_000, autoRetry: true };
    const job = new SimulatedJob(workflowOf("retry", { a: { ...call, retrySettings } }, ["start > a", "a > end"]));
    paused(job.answer("a", "error")).ring("a");
    expect([job.status("a"), job.runs("a")]).toEqual(["running", 1]);
    expect([resumed(job).status("a"), job.runs("a")]).toEqual(["running", 2]);
  });

  it("acts in the order in which it came due", () => {
    const write = (time: number) => ({ ...delay(time), outgoing: { time_in_milliseconds: "$var.job.last" } });
    const both = workflowOf("both", { a: write(1), b: write(2), c: call }, [
      "start > a",
      "start > b",
      "a > c",
      "b > c",
      "c > end",
    ]);
    const last = (first: string, then: string) =>
      resumed(paused(new SimulatedJob(both)).ring(first).ring(then)).state.variables["last"];
    expect([last("a", "b"), last("b", "a")]).toEqual([2_000, 1_000]);
  });

  it("does not act when the task was taken back meanwhile", () => {
    const job = paused(new SimulatedJob(one)).ring("a").send({ event: "revert", to: "a", by });
    expect([resumed(job).status("a"), job.runs("a")]).toEqual(["running", 2]);
  });

  it("acts when the job goes from paused to error, where tasks under way come to their ends", () => {
    const workflow = workflowOf("error", { a: delay(1), b: call, c: {} }, [
      "start > a",
      "start > b",
      "a > c",
      "b > c",
      "c > end",
    ]);
    const job = paused(new SimulatedJob(workflow)).ring("a").answer("b", "error", {}, "broken");
    expect([job.state.status, job.status("a"), job.status("c")]).toEqual(["error", "complete", "incomplete"]);
  });

  it("has come before an event or a person that comes later", () => {
    const waitAny = { afterSeconds: 1, event: { source: "erp", topic: "news" } };
    const job = new SimulatedJob(
      workflowOf("any", { a: { type: "manual", waitAny } as never, b: {} }, [
        "start > a",
        "a > b",
        "a >failure> end",
        "b > end",
      ]),
    );
    paused(job).ring("a");
    job.send({ event: "eventArrived", task: "a", iteration: 1, id: "e", at: job.at, payload: {} });
    expect(job.status("a")).toBe("running");
    expect(resumed(job).state.tasks.get("a")).toMatchObject({ finishState: "failure", outgoing: { winner: "timer" } });
  });
});

describe("a job that is paused", () => {
  const side = workflowOf("side", { a: call, b: call, c: {} }, ["start > a", "start > b", "a > c", "b > c", "c > end"]);

  it("goes into error when what still runs fails, and the operations of a job in error hold", () => {
    const job = paused(new SimulatedJob(side)).answer("a", "error", {}, "broken");
    expect([job.state.status, job.status("b")]).toEqual(["error", "running"]);
    expect(job.take("publish").map(({ topic }) => topic)).toContain("jobError");
    expect(() => paused(job)).toThrow("Job is error and cannot be paused");
    job.answer("b");
    expect([job.state.status, job.runs("c")]).toEqual(["error", 0]);
    expect(resumed(job).answer("a").state.status).toBe("complete");
  });
});
