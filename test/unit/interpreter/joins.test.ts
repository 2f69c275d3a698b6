import { describe, expect, it } from "vitest";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };
const stub = (type: string) => ({ incoming: { type } });

describe("transitions and joins", () => {
  it("runs a chain of engine tasks in one activation", () => {
    const job = new SimulatedJob(
      workflowOf("chain", { a: {}, b: {}, c: {} }, ["start > a", "a > b", "b > c", "c > end"]),
    );
    expect(job.state.status).toBe("complete");
    expect(job.deltas).toHaveLength(1);
    expect(job.state.seq).toBe(1);
  });

  it("takes every transition of the finish state, and joins when all are decided", () => {
    const job = new SimulatedJob(
      workflowOf("fan", { a: {}, b: call, c: call, d: {} }, [
        "start > a",
        "a > b",
        "a > c",
        "b > d",
        "c > d",
        "d > end",
      ]),
    );
    expect(job.take("call").map((effect) => effect.task)).toEqual(["b", "c"]);
    job.answer("b");
    expect(job.status("d")).toBe("incomplete");
    job.answer("c");
    expect(job.runs("d")).toBe(1);
    expect(job.state.status).toBe("complete");
  });

  it("lets losing branches die: four evaluations in parallel as a switch", () => {
    const job = new SimulatedJob(
      workflowOf(
        "switch",
        {
          a: stub("failure"),
          b: stub("success"),
          c: stub("failure"),
          d: stub("failure"),
          ra: {},
          rb: {},
          rc: {},
          rd: {},
        },
        [
          ...["a", "b", "c", "d"].map((task) => `start > ${task}`),
          ...["a", "b", "c", "d"].flatMap((task) => [`${task} > r${task}`, `r${task} > end`]),
        ],
      ),
    );
    expect(job.state.status).toBe("complete");
    expect(["ra", "rb", "rc", "rd"].map((task) => job.status(task))).toEqual(["dead", "complete", "dead", "dead"]);
  });

  it("waits at the end for every path that may still reach it", () => {
    const job = new SimulatedJob(
      workflowOf("wait", { a: {}, b: call }, ["start > a", "start > b", "a > end", "b > end"]),
    );
    expect(job.state.status).toBe("running");
    expect(job.answer("b").state.status).toBe("complete");
  });

  it("does not wait for tasks that nothing leads to", () => {
    const job = new SimulatedJob(workflowOf("orphan", { a: {}, x: call }, ["start > a", "a > end", "x > end"]));
    expect(job.state.status).toBe("complete");
  });

  it("ignores orphan transition keys and missing entries", () => {
    const workflow = workflowOf("orphans", { a: {} }, ["start > a", "a > end"]);
    workflow.transitions["beef"] = { a: { state: "success", type: "standard" } };
    delete workflow.transitions["workflow_end"];
    expect(new SimulatedJob(workflow).state.status).toBe("complete");
  });

  it("says which tasks led nowhere when the end cannot be reached", () => {
    const job = new SimulatedJob(workflowOf("stuck", { a: stub("failure") }, ["start > a", "a > end"]));
    expect(job.state.status).toBe("error");
    expect(job.state.errors).toEqual([
      {
        task: "job",
        timestamp: job.at,
        message: expect.stringMatching(/^Job has no available transitions\. a could have led/u),
      },
    ]);
  });

  it("lets a running task finish before the job is complete, and starts nothing new", () => {
    const job = new SimulatedJob(
      workflowOf("side", { a: {}, b: call, c: {} }, ["start > a", "start > b", "a > end", "b > c"]),
    );
    expect(job.state.status).toBe("running");
    job.answer("b");
    expect(job.state.status).toBe("complete");
    expect(job.runs("c")).toBe(0);
  });
});

describe("errors", () => {
  it("puts the job in error without an error transition, lets others finish, starts nothing", () => {
    const job = new SimulatedJob(
      workflowOf("error", { a: call, b: call, c: {} }, ["start > a", "start > b", "a > end", "b > c", "c > end"]),
    );
    job.answer("a", "error", {}, { message: "no" });
    expect(job.state.status).toBe("error");
    expect(job.state.errors).toEqual([{ task: "a", message: { message: "no" }, timestamp: job.at }]);
    job.answer("b");
    expect(job.status("b")).toBe("complete");
    expect(job.runs("c")).toBe(0);
    job.send({ event: "resume", by: { accountId: "t", username: "t" } });
    expect(job.take("call").map((effect) => effect.task)).toEqual(["a", "b", "a"]);
    job.answer("a");
    expect(job.state.status).toBe("complete");
    expect(job.state.errors).toEqual([]);
  });

  it("goes on by an error transition and offers the error downstream and in a job variable", () => {
    const job = new SimulatedJob(
      workflowOf(
        "caught",
        {
          a: { ...call, error: "$var.job.failed" },
          b: { name: "echo", incoming: { value: "$var.a.error" }, outgoing: { value: "$var.job.seen" } },
        },
        ["start > a", "a > end", "a >error> b", "b > end"],
      ),
    );
    job.answer("a", "error", {}, { code: 7 });
    expect(job.state.status).toBe("complete");
    expect(job.state.variables).toMatchObject({ failed: { code: 7 }, seen: { code: 7 } });
  });

  it("retries as its settings say and takes transitions only for the last result", () => {
    const retrySettings = { state: ["error"], autoRetry: true, limit: 2, delay: 3_000 };
    const job = new SimulatedJob(workflowOf("retry", { a: { ...call, retrySettings } }, ["start > a", "a > end"]));
    job.answer("a", "error", {}, "first");
    expect(job.take("timer")).toEqual([{ effect: "timer", task: "a", iteration: 1, dueAt: job.at + 3_000 }]);
    expect(job.state.status).toBe("running");
    job.ring("a").answer("a", "error", {}, "second").ring("a").answer("a", "success");
    expect(job.state.status).toBe("complete");
    expect(job.runs("a")).toBe(3);
  });

  it("gives up when the retries are used", () => {
    const retrySettings = { state: ["error"], autoRetry: true, limit: 1, delay: 0 };
    const job = new SimulatedJob(workflowOf("give up", { a: { ...call, retrySettings } }, ["start > a", "a > end"]));
    job.answer("a", "error", {}, "1").ring("a").answer("a", "error", {}, "2");
    expect(job.state.status).toBe("error");
  });

  it("finishes a task in error when its method is unknown", () => {
    const job = new SimulatedJob(workflowOf("unknown", { a: { name: "noSuchTask" } }, ["start > a", "a > end"]));
    expect(job.state.errors[0]?.message).toMatchObject({
      IAPerror: { displayString: "Method not found: WorkFlowEngine.noSuchTask" },
    });
  });
});
