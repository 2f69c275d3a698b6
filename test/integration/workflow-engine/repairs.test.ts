import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { untilTrue } from "../../support/manual-work.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { twoPeople } from "../../support/repairs.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Job {
  _id: string;
  status: string;
  tasks: Record<string, { status: string; iterations: string[] }>;
  error?: { task: string }[];
}
interface Failure {
  message: string;
  metadata: { errors: { path: string; message: string }[] };
}
interface Preview {
  dryRun: true;
  job: { _id: string; status: string };
  tasks: Record<"reset" | "run" | "stay" | "canceled", string[]>;
  childJobs: { canceled: string[] };
}

/** Every repair, each with a job in error because `e` failed. `at` is where the answer has the job. */
const routes = [
  {
    name: "fixJob",
    path: () => "/workflow_engine/fixJob",
    body: (id: string) => ({ job_id: id, errored_task: "e", revert_task: "a" }),
  },
  {
    name: "revertToTask",
    path: () => "/workflow_engine/revertToTask",
    body: (id: string) => ({ job_id: id, current_task: "e", target_task: "a" }),
  },
  {
    name: "continueJob",
    path: (id: string) => `/workflow_engine/jobs/${id}/continueJob`,
    body: () => ({ fromTask: "c" }),
  },
  { name: "retryTask", path: (id: string) => `/workflow_engine/jobs/${id}/retryTask`, body: () => ({ taskId: "e" }) },
  {
    name: "revert (newer)",
    path: (id: string) => `/operations-manager/jobs/${id}/revert`,
    body: () => ({ fromTask: "e", toTask: "a" }),
  },
  {
    name: "revert (newer, underscore)",
    path: (id: string) => `/operations_manager/jobs/${id}/revert`,
    body: () => ({ toTask: "a" }),
  },
  {
    name: "continue (newer)",
    path: (id: string) => `/operations-manager/jobs/${id}/continue`,
    body: () => ({ fromTask: "c" }),
  },
  { name: "retry (newer)", path: (id: string) => `/operations-manager/jobs/${id}/tasks/e/retry`, body: () => ({}) },
];

