import { describe, expect, it } from "vitest";
import { validateWorkflow } from "../../../src/workflow-engine/interpreter/validate-workflow.ts";
import type { WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const by = tester;
const one = (task: object, edges = ["start > a", "a > end"]) => workflowOf("one", { a: task }, edges);
const listen = { name: "eventListenerJob", type: "operation", incoming: { source: "erp", topic: "order", schema: "" } };

function arrive(job: SimulatedJob, task: string, payload: unknown, id = "e1", at = job.at + 1_000): SimulatedJob {
  return job.send({ event: "eventArrived", task, iteration: job.iteration(task), id, at, payload });
}

describe("a task with a run window", () => {
  // The job begins at 00:16:40 UTC on the first of January 1970.
  const stub = (scheduled: unknown) => one({ name: "stub", scheduled });

  it("is scheduled, and starts when the window opens, in the same iteration", () => {
    const job = new SimulatedJob(stub({ from: "01:00", to: "02:00" }));
    expect(job.status("a")).toBe("scheduled");
    expect(job.take("openWindow")).toEqual([{ effect: "openWindow", task: "a", iteration: 1, dueAt: 3_600_000 }]);
    job.at = 3_599_000;
    job.send({ event: "windowOpens", task: "a", iteration: 1 });
    expect(job.state.status).toBe("complete");
    expect([...(job.state.tasks.get("a")?.iterations ?? [])]).toEqual([1]);
  });

  it("goes on waiting when it is woken too early, or the job goes on after the window", () => {
    const job = new SimulatedJob(stub({ from: "01:00", to: "02:00" }));
    job.send({ event: "windowOpens", task: "a", iteration: 1 });
    expect(job.status("a")).toBe("scheduled");
    job.send({ event: "pause", by });
    job.at = 3_600_000;
    job.send({ event: "windowOpens", task: "a", iteration: 1 });
    expect(job.state.status).toBe("paused");
    job.at = 7_200_000;
    job.take("openWindow");
    job.send({ event: "resume", by });
    expect(job.status("a")).toBe("scheduled");
    expect(job.take("openWindow")).toEqual([{ effect: "openWindow", task: "a", iteration: 1, dueAt: 90_000_000 }]);
  });

  it("starts at once inside it, and when it is mocked", () => {
    expect(new SimulatedJob(stub({ from: "00:00", to: "01:00" })).state.status).toBe("complete");
    const mocks = { a: { finish_state: "success" } } as const;
    expect(new SimulatedJob(stub({ from: "01:00", to: "02:00" }), { mocks }).state.status).toBe("complete");
  });

  it("ends in error when its window is over", () => {
    const job = new SimulatedJob(stub({ start: "1970-01-01T00:00:00Z", end: "1970-01-01T00:10:00Z" }));
    expect(job.state.status).toBe("error");
    expect(JSON.stringify(job.state.errors)).toContain("ended at 1970-01-01T00:10:00.000Z");
  });

  it("is forgotten when the job is canceled", () => {
    const job = new SimulatedJob(stub({ from: "01:00", to: "02:00" })).send({ event: "cancel", by });
    expect(job.take("forget")).toEqual([{ effect: "forget", iteration: 1 }]);
    job.send({ event: "windowOpens", task: "a", iteration: 1 });
    expect(job.status("a")).toBe("canceled");
  });
});

describe("the time a workflow promises", () => {
  const promising = { ...one({ type: "manual" }), sla: 60_000 } as WorkflowDocument;

  it("is missed once, and told", () => {
    const job = new SimulatedJob(promising);
    expect(job.take("sla")).toEqual([{ effect: "sla", dueAt: job.at + 60_000 }]);
    job.take("publish");
    job.send({ event: "slaDue" }).send({ event: "slaDue" });
    expect(job.state.slaMissed).toBe(true);
    expect(job.take("publish")).toEqual([{ effect: "publish", topic: "jobSlaBreach" }]);
  });

  it("is not missed by a job that ends in time, whose timer is dropped", () => {
    const job = new SimulatedJob(promising).finish("a");
    expect(job.take("endSla")).toHaveLength(1);
    const { seq } = job.state;
    expect(job.send({ event: "slaDue" }).state).toMatchObject({ seq, status: "complete" });
    expect(job.state.slaMissed).toBeUndefined();
  });

  it("is missed by a job that ends too late, though no timer came", () => {
    const job = new SimulatedJob(promising);
    job.at += 60_000;
    job.finish("a");
    expect(job.state).toMatchObject({ status: "complete", slaMissed: true });
    expect(job.take("publish").map(({ topic }) => topic)).toEqual(["jobStart", "jobSlaBreach", "jobComplete"]);
  });

  it("is none without a number above 0", () => {
    for (const sla of [undefined, 0, -1, "60000"]) {
      const job = new SimulatedJob({ ...promising, sla } as WorkflowDocument);
      expect(job.take("sla")).toEqual([]);
    }
  });
});

describe("the engine's own events", () => {
  it("tell of a repaired job when it runs again", () => {
    const job = new SimulatedJob(one({ incoming: { type: "error" } }));
    job.take("publish");
    job.send({ event: "resume", by });
    expect(job.take("publish").map(({ topic }) => topic)).toEqual(["jobResume", "jobFix", "jobError"]);
  });
});

describe("eventListenerJob", () => {
  it("takes the payload of the event it waits for", () => {
    const job = new SimulatedJob(one({ ...listen, outgoing: { result: "$var.job.got" } }));
    expect(job.take("lookForEvents")).toEqual([{ effect: "lookForEvents", task: "a", iteration: 1 }]);
    expect(job.state.tasks.get("a")?.wait).toMatchObject({
      for: "event",
      event: { source: "erp", since: job.at, seq: 1 },
    });
    arrive(job, "a", { n: 1 });
    expect(job.state.status).toBe("complete");
    expect(job.state.variables["got"]).toEqual({ n: 1 });
  });

  it("resolves its source, topic and schema", () => {
    const incoming = { source: "$var.job.s", topic: "$var.job.t", schema: "$var.job.schema" };
    const variables = { s: "x", t: "y", schema: { type: "object" } };
    const job = new SimulatedJob(one({ ...listen, incoming }), { variables });
    expect(job.state.tasks.get("a")?.wait).toMatchObject({
      event: { source: "x", topic: "y", schema: { type: "object" } },
    });
  });

  it.each([
    [{ source: "", topic: "t" }, "source of the event is missing"],
    [{ source: "s", topic: 3 }, "topic of the event is missing"],
    [{ source: "s", topic: "t", schema: { type: "nothing" } }, "cannot be used"],
    [{ source: "s", topic: "t", schema: { pattern: "(" } }, "cannot be used"],
    [{ source: "s", topic: "t", schema: { $ref: "#" } }, "is not supported here"],
    [{ source: "s", topic: "t", schema: ["x"] }, "a JSON schema is an object"],
  ])("ends in error for %j", (incoming, message) => {
    const job = new SimulatedJob(one({ ...listen, incoming }));
    expect(job.state.status).toBe("error");
    expect(JSON.stringify(job.state.errors)).toContain(message);
  });

  it("that is run again takes another event, even when it looks back", () => {
    const again = { ...listen, events: { keepFor: 3_600 } };
    const workflow = workflowOf("again", { a: again, b: { type: "manual" } }, [
      "start > a",
      "a > b",
      "b >failure~ a",
      "b > end",
    ]);
    const job = new SimulatedJob(workflow);
    expect(job.state.tasks.get("a")?.wait).toMatchObject({ event: { since: job.at - 3_600_000, startedAt: job.at } });
    arrive(job, "a", 1, "e1");
    job.finish("b", "failure");
    const { seq } = job.state;
    arrive(job, "a", 1, "e1");
    expect(job.state.seq).toBe(seq);
    arrive(job, "a", 2, "e2");
    expect(job.state.tasks.get("a")?.outgoing).toEqual({ result: 2 });
  });

  it("shares an event with others that wait at the same time", () => {
    const workflow = workflowOf("both", { a: listen, b: listen }, ["start > a", "start > b", "a > end", "b > end"]);
    const job = arrive(new SimulatedJob(workflow), "a", 1);
    expect(arrive(job, "b", 1).state.status).toBe("complete");
  });

  it("takes events while its job is paused, and none after it is canceled", () => {
    const job = new SimulatedJob(one(listen)).send({ event: "pause", by });
    expect(arrive(job, "a", 1).status("a")).toBe("complete");
    expect(job.send({ event: "resume", by }).state.status).toBe("complete");
    const canceled = new SimulatedJob(one(listen)).send({ event: "cancel", by });
    const { seq } = canceled.state;
    expect(arrive(canceled, "a", 1).state.seq).toBe(seq);
  });

  it("remembers no event that it cannot meet again", () => {
    const workflow = workflowOf("loop", { a: listen, b: { incoming: { type: "failure" } } }, [
      "start > a",
      "a > b",
      "b >failure~ a",
      "b > end",
    ]);
    const job = new SimulatedJob(workflow);
    for (let n = 0; n < 200; n++) arrive(job, "a", n, `e${n}`);
    expect(job.state.takenEvents?.length).toBeLessThan(70);
  });
});

describe("waitAny", () => {
  const waitAny = { afterSeconds: 30, event: { source: "erp", topic: "order" }, person: true };
  const edges = ["start > a", "a > end"];

  it.each([
    ["a manual task", { type: "manual", waitAny }],
    ["a delay", { name: "delay", type: "operation", incoming: { time: 60 }, waitAny }],
  ])("lets the first of person, timer and event end %s", (_name, task) => {
    const person = new SimulatedJob(one(task, edges)).finish("a", "success", { choice: 1 });
    expect(person.state.tasks.get("a")).toMatchObject({
      finishState: "success",
      outgoing: { choice: 1, winner: "person" },
    });
    expect(person.take("forget")).toEqual([{ effect: "forget", iteration: 1 }]);

    const timer = new SimulatedJob(one(task, edges));
    expect(timer.take("timer")).toEqual([{ effect: "timer", task: "a", iteration: 1, dueAt: timer.at + 30_000 }]);
    expect(timer.ring("a").state.tasks.get("a")).toMatchObject({
      finishState: "failure",
      outgoing: { winner: "timer" },
    });
    expect(() => timer.finish("a")).toThrow();

    const event = arrive(new SimulatedJob(one(task, edges)), "a", { n: 1 });
    expect(event.state.tasks.get("a")).toMatchObject({
      finishState: "success",
      outgoing: { event: { n: 1 }, winner: "event" },
    });
  });

  it("gives a listener a time limit, whose finish state it chooses", () => {
    const limited = { ...listen, waitAny: { afterSeconds: "$var.job.limit", afterState: "error" } };
    const job = new SimulatedJob(one(limited, edges), { variables: { limit: 5 } });
    expect(job.ring("a").state.tasks.get("a")).toMatchObject({ finishState: "error", outgoing: { winner: "timer" } });
    const told = arrive(new SimulatedJob(one(limited, edges), { variables: { limit: 5 } }), "a", 7);
    expect(told.state.tasks.get("a")?.outgoing).toEqual({ result: 7, event: 7, winner: "event" });
  });

  it("keeps the success of a delay that is over first", () => {
    const task = { name: "delay", type: "operation", incoming: { time: 10 }, waitAny: { afterSeconds: 30 } };
    expect(new SimulatedJob(one(task, edges)).ring("a").state.tasks.get("a")).toMatchObject({
      finishState: "success",
      outgoing: { time_in_milliseconds: 10_000, winner: "timer" },
    });
  });

  it("changes nothing where it is absent", () => {
    const job = new SimulatedJob(one({ type: "manual" })).finish("a", "success", { x: 1 });
    expect(job.state.tasks.get("a")?.outgoing).toEqual({ x: 1 });
  });
});

describe("validation", () => {
  const environment = {
    findTask: () => undefined,
    hasTransformation: () => true,
    hasWorkflow: () => true,
  };
  const errorsOf = (task: object) =>
    validateWorkflow(one(task), environment)
      .errors.map(({ message }) => message)
      .filter((message) => message.startsWith("/tasks/a"));

  it.each([
    [{ scheduled: { from: "9", to: "10:00" } }, "/tasks/a/scheduled/from"],
    [{ waitAny: { afterSeconds: -1 }, type: "manual" }, "/tasks/a/waitAny/afterSeconds"],
    [{ waitAny: { afterSeconds: 1 } }, "/tasks/a/waitAny belongs to"],
    [{ waitAny: { event: { source: "s", topic: "t", schema: { type: 3 } } }, type: "manual" }, "/event/schema"],
    [{ ...listen, waitAny: { event: { source: "s", topic: "t" } } }, "/waitAny/event has no place"],
    [{ ...listen, events: { keepFor: 1e9 } }, "/events/keepFor"],
    [{ ...listen, events: { keep: 1 } }, "/events/keep is not known"],
    [{ ...listen, incoming: { ...listen.incoming, schema: { type: 3 } } }, "/variables/incoming/schema"],
  ])("names the place of what is wrong in %j", (task, text) => {
    expect(errorsOf(task)).toContainEqual(expect.stringContaining(text));
  });

  it("takes what is right", () => {
    const right = [
      { scheduled: false },
      { scheduled: { from: "22:00", to: "05:00", days: ["monday"], timezone: "Europe/Berlin" } },
      { ...listen, events: { keepFor: 60 }, waitAny: { afterSeconds: "$var.job.x", afterState: "success" } },
      { type: "manual", waitAny: { person: true, event: { source: "s", topic: "t", schema: { type: "object" } } } },
    ];
    for (const task of right) expect(errorsOf(task)).toEqual([]);
  });
});
