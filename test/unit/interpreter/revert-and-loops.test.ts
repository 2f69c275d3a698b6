import { describe, expect, it } from "vitest";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };
const counting = {
  a: { name: "plusOne", incoming: { value: "$var.job.n" }, outgoing: { sum: "$var.job.n" } },
  b: { name: "countTo", incoming: { value: "$var.job.n", limit: 4 } },
};

describe("revert transitions", () => {
  it("runs what lies forward of the target again; job variables are not rolled back", () => {
    const job = new SimulatedJob(workflowOf("count", counting, ["start > a", "a > b", "b >failure~ a", "b > end"]), {
      variables: { n: 0 },
    });
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["n"]).toBe(4);
    expect(job.runs("a")).toBe(4);
  });

  it("drops the result of a task that was reset while it ran", () => {
    const job = new SimulatedJob(
      workflowOf("reset", { a: {}, b: call, c: { ...call } }, [
        "start > a",
        "a > b",
        "a > c",
        "b >failure~ a",
        "b > end",
        "c > end",
      ]),
    );
    const stale = job.iteration("c");
    job.answer("b", "failure");
    expect(job.take("forget")).toEqual([{ effect: "forget", iteration: stale }]);
    job.send({ event: "taskResult", task: "c", iteration: stale, result: { finishState: "success", outgoing: {} } });
    expect(job.status("c")).toBe("running");
    job.answer("c").answer("b");
    expect(job.state.status).toBe("complete");
    expect(job.runs("c")).toBe(2);
  });

  it("keeps what settled tasks outside the region contributed to its joins", () => {
    const job = new SimulatedJob(
      workflowOf("outside", { x: {}, a: call, b: { ...call }, j: {} }, [
        "start > x",
        "start > a",
        "x > j",
        "a > b",
        "b > j",
        "b >failure~ a",
        "j > end",
      ]),
    );
    job.answer("a").answer("b", "failure").answer("a");
    expect(job.status("x")).toBe("complete");
    job.answer("b");
    expect(job.state.status).toBe("complete");
    expect(job.runs("x")).toBe(1);
    expect(job.runs("j")).toBe(1);
  });

  it("can run only to be cancelled: an endless loop of engine tasks lets others run", () => {
    const job = new SimulatedJob(
      workflowOf("endless", { a: {}, b: { incoming: { type: "failure" } } }, [
        "start > a",
        "a > b",
        "b >failure~ a",
        "b > end",
      ]),
    );
    expect(job.state.status).toBe("running");
    expect(job.take("proceed")).toHaveLength(1);
    job.send({ event: "proceed" });
    job.send({ event: "cancel", by: { accountId: "t", username: "t" } });
    expect(job.state.status).toBe("canceled");
  });
});

describe("forEach", () => {
  const loop = {
    name: "forEach",
    type: "operation",
    incoming: { data_array: "$var.job.list" },
    outgoing: { current_item: "" },
  };
  const collect = {
    name: "push",
    type: "operation",
    incoming: { job_variable: "seen", item_to_push: "$var.f.current_item" },
  };

  it.each([
    { list: [], seen: undefined },
    { list: ["x"], seen: ["x"] },
    { list: [1, 2, 3], seen: [1, 2, 3] },
  ])("visits every element in order: $list", ({ list, seen }) => {
    const job = new SimulatedJob(
      workflowOf("each", { f: loop, p: collect, z: {} }, ["start > f", "f >loop> p", "f > z", "z > end"]),
      {
        variables: { list },
      },
    );
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["seen"]).toEqual(seen);
  });

  it("waits for the body, which may branch, join, wait and end without a matching transition", () => {
    const job = new SimulatedJob(
      workflowOf(
        "body",
        { f: loop, a: call, m: { type: "manual" }, e: { incoming: { type: "failure" } }, p: collect },
        ["start > f", "f >loop> a", "f >loop> e", "a > m", "m > p", "e > p", "f > end"],
      ),
      { variables: { list: ["r1", "r2"] } },
    );
    for (const _ of ["r1", "r2"]) {
      expect(job.state.status).toBe("running");
      job.answer("a").finish("m");
    }
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["seen"]).toEqual(["r1", "r2"]);
  });

  it("nests", () => {
    const inner = { ...loop, incoming: { data_array: "$var.f.current_item" } };
    const pair = { ...collect, incoming: { job_variable: "seen", item_to_push: "$var.g.current_item" } };
    const job = new SimulatedJob(
      workflowOf("nested", { f: loop, g: inner, p: pair }, ["start > f", "f >loop> g", "g >loop> p", "f > end"]),
      { variables: { list: [[1, 2], [], [3]] } },
    );
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["seen"]).toEqual([1, 2, 3]);
  });

  it("puts the job in error when a body task errs, and goes on from there when resumed", () => {
    const job = new SimulatedJob(
      workflowOf("err", { f: loop, a: call, p: collect }, ["start > f", "f >loop> a", "a > p", "f > end"]),
      {
        variables: { list: [1, 2] },
      },
    );
    job.answer("a").answer("a", "error", {}, "down");
    expect(job.state.status).toBe("error");
    job.send({ event: "resume", by: { accountId: "t", username: "t" } }).answer("a");
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["seen"]).toEqual([1, 2]);
  });

  it("refuses what is not an array", () => {
    const job = new SimulatedJob(workflowOf("bad", { f: loop }, ["start > f", "f > end"]), {
      variables: { list: "no" },
    });
    expect(job.state.status).toBe("error");
  });
});
