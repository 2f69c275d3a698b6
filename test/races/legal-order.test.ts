import { describe, expect, it } from "vitest";
import { createState } from "../../src/workflow-engine/interpreter/apply-change.ts";
import type { Change, Delta } from "../../src/workflow-engine/interpreter/changes.ts";
import { eventOf, jobIn } from "../support/repairs.ts";
import { tester, type SimulatedJob } from "../support/simulated-job.ts";
import { illegalSteps } from "./legal-order.ts";

const somebody = { accountId: "somebody", username: "somebody" };

/** What is found in the log of a job, with further events behind it. */
function found(job: SimulatedJob, ...further: readonly Delta[]): string[] {
  const { workflow } = job.context;
  const deltas = [...job.deltas, ...further];
  const events = deltas.map((delta, index) => ({ seq: index + 1, at: 1_000_000 + index, delta }));
  return illegalSteps({ begun: createState(job.origin, 1_000_000, workflow), events, workflow }, new Set(["admin"]));
}

function event(name: string, by: string | undefined, ...changes: Change[]): Delta {
  return { cause: { event: name, ...(by === undefined ? {} : { by }) }, changes };
}

const at = 1_000_100;
const claimed: Change = { change: "claimed", task: "b", owner: somebody, at };
const finished: Change = { change: "finished", task: "b", at, state: "success", outgoing: {}, isSettled: true };
const started: Change = { change: "started", task: "b", iteration: 9, at, incoming: {} };
const claimedJob = () => jobIn("running").send({ event: "claim", task: "b", owner: tester, by: tester });

describe("the judge of logs", () => {
  it("finds nothing in what the interpreter does", () => {
    expect(found(jobIn("canceled"))).toEqual([]);
    expect(found(jobIn("complete").send({ event: "watch", watchers: ["w"], by: tester }))).toEqual([]);
    expect(
      found(jobIn("error").send(eventOf.fix).send(eventOf.pause).send(eventOf.revert).send(eventOf.resume)),
    ).toEqual([]);
    const assigned = { event: "assign", task: "b", owner: somebody, by: tester, isAdmin: false } as const;
    expect(found(claimedJob().send(assigned))).toEqual([]);
  });

  it.each([
    ["is asked of a job that is paused", jobIn("paused"), event("finishManualTask", "tester", claimed, finished)],
    ["starts b while paused", jobIn("paused"), event("taskResult", undefined, started)],
    ["starts b while error", jobIn("error"), event("taskResult", undefined, started)],
    ["claims b, which tester has", claimedJob(), event("claim", "somebody", claimed)],
    ["takes b from tester", claimedJob(), event("assign", "somebody", claimed)],
    ["takes b from tester", claimedJob(), event("finishManualTask", "somebody", finished)],
    ["takes b from tester", claimedJob(), event("release", "somebody", { change: "released", task: "b" })],
    ["finishes b for a person", jobIn("running"), event("taskResult", undefined, finished)],
    [
      "retries b, which is running",
      jobIn("running"),
      event("retry", "tester", { change: "retried", task: "b", replaced: {} }),
    ],
    [
      "comes after the job was complete",
      jobIn("complete"),
      event("taskResult", undefined, { change: "failed", error: { task: "b", message: "", timestamp: at } }),
    ],
    [
      "is asked of a job that is canceled",
      jobIn("canceled"),
      event("resume", "tester", { change: "status", status: "running", at }),
    ],
    [
      "the job goes from running to paused",
      jobIn("running"),
      event("resume", "tester", { change: "status", status: "paused", at }),
    ],
    ["deletes a job that is running", jobIn("running"), event("delete", "tester", { change: "deleted", at })],
    [
      "a goes from complete to incomplete by requeued",
      jobIn("running"),
      event("resume", "tester", { change: "requeued", task: "a" }),
    ],
  ])("%s", (complaint, job, further) => {
    expect(found(job, further).join("; ")).toContain(complaint);
  });
});
