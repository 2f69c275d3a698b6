import type { JobEvent } from "../../src/workflow-engine/interpreter/events.ts";
import type { JobStatus } from "../../src/workflow-engine/interpreter/job-state.ts";
import type { JobOperation } from "../../src/workflow-engine/interpreter/state-machines.ts";
import { SimulatedJob, tester } from "./simulated-job.ts";
import { workflowOf } from "./workflow-builder.ts";

const by = tester;
const manual = { name: "ViewData", type: "manual", view: "/workflow_engine/task/ViewData" };

/** `c` and `a` are computed; then two people have to decide, side by side. */
export const twoPeople = (name: string, incoming: Record<string, unknown> = {}) =>
  workflowOf(
    name,
    {
      c: { incoming: { type: "success", delay: "", response: "" } },
      a: { incoming: { type: "success", delay: "", response: "" } },
      b: { ...manual, summary: "first person", incoming },
      e: { ...manual, summary: "second person", incoming },
    },
    ["start > c", "c > a", "a > b", "a > e", "b > end", "e > end"],
  );

/** The event of each operation on a job of `twoPeople`. */
export const eventOf: Readonly<Record<JobOperation, JobEvent>> = {
  pause: { event: "pause", by },
  resume: { event: "resume", by },
  cancel: { event: "cancel", by },
  fix: { event: "fix", from: "e", to: "a", by },
  revert: { event: "revert", from: "e", to: "a", by },
  continue: { event: "continue", fromTask: "c", by },
  retry: { event: "retry", task: "e", by },
  claim: { event: "claim", task: "b", owner: tester, by },
  assign: { event: "assign", task: "b", owner: tester, by, isAdmin: true },
  release: { event: "release", task: "b", by, isAdmin: true },
  finish: { event: "finishManualTask", task: "b", finishState: "success", variables: {}, by },
};

/** A manual task ends in error, which holds the job. */
export function failTask(job: SimulatedJob, task: string): SimulatedJob {
  return job.send({ event: "finishManualTask", task, finishState: "error", variables: {}, by });
}

/** A job of `twoPeople` in a status; in error because `e` failed. */
export function jobIn(status: JobStatus): SimulatedJob {
  const job = new SimulatedJob(twoPeople("two people"));
  const steps: Readonly<Record<JobStatus, () => unknown>> = {
    running: () => job,
    paused: () => job.send(eventOf.pause),
    error: () => failTask(job, "e"),
    complete: () => job.finish("b").finish("e"),
    canceled: () => job.send(eventOf.cancel),
  };
  steps[status]();
  return job;
}

/** A running job of `twoPeople` in which `e` is held in error: a repair of `b` left it so. */
export function jobWithErrorLeft(): SimulatedJob {
  return failTask(failTask(jobIn("running"), "e"), "b").send({ event: "fix", from: "b", to: "b", by });
}
