import { describe, expect, it } from "vitest";
import { replay } from "../../../src/workflow-engine/jobs/job-log.ts";
import { documentOfState, stateOfDocument } from "../../../src/workflow-engine/jobs/log-format.ts";
import { createState } from "../../../src/workflow-engine/interpreter/apply-change.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = { app: "Outside", location: "Adapter" };
const undoneBy = (compensation: string) => ({ ...call, compensation }) as typeof call;
const undo = (of: string) => ({ ...call, incoming: { what: `$var.${of}.made` } });
const chain = workflowOf("chain", { a: undoneBy("ua"), b: undoneBy("ub"), c: call, ua: undo("a"), ub: undo("b") }, [
  "start > a",
  "a > b",
  "b > c",
  "c >failure~ a",
  "c >error~ b",
  "c > end",
]);
const cancel = { event: "cancel", by: tester } as const;

/** Two tasks are done and can be undone; the third is under way. */
function midway(): SimulatedJob {
  return new SimulatedJob(chain).answer("a", "success", { made: 1 }).answer("b", "success", { made: 2 });
}

const incoming = (job: SimulatedJob, task: string) => job.state.tasks.get(task)?.incoming;

describe("compensation", () => {
  it("undoes what was done before a cancellation, the last first, one at a time, with its values", () => {
    const job = midway().send(cancel);
    expect([job.state.status, job.status("c"), job.status("ub"), job.status("ua")]).toEqual([
      "running",
      "canceled",
      "running",
      "incomplete",
    ]);
    expect(incoming(job, "ub")).toEqual({ what: 2 });
    job.answer("ub");
    expect([job.status("ua"), incoming(job, "ua")]).toEqual(["running", { what: 1 }]);
    job.answer("ua");
    expect([job.state.status, job.state.compensation, job.runs("ua"), job.runs("ub")]).toEqual([
      "canceled",
      undefined,
      1,
      1,
    ]);
  });

  it("undoes only what lies in a reverted region, then the job runs again", () => {
    const job = midway().answer("c", "error");
    expect([job.status("ub"), job.status("b")]).toEqual(["running", "complete"]);
    job.answer("ub");
    expect([job.status("b"), job.status("ua")]).toEqual(["running", "incomplete"]);
    job.answer("b", "success", { made: 3 }).send(cancel).answer("ub");
    expect(incoming(job, "ub")).toEqual({ what: 3 });
    expect(job.answer("ua").state.status).toBe("canceled");
    expect([job.runs("ua"), job.runs("ub")]).toEqual([1, 2]);
  });

  it("is no business of tasks that failed, were mocked, or have none", () => {
    const failed = new SimulatedJob(chain).answer("a", "failure");
    expect(failed.state.completions).toBeUndefined();
    const mocked = new SimulatedJob(chain, { mocks: { a: {}, b: {} } }).send(cancel);
    expect(mocked.state.status).toBe("canceled");
  });

  it("undoes each element of a loop with its own values", () => {
    const job = new SimulatedJob(
      workflowOf(
        "loop",
        {
          f: { name: "forEach", incoming: { data_array: ["x", "y"] } },
          a: undoneBy("ua"),
          b: call,
          ua: { ...call, incoming: { item: "$var.f.current_item", made: "$var.a.made" } },
        },
        ["start > f", "f >loop> a", "f > b", "b > end"],
      ),
    );
    job.answer("a", "success", { made: 1 }).answer("a", "success", { made: 2 }).send(cancel);
    expect(incoming(job, "ua")).toEqual({ item: "y", made: 2 });
    job.answer("ua");
    expect(incoming(job, "ua")).toEqual({ item: "x", made: 1 });
    expect(job.answer("ua").state.status).toBe("canceled");
  });

  it.each(["error", "failure"] as const)("puts the job in error when it ends in %s; resume tries again", (end) => {
    const job = midway().send(cancel).answer("ub", end, {}, "no");
    expect([job.state.status, job.state.errors[0]?.task]).toEqual(["error", "ub"]);
    expect(() => job.send(cancel)).toThrow("resume the job to try it again, or cancel it with force");
    job.send({ event: "resume", by: tester });
    expect([job.status("ub"), incoming(job, "ub")]).toEqual(["running", { what: 2 }]);
    job.answer("ub").answer("ua");
    expect(job.state.status).toBe("canceled");
  });

  it("is left out by force, at any time", () => {
    expect(midway().send({ ...cancel, force: true }).state.status).toBe("canceled");
    const job = midway().send(cancel);
    expect(() => job.send(cancel)).toThrow("is being canceled already");
    job.take("forget");
    job.send({ ...cancel, force: true });
    expect([job.state.status, job.status("ub"), job.take("forget").length]).toEqual(["canceled", "canceled", 1]);
  });

  it("of a revert becomes that of a cancellation when the job is canceled meanwhile", () => {
    const job = midway().answer("c", "error").send(cancel);
    expect(job.status("ub")).toBe("running");
    job.answer("ub").answer("ua");
    expect([job.state.status, job.runs("ub"), job.runs("ua")]).toEqual(["canceled", 1, 1]);
  });

  it("holds other repairs, and waits while the job is paused", () => {
    const job = midway().send(cancel);
    expect(() => job.send({ event: "revert", to: "a", by: tester })).toThrow("is being compensated");
    job.send({ event: "pause", by: tester }).answer("ub");
    expect([job.state.status, job.status("ua")]).toEqual(["paused", "incomplete"]);
    job.send({ event: "resume", by: tester });
    expect(job.status("ua")).toBe("running");
  });

  it("tells the parent only once the job is canceled", () => {
    const job = midway();
    job.state.origin.parent = { job: "p", task: "t", iteration: 1, index: 0, isLoop: false };
    job.send(cancel).answer("ub");
    expect(job.take("notifyParent")).toEqual([]);
    job.answer("ua");
    expect(job.take("notifyParent")).toEqual([{ effect: "notifyParent", status: "canceled" }]);
  });

  it("is the same in replay, and in a snapshot", () => {
    const job = midway().answer("c", "error").answer("ub").answer("b").send(cancel).answer("ub");
    const { workflow } = job.context;
    const events = job.deltas.map((delta, index) => ({ seq: index + 1, at: 0, delta }));
    const replayed = replay(createState(job.origin, 1_000_000, workflow), events, workflow);
    expect({ ...replayed, changedAt: job.state.changedAt }).toEqual(job.state);
    const stored = stateOfDocument(JSON.parse(JSON.stringify(documentOfState(job.state))));
    expect(stored).toEqual(job.state);
  });
});
