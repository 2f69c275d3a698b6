import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobStatus } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { startTestPlatform, type TestPlatform, type TestReply } from "../../support/platform.ts";
import { twoPeople } from "../../support/repairs.ts";

interface Job {
  _id: string;
  status: JobStatus;
  tasks: Record<string, { status: string; iterations: string[] }>;
}

const statuses: readonly JobStatus[] = ["running", "paused", "error", "complete", "canceled"];

type Operation =
  | "pause"
  | "resume"
  | "cancel"
  | "fix"
  | "revert"
  | "continue"
  | "retry"
  | "claim"
  | "release"
  | "finish";

/** The table of workflow-engine.md §7.1: the job's status afterwards, or that the operation is refused. */
const table: Record<Operation, Partial<Record<JobStatus, JobStatus>>> = {
  pause: { running: "paused" },
  resume: { paused: "running", error: "running" },
  cancel: { running: "canceled", paused: "canceled", error: "canceled" },
  fix: { error: "running" },
  revert: { running: "running", paused: "paused", error: "running" },
  continue: { running: "running", paused: "paused", error: "running" },
  // In a running job nothing is in error, unless a repair left it so: see below.
  retry: { error: "running" },
  claim: { running: "running", paused: "paused", error: "error" },
  release: { running: "running", paused: "paused", error: "error" },
  finish: { running: "running", error: "error" },
};
const operations = Object.keys(table) as Operation[];
const cells = operations.flatMap((operation) =>
  statuses.map((status) => ({ operation, status, ends: table[operation][status] })),
);

describe("operations by the status of the job", () => {
  let platform: TestPlatform;
  const workflow = twoPeople("by state");

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(workflow);
  });
  afterAll(() => platform.stop());

  const older = (path: string, body: object) =>
    platform.request<Job & { message: string }>("POST", `/workflow_engine/${path}`, body);
  const read = async (jobId: string) =>
    (await platform.send<{ data: Job }>("GET", `/operations-manager/jobs/${jobId}`)).data;
  const finish = (jobId: string, task: string, state = "success") =>
    older("finishTask", { job_id: jobId, task_id: task, task_data: { finish_state: state, variables: {} } });

  /** A job in a status; in error because the second person failed. */
  async function jobIn(status: JobStatus): Promise<Job> {
    const { _id } = (await older("startJobWithOptions/by%20state", { options: {} })).body;
    const lead: Record<JobStatus, () => Promise<unknown>> = {
      running: async () => undefined,
      paused: () => older("pauseJob", { job_id: _id }),
      error: () => finish(_id, "e", "error"),
      complete: () => finish(_id, "b").then(() => finish(_id, "e")),
      canceled: () => older("cancelJob", { job_id: _id }),
    };
    await lead[status]();
    const job = await read(_id);
    expect(job.status).toBe(status);
    return job;
  }

  function perform(operation: Operation, { _id, tasks }: Job): Promise<TestReply<{ message: string }>> {
    const id = { job_id: _id };
    const iteration = { task_id: tasks["b"]?.iterations.at(-1) };
    const calls: Record<Operation, () => Promise<TestReply<{ message: string }>>> = {
      pause: () => older("pauseJob", id),
      resume: () => older("resumeJob", id),
      cancel: () => older("cancelJob", id),
      fix: () => older("fixJob", { ...id, errored_task: "e", revert_task: "a" }),
      revert: () => older("revertToTask", { ...id, current_task: "e", target_task: "a" }),
      continue: () => older(`jobs/${_id}/continueJob`, { fromTask: "c" }),
      retry: () => older(`jobs/${_id}/retryTask`, { task_id: "e" }),
      claim: () => older("tasks/claim", iteration),
      release: () => older("tasks/release", iteration),
      finish: () => finish(_id, "b"),
    };
    return calls[operation]();
  }

  it.each(cells)("$operation of a job that is $status: $ends", async ({ operation, status, ends }) => {
    const job = await jobIn(status);
    const reply = await perform(operation, job);
    const after = await read(job._id);
    if (ends) {
      expect(reply).toMatchObject({ status: 200 });
      expect(after.status).toBe(ends);
    } else {
      expect(reply.status).toBe(409);
      expect(reply.body.message).toMatch(/^(Job|Task)/u);
      expect(after).toEqual(job);
    }
  });

  it("retry in a running job: a task that a repair of another left in error", async () => {
    const { _id } = await jobIn("error");
    await finish(_id, "b", "error");
    const fixed = await older("fixJob", { job_id: _id, errored_task: "b", revert_task: "b" });
    expect([fixed.body.status, fixed.body.tasks["e"]?.status]).toEqual(["running", "error"]);
    const retried = await older(`jobs/${_id}/retryTask`, { task_id: "e" });
    expect([retried.body.status, retried.body.tasks["e"]?.status]).toEqual(["running", "running"]);
  });

  it("what a task had done is done again after a revert, and only that", async () => {
    const job = await jobIn("running");
    const after = (await older("revertToTask", { job_id: job._id, current_task: "e", target_task: "a" })).body;
    const runs = (of: Job) =>
      Object.fromEntries(Object.entries(of.tasks).map(([id, { iterations }]) => [id, iterations.length]));
    expect(runs(job)).toMatchObject({ c: 1, a: 1, b: 1, e: 1 });
    expect(runs(after)).toMatchObject({ c: 1, a: 2, b: 2, e: 2 });
    const stale = await older("tasks/claim", { task_id: job.tasks["b"]?.iterations[0] });
    expect([404, 409]).toContain(stale.status);
  });
});
