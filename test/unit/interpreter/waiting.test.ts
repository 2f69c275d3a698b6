import { describe, expect, it } from "vitest";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const by = tester;
const other = { accountId: "other", username: "other" };
const call = { app: "Outside", location: "Adapter" };

describe("manual tasks", () => {
  const workflow = workflowOf("manual", { m: { type: "manual", outgoing: { choice: "$var.job.choice" } } }, [
    "start > m",
    "m > end",
  ]);

  it("waits for a person, whose variables become outgoing", () => {
    const job = new SimulatedJob(workflow).finish("m", "success", { choice: 3 });
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["choice"]).toBe(3);
    expect(job.state.tasks.get("m")?.owner).toEqual(tester);
  });

  it("belongs to who claimed it", () => {
    const job = new SimulatedJob(workflow);
    job.send({ event: "claim", task: "m", owner: tester, by }).send({ event: "claim", task: "m", owner: tester, by });
    expect(() => job.send({ event: "claim", task: "m", owner: other, by: other })).toThrow("already claimed by tester");
    expect(() => job.send({ event: "release", task: "m", by: other, isAdmin: false })).toThrow("claimed by tester");
    job.send({ event: "release", task: "m", by: other, isAdmin: true });
    expect(job.state.tasks.get("m")?.owner).toBeUndefined();
  });

  it("is finished once, and not while the job is paused", () => {
    const job = new SimulatedJob(workflow).send({ event: "pause", by });
    expect(() => job.finish("m")).toThrow("paused");
    job.send({ event: "resume", by }).finish("m");
    expect(() => job.finish("m")).toThrow("Job is complete");
  });
});

describe("delay", () => {
  const workflow = workflowOf("delay", { d: { name: "delay", type: "operation", incoming: { time: "2" } } }, [
    "start > d",
    "d > end",
  ]);

  it("is a timer, not a wait", () => {
    const job = new SimulatedJob(workflow);
    expect(job.take("timer")).toEqual([{ effect: "timer", task: "d", iteration: 1, dueAt: job.at + 2_000 }]);
    expect(job.ring("d").state.status).toBe("complete");
    expect(job.state.tasks.get("d")?.outgoing).toEqual({ time_in_milliseconds: 2_000 });
  });

  it("fires once", () => {
    const job = new SimulatedJob(workflow).ring("d");
    const { seq } = job.state;
    job.send({ event: "timerDue", task: "d", iteration: 1 });
    expect(job.state.seq).toBe(seq);
  });
});

describe("pause, resume, cancel", () => {
  const workflow = workflowOf("two", { a: call, b: call }, ["start > a", "a > b", "b > end"]);

  it("records what finishes while paused and starts nothing until resumed", () => {
    const job = new SimulatedJob(workflow).send({ event: "pause", by }).answer("a");
    expect(job.status("a")).toBe("complete");
    expect(job.runs("b")).toBe(0);
    job.send({ event: "resume", by });
    expect(job.runs("b")).toBe(1);
    expect(job.answer("b").state.status).toBe("complete");
  });

  it("discards what comes after a cancel", () => {
    const job = new SimulatedJob(workflow).send({ event: "cancel", by });
    const cancelled = job.state;
    job.answer("a");
    expect(job.state.status).toBe("canceled");
    expect(job.state.seq).toBe(cancelled.seq);
    expect(job.state.endedAt).toBe(cancelled.endedAt);
  });

  it.each([
    ["pause", "paused", "Job is already paused"],
    ["pause", "complete", "Job is complete and cannot be paused"],
    ["resume", "running", "Job is running and cannot be resumed"],
    ["resume", "complete", "Job is complete and cannot be resumed"],
    ["cancel", "complete", "Job is complete and cannot be canceled"],
    ["cancel", "canceled", "Job is canceled and cannot be canceled"],
  ] as const)("refuses to %s a job that is %s", (event, status, message) => {
    const job = new SimulatedJob(workflow);
    if (status === "paused") job.send({ event: "pause", by });
    if (status === "complete") job.answer("a").answer("b");
    if (status === "canceled") job.send({ event: "cancel", by });
    expect(() => job.send({ event, by })).toThrow(message);
  });
});