describe("repairs of jobs over HTTP", () => {
  let platform: TestPlatform;

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(twoPeople("repairs", { header: "h", message: "$var.job.text" }));
    await platform.importWorkflow(
      workflowOf(
        "repairs parent",
        {
          a: { incoming: { type: "success", delay: "", response: "" } },
          c: {
            name: "childJob",
            type: "operation",
            actor: "job",
            incoming: {
              task: "",
              workflow: "repairs",
              variables: {},
              data_array: "",
              transformation: "",
              loopType: "",
            },
          },
        },
        ["start > a", "a > c", "c > end"],
      ),
    );
  });
  afterAll(() => platform.stop());

  async function start(workflow = "repairs", options: object = {}): Promise<Job> {
    const reply = await platform.send<{ data: Job }>("POST", "/operations-manager/jobs/start", { workflow, options });
    return reply.data;
  }
  const read = async (id: string) => (await platform.send<{ data: Job }>("GET", `/operations-manager/jobs/${id}`)).data;
  const finish = (id: string, task: string, finish_state: string) =>
    platform.send("POST", `/operations-manager/jobs/${id}/tasks/${task}/finish`, { taskData: { finish_state } });
  async function failedJob(options: object = {}): Promise<Job> {
    const { _id } = await start("repairs", options);
    await finish(_id, "e", "error");
    const job = await read(_id);
    expect(job.status).toBe("error");
    return job;
  }
  /** The job, wherever the family has it. */
  const jobOf = (body: Job | { data: Job }): Job => ("data" in body ? body.data : body);

  describe.each(routes)("$name", ({ path, body }) => {
    it("runs the job again", async () => {
      const { _id } = await failedJob();
      const reply = await platform.request<Job | { data: Job }>("POST", path(_id), body(_id));
      expect(reply).toMatchObject({ status: 200 });
      const job = jobOf(reply.body);
      expect([job._id, job.status, job.tasks["e"]?.status, job.error]).toEqual([_id, "running", "running", undefined]);
      expect(job.tasks["e"]?.iterations).toHaveLength(2);
      expect(await read(_id)).toEqual(job);
    });

    it("changes nothing on a dry run, and says what would be", async () => {
      const job = await failedJob();
      const reply = await platform.request<Preview | { data: Preview }>(
        "POST",
        `${path(job._id)}?dryRun=true`,
        body(job._id),
      );
      expect(reply.status).toBe(200);
      const preview = "data" in reply.body ? reply.body.data : reply.body;
      expect(preview).toMatchObject({ dryRun: true, job: { _id: job._id, status: "running" } });
      expect(preview.tasks.reset).toContain("e");
      expect(preview.tasks.run).toHaveLength(1);
      expect(await read(job._id)).toEqual(job);
    });

    it("refuses on a dry run what it would refuse", async () => {
      const { _id } = await start();
      await platform.send("POST", "/workflow_engine/cancelJob", { job_id: _id });
      const wet = await platform.request<Failure>("POST", path(_id), body(_id));
      const dry = await platform.request<Failure>("POST", `${path(_id)}?dryRun=true`, body(_id));
      expect([wet.status, wet.body.message]).toEqual([409, expect.stringMatching(/^Job is canceled and cannot /u)]);
      expect(dry.body).toEqual(wet.body);
    });
  });

  it.each([
    ["continueJob", {}, 400, "Name one task: as fromTask, task, task_id, taskId"],
    ["continueJob", { fromTask: "c", task: "a" }, 400, "Name one task"],
    ["continueJob", { task: "ViewData" }, 400, "Several tasks are named ViewData: b (first person), e (second person)"],
    ["continueJob", { task_id: "zz" }, 404, "The job has no task zz"],
    ["continueJob", { taskId: "e" }, 409, "Task e ended in error and has no transition for it"],
    ["retryTask", {}, 400, "Name one task: as task_id, taskId, task"],
    [
      "retryTask",
      { task: "e", variables: { hader: 1 } },
      400,
      "Task e has no incoming variable hader. It has header, message",
    ],
    ["retryTask", { task: "e", variables: [] }, 400, "/body/variables"],
    ["retryTask", { task: "b" }, 409, "Task b is running: only a task in error is retried"],
  ])("%s refuses %o: %i %s", async (name, body, status, message) => {
    const { _id } = await failedJob();
    const reply = await platform.request<Failure>("POST", `/workflow_engine/jobs/${_id}/${name}`, body);
    expect([reply.status, reply.body.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it("takes names and summaries of tasks, and identifiers of iterations", async () => {
    const { _id, tasks } = await failedJob();
    const retried = await platform.send<Job>("POST", `/workflow_engine/jobs/${_id}/retryTask`, {
      task: "second person",
    });
    expect(retried.tasks["e"]?.iterations).toHaveLength(2);
    await finish(_id, "e", "error");
    const stale = await platform.request<Failure>("POST", `/workflow_engine/jobs/${_id}/retryTask`, {
      task_id: tasks["e"]?.iterations[0],
    });
    expect(stale.status).toBe(404);
    const iteration = retried.tasks["e"]?.iterations[1] ?? "";
    const again = await platform.send<{ data: Job }>(
      "POST",
      `/operations-manager/jobs/${_id}/tasks/${iteration}/retry`,
    );
    expect(again.data.tasks["e"]?.iterations).toHaveLength(3);
  });

  it("retries with other values, which a restart does not lose", async () => {
    // Too large for the log, where it is kept by reference.
    const given = { deep: ["$var.job.text"], text: "large".repeat(60_000) };
    const { _id } = await failedJob({ variables: { text: "as started" } });
    await finish(_id, "b", "error");
    const held = await platform.send<{ message: string; data: Job }>(
      "POST",
      `/operations-manager/jobs/${_id}/tasks/e/retry`,
      {
        variables: { message: given },
      },
    );
    expect([held.message, held.data.status]).toEqual(["Successfully applied retry", "error"]);
    platform = await platform.restart();
    const job = await platform.send<Job>("POST", `/workflow_engine/jobs/${_id}/retryTask`, { taskId: "b" });
    expect(job.status).toBe("running");
    const incomingOf = async (task: string) => {
      const id = job.tasks[task]?.iterations.at(-1);
      const shown = await platform.send<{ data: { variables: { incoming: object } } }>(
        "GET",
        `/operations-manager/tasks/${id}`,
      );
      return shown.data.variables.incoming;
    };
    expect(await incomingOf("e")).toEqual({ header: "h", message: given });
    expect(await incomingOf("b")).toEqual({ header: "h", message: "as started" });
  });

  it("goes back to the start of a job when no task is named", async () => {
    const { _id } = await failedJob();
    const body = (await platform.send<{ data: Job }>("POST", `/operations-manager/jobs/${_id}/revert`)).data;
    expect([body.tasks["c"]?.iterations.length, body.tasks["b"]?.iterations.length]).toEqual([2, 2]);
    const named = await platform.send<{ data: Job }>("POST", `/operations-manager/jobs/${_id}/revert`, {
      toTask: "workflow_start",
    });
    expect(named.data.tasks["c"]?.iterations.length).toBe(3);
  });

  it("finds the task to go on from when none is named", async () => {
    const { _id } = await failedJob();
    await finish(_id, "b", "success");
    const { data } = await platform.send<{ data: Job }>("POST", `/operations-manager/jobs/${_id}/continue`);
    expect([data.status, data.tasks["a"]?.iterations.length, data.tasks["e"]?.iterations.length]).toEqual([
      "running",
      1,
      2,
    ]);
  });

  it("cancels the child jobs of what is reset, and previews it", async () => {
    const parent = await start("repairs parent");
    const children = async (status: string) =>
      (
        await platform.send<{ data: { _id: string }[] }>(
          "GET",
          `/operations-manager/jobs?equals[parent.job]=${parent._id}&equals[status]=${status}`,
        )
      ).data.map((job) => job._id);
    // A child that is canceled before it was started never comes to be.
    const [child] = await untilTrue(
      () => children("running"),
      (found) => found.length === 1,
    );
    const preview = await platform.send<{ data: Preview }>(
      "POST",
      `/operations-manager/jobs/${parent._id}/revert?dryRun=true`,
      { toTask: "a" },
    );
    expect(preview.data.tasks).toEqual({ reset: ["a", "c"], run: ["a"], stay: ["workflow_start"], canceled: ["c"] });
    expect(preview.data.childJobs.canceled).toEqual([child]);
    await platform.send("POST", `/operations-manager/jobs/${parent._id}/revert`, { fromTask: "c", toTask: "a" });
    const ended = await platform.send<{ data: Job }>("GET", `/operations-manager/jobs/${child}?wait=10000`);
    expect(ended.data.status).toBe("canceled");
    expect(await children("canceled")).toEqual([child]);
    await platform.send("POST", "/workflow_engine/cancelJob", { job_id: parent._id });
  });

  it.each([
    ["/workflow_engine/pauseJob", "paused"],
    ["/workflow_engine/cancelJob", "canceled"],
  ])("previews %s", async (path, status) => {
    const job = await start();
    const preview = await platform.send<Preview>("POST", `${path}?dryRun=true`, { job_id: job._id });
    expect(preview.job).toEqual({ _id: job._id, status });
    expect(preview.tasks.canceled).toEqual(status === "canceled" ? ["b", "e"] : []);
    expect(await read(job._id)).toEqual(job);
  });

  it("previews pausing, resuming and canceling several jobs", async () => {
    const failed = await failedJob();
    const second = await failedJob();
    const jobIds = [failed._id, second._id];
    const ask = (name: string) =>
      platform.request<{ message: string; data: Preview[] }>("POST", `/operations-manager/jobs/${name}?dryRun=true`, {
        jobIds,
      });
    const resume = await ask("resume");
    expect(resume.body.message).toBe("Nothing was changed: this is what resume would do");
    expect(resume.body.data.map(({ tasks }) => tasks.run)).toEqual([["e"], ["e"]]);
    expect((await ask("cancel")).body.data.map(({ job }) => job.status)).toEqual(["canceled", "canceled"]);
    expect((await ask("pause")).status).toBe(409);
    expect([await read(failed._id), await read(second._id)]).toEqual([failed, second]);
  });
});
