import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobStatus } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { jobOperations, type JobOperation } from "../../../src/workflow-engine/interpreter/state-machines.ts";
import { startTestPlatform, type TestPlatform, type TestReply } from "../../support/platform.ts";
import { addSearchPerson } from "../../support/search-people.ts";
import { twoPeople } from "../../support/repairs.ts";

interface Job {
  _id: string;
  status: JobStatus;
  tasks: Record<string, { status: string; iterations: string[] }>;
}

const statuses: readonly JobStatus[] = ["running", "paused", "error", "complete", "canceled"];

/** What §7.1 lists beside the operations that events carry out. */
type Operation = JobOperation | "watch" | "group" | "delete";

type Ends = Partial<Record<JobStatus, JobStatus | "deleted">>;
const always: Ends = Object.fromEntries(statuses.map((status) => [status, status]));

/** The table of workflow-engine.md §7.1: the job's status afterwards; otherwise the operation is refused. */
const table: Record<Operation, Ends> = {
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
  assign: { running: "running", paused: "paused", error: "error" },
  finish: { running: "running", error: "error" },
  watch: always,
  group: always,
  delete: { complete: "deleted", canceled: "deleted" },
};
const operations = Object.keys(table) as Operation[];
const families = ["workflow_engine", "operations-manager"] as const;
type Family = (typeof families)[number];
/** What one family alone has. */
const onlyFamily: Partial<Record<Operation, Family>> = {
  fix: "workflow_engine",
  assign: "operations-manager",
  delete: "operations-manager",
};
const cells = families.flatMap((family) =>
  operations
    .filter((operation) => (onlyFamily[operation] ?? family) === family)
    .flatMap((operation) =>
      statuses.map((status) => ({ family, operation, status, ends: table[operation][status] ?? "refused" })),
    ),
);

it("the table is that of the commands", () => {
  const listed = Object.entries(jobOperations).map(([operation, { leads }]) => [operation, leads]);
  const tested = listed.map(([operation]) => [
    operation,
    { ...table[operation as Operation], ...(operation === "retry" ? { running: "running" } : {}) },
  ]);
  for (const [index, [operation, ends]] of tested.entries()) {
    const leads = listed[index]?.[1] as Record<string, readonly string[]>;
    expect([operation, Object.keys(ends as object).sort()]).toEqual([operation, Object.keys(leads).sort()]);
    for (const [status, end] of Object.entries(ends as object)) expect(leads[status]).toContain(end);
  }
});

describe("operations by the status of the job", () => {
  let platform: TestPlatform;
  let groupId: string;
  const workflow = twoPeople("by state");

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(workflow);
    groupId = (await addSearchPerson(platform, "by-state")).groupId;
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

  type Call = readonly [method: string, path: string, body?: object];

  function olderCalls({ _id, tasks }: Job): Partial<Record<Operation, Call>> {
    const id = { job_id: _id };
    const iteration = { task_id: tasks["b"]?.iterations.at(-1) };
    return {
      pause: ["POST", "pauseJob", id],
      resume: ["POST", "resumeJob", id],
      cancel: ["POST", "cancelJob", id],
      fix: ["POST", "fixJob", { ...id, errored_task: "e", revert_task: "a" }],
      revert: ["POST", "revertToTask", { ...id, current_task: "e", target_task: "a" }],
      continue: ["POST", `jobs/${_id}/continueJob`, { fromTask: "c" }],
      retry: ["POST", `jobs/${_id}/retryTask`, { task_id: "e" }],
      claim: ["POST", "tasks/claim", iteration],
      release: ["POST", "tasks/release", iteration],
      finish: ["POST", "finishTask", { ...id, task_id: "b", task_data: { finish_state: "success" } }],
      watch: ["PUT", `job/${_id}/watch`],
      group: ["PUT", `jobs/${_id}/groups`, { groups: [groupId] }],
    };
  }

  function newerCalls({ _id, tasks }: Job): Partial<Record<Operation, Call>> {
    const jobs = { jobIds: [_id] };
    const task = `tasks/${tasks["b"]?.iterations.at(-1)}`;
    return {
      pause: ["POST", "jobs/pause", jobs],
      resume: ["POST", "jobs/resume", jobs],
      cancel: ["POST", "jobs/cancel", jobs],
      revert: ["POST", `jobs/${_id}/revert`, { fromTask: "e", toTask: "a" }],
      continue: ["POST", `jobs/${_id}/continue`, { fromTask: "c" }],
      retry: ["POST", `jobs/${_id}/tasks/e/retry`],
      claim: ["POST", `${task}/claim`],
      assign: ["POST", `${task}/assign`, { username: "admin" }],
      release: ["POST", `${task}/release`],
      finish: ["POST", `jobs/${_id}/tasks/b/finish`],
      watch: ["POST", `jobs/${_id}/watch`],
      group: ["PUT", `jobs/${_id}/groups`, { groups: [groupId] }],
      delete: ["DELETE", `jobs/${_id}`],
    };
  }

  function perform(family: Family, operation: Operation, job: Job): Promise<TestReply<{ message: string }>> {
    const calls = family === "workflow_engine" ? olderCalls(job) : newerCalls(job);
    const [method, path, body] = calls[operation] ?? ["GET", "nowhere"];
    return platform.request(method, `/${family}/${path}`, body);
  }

  it.each(cells)("$family: $operation of a job that is $status: $ends", async ({ family, operation, status, ends }) => {
    const job = await jobIn(status);
    const reply = await perform(family, operation, job);
    if (ends === "refused") {
      expect(reply.status).toBe(409);
      expect(reply.body.message).toMatch(/^(Job|Task)/u);
      expect(await read(job._id)).toEqual(job);
      return;
    }
    expect(reply).toMatchObject({ status: 200 });
    if (ends !== "deleted") expect((await read(job._id)).status).toBe(ends);
    else expect((await platform.request("GET", `/operations-manager/jobs/${job._id}`)).status).toBe(404);
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