describe("child jobs", () => {
  const child = (incoming: Record<string, unknown>) =>
    workflowOf(
      "parent",
      {
        c: {
          name: "childJob",
          type: "operation",
          incoming: { task: "", workflow: "child", ...incoming },
          outgoing: { job_details: "$var.job.details" },
        },
      },
      ["start > c", "c > end"],
    );
  const end = (job: SimulatedJob, index: number, variables: Record<string, unknown>) =>
    job.send({ event: "childEnded", task: "c", iteration: 1, index, end: { status: "complete", variables } });

  it("takes the child's variables flat, with its status first", () => {
    const job = new SimulatedJob(child({ variables: { x: { task: "job", value: "in" } }, loopType: "" }), {
      variables: { in: 5 },
    });
    expect(job.take("startChild")).toEqual([{ effect: "startChild", task: "c", iteration: 1, index: 0 }]);
    expect(job.state.tasks.get("c")?.incoming?.["variables"]).toEqual({ x: 5 });
    end(job, 0, { x: 5, _id: "1", initiator: "me", y: 6 });
    expect(job.state.variables["details"]).toEqual({ status: "complete", x: 5, _id: "1", initiator: "me", y: 6 });
    expect(job.state.status).toBe("complete");
  });

  it("runs a sequence one after the other", () => {
    const job = new SimulatedJob(child({ loopType: "sequential", data_array: [{ n: 1 }, { n: 2 }] }));
    expect(job.take("startChild").map((effect) => effect.index)).toEqual([0]);
    end(job, 0, { n: 1 });
    expect(job.take("startChild").map((effect) => effect.index)).toEqual([1]);
    end(job, 1, { n: 2 });
    expect(job.state.variables["details"]).toEqual({ status: "complete", loop: [{ n: 1 }, { n: 2 }] });
  });

  it("runs parallel children at once and keeps the order of the elements", () => {
    const job = new SimulatedJob(child({ loopType: "parallel", data_array: [{ n: 1 }, { n: 2 }, { n: 3 }] }));
    expect(job.take("startChild").map((effect) => effect.index)).toEqual([0, 1, 2]);
    for (const index of [2, 0, 1]) end(job, index, { n: index + 1 });
    expect(job.state.variables["details"]).toEqual({ status: "complete", loop: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  });

  it("counts a child once", () => {
    const job = new SimulatedJob(child({ loopType: "parallel", data_array: [{ n: 1 }, { n: 2 }] }));
    end(job, 0, { n: 1 });
    end(job, 0, { n: 9 });
    expect(job.state.status).toBe("running");
  });

  it("cancels its children with it", () => {
    const job = new SimulatedJob(child({ loopType: "parallel", data_array: [{ n: 1 }, { n: 2 }] }));
    end(job, 0, { n: 1 });
    job.send({ event: "cancel", by });
    expect(job.take("cancelChild")).toHaveLength(1);
  });

  it("finishes in error when the child cannot start", () => {
    const job = new SimulatedJob(child({}));
    job.send({
      event: "childEnded",
      task: "c",
      iteration: 1,
      index: 0,
      end: { status: "failedToStart", reason: "Cannot find workflow child" },
    });
    expect(job.state.errors[0]?.message).toMatchObject({
      IAPerror: { displayString: "Error starting child job: Cannot find workflow child" },
    });
  });
});

describe("mocks", () => {
  const workflow = workflowOf("mocked", { a: { ...call, outgoing: { result: "$var.job.r" } }, b: call }, [
    "start > a",
    "a > b",
    "a >error> end",
    "b > end",
  ]);

  it("take the place of a task's work; everything else behaves as usual", () => {
    const job = new SimulatedJob(workflow, { mocks: { a: { outgoing: { result: 1 } }, b: { delay: 3 } } });
    expect(job.take("call")).toEqual([]);
    expect(job.state.variables["r"]).toBe(1);
    expect(job.take("timer")[0]?.dueAt).toBe(job.at + 3_000);
    expect(job.ring("b").state.status).toBe("complete");
    expect(job.state.tasks.get("a")?.isMocked).toBe(true);
  });

  it("may err", () => {
    const job = new SimulatedJob(workflow, { mocks: { a: { error: { code: 1 } } } });
    expect(job.state.status).toBe("complete");
    expect(job.state.tasks.get("a")?.error).toEqual({ code: 1 });
  });
});

describe("job variables", () => {
  it("always hold the engine's own _id and initiator, in the place they were passed", () => {
    const job = new SimulatedJob(workflowOf("v", {}, ["start > end"]), { variables: { _id: "mine", x: 1 } });
    expect(Object.entries(job.state.variables)).toEqual([
      ["_id", "0123456789abcdef01234567"],
      ["x", 1],
      ["initiator", "tester"],
    ]);
  });

  it("lose nothing when parallel branches push to one array", () => {
    const pushes = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [
        `b${n}`,
        { name: "push", type: "operation", incoming: { job_variable: "list", item_to_push: n } },
      ]),
    );
    const calls = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`a${n}`, call]));
    const edges = Array.from({ length: 10 }, (_, n) => [`start > a${n}`, `a${n} > b${n}`, `b${n} > end`]).flat();
    const job = new SimulatedJob(workflowOf("pushes", { ...calls, ...pushes }, edges));
    for (const n of [3, 1, 4, 0, 5, 9, 2, 6, 8, 7]) job.answer(`a${n}`);
    expect(job.state.variables["list"]).toEqual([3, 1, 4, 0, 5, 9, 2, 6, 8, 7]);
    expect(job.state.status).toBe("complete");
  });
});
