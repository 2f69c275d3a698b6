import { describe, expect, it } from "vitest";
import type { ChildEnd } from "../../../src/workflow-engine/interpreter/child-jobs.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

function loopOf(count: number, loop: object, loopType = "parallel"): SimulatedJob {
  const incoming = {
    workflow: "w",
    variables: {},
    loopType,
    data_array: Array.from({ length: count }, (_, n) => ({ n })),
  };
  const c = { name: "childJob", incoming, loop } as { name: string };
  const call = { app: "Outside", location: "Adapter" };
  return new SimulatedJob(
    workflowOf("loop", { c, s: call, f: call }, ["start > c", "c > s", "c >failure> f", "s > end", "f > end"]),
  );
}

const end = (job: SimulatedJob, index: number, status: ChildEnd["status"] = "complete") =>
  job.send({
    event: "childEnded",
    task: "c",
    iteration: job.iteration("c"),
    index,
    end: { status, variables: { childJobLoopIndex: index } },
  });
const started = (job: SimulatedJob) => job.take("startChild").map(({ index }) => index);
const indexes = (job: SimulatedJob) => {
  const details = job.state.tasks.get("c")?.outgoing?.["job_details"] as { loop: { childJobLoopIndex: number }[] };
  return details.loop.map(({ childJobLoopIndex }) => childJobLoopIndex);
};

describe("limits of child loops", () => {
  it("runs no more than maxParallel at a time, in order, and all of them", () => {
    const job = loopOf(5, { maxParallel: 2 });
    expect(started(job)).toEqual([0, 1]);
    expect(started(end(job, 1))).toEqual([2]);
    expect(started(end(job, 0))).toEqual([3]);
    expect(started(end(end(job, 2), 3))).toEqual([4]);
    expect(job.status("c")).toBe("running");
    end(job, 4);
    expect([job.status("s"), indexes(job)]).toEqual(["running", [0, 1, 2, 3, 4]]);
  });

  it("stops in success when so many are complete: the rest is canceled or not started", () => {
    const job = loopOf(5, { maxParallel: 3, stopWhen: { completed: 2 } });
    end(end(job, 2), 0);
    expect([job.status("s"), job.status("f"), indexes(job)]).toEqual(["running", "dead", [0, 2]]);
    expect(job.take("cancelChild").map(({ jobId }) => jobId.split(".").at(-1))).toEqual(["1", "3"]);
    const before = job.state;
    end(job, 1);
    expect(job.state).toEqual(before);
  });

  it.each([
    [{ failed: 2 }, 5],
    [{ failedPercent: 40 }, 5],
  ])("stops in failure at %j: canceled children and children in error count", (stopWhen, count) => {
    const job = end(loopOf(count, { stopWhen }), 3, "error");
    expect(job.status("c")).toBe("running");
    end(job, 1, "canceled");
    expect([job.status("f"), job.status("s"), indexes(job)]).toEqual(["running", "dead", [1, 3]]);
    expect(job.take("cancelChild")).toHaveLength(4);
  });

  it("does not count a child whose error was repaired, and waits for one that may be", () => {
    const job = loopOf(3, { maxParallel: 1, stopWhen: { failed: 2 } });
    expect(started(end(job, 0, "error"))).toEqual([0, 1]);
    end(job, 0);
    end(job, 1, "error");
    end(job, 2);
    expect(job.status("c")).toBe("running");
    end(job, 1);
    expect([job.status("s"), indexes(job)]).toEqual(["running", [0, 1, 2]]);
  });

  const cannotStart = (job: SimulatedJob, index: number) =>
    job.send({
      event: "childEnded",
      task: "c",
      iteration: job.iteration("c"),
      index,
      end: { status: "failedToStart", reason: `no workflow for ${index}` },
    });
  const error = (job: SimulatedJob) => JSON.stringify(job.state.tasks.get("c")?.error);

  it("waits for the others when a child cannot be started, begins no more, and ends in error", () => {
    const job = loopOf(5, { maxParallel: 3 });
    cannotStart(job, 1);
    expect([job.status("c"), started(job), job.take("cancelChild")]).toEqual(["running", [0, 1, 2], []]);
    end(job, 0);
    expect([job.status("c"), started(job)]).toEqual(["running", []]);
    end(job, 2, "canceled");
    expect([job.state.status, job.status("c")]).toEqual(["error", "error"]);
    expect(error(job)).toContain("Error starting child job: no workflow for 1");
  });

  it("takes the children with it when it is canceled while it waits for them", () => {
    const job = cannotStart(loopOf(3, {}), 2).send({ event: "cancel", by: tester });
    expect(job.take("cancelChild")).toHaveLength(2);
  });

  it("counts a child that cannot be started as failed, and goes on to the next", () => {
    const job = loopOf(4, { maxParallel: 1, stopWhen: { failed: 2 } });
    cannotStart(job, 0);
    expect([job.status("c"), started(job)]).toEqual(["running", [0, 1]]);
    end(job, 1);
    cannotStart(job, 2);
    expect([job.status("f"), indexes(job)]).toEqual(["running", [1]]);
    expect(error(job)).toContain("no workflow for 0");
  });

  it("fails when all have ended and fewer than wanted are complete; fewer elements than wanted are enough", () => {
    const job = loopOf(3, { stopWhen: { completed: 2 } });
    end(end(end(job, 0, "canceled"), 1, "canceled"), 2);
    expect(job.status("f")).toBe("running");
    expect(end(loopOf(1, { stopWhen: { completed: 2 } }), 0).status("s")).toBe("running");
  });

  it("applies to sequential loops too", () => {
    const job = loopOf(4, { stopWhen: { failed: 1 } }, "sequential");
    end(job, 0);
    end(job, 1, "canceled");
    expect([job.status("f"), started(job)]).toEqual(["running", [0, 1]]);
  });

  it("are not there without the option: a child in error is waited for", () => {
    const job = loopOf(2, {});
    end(end(job, 0), 1, "canceled");
    expect(job.status("s")).toBe("running");
  });
});
