import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Job {
  _id: string;
  name: string;
  status: string;
  description: string;
  variables: Record<string, unknown>;
  tasks: Record<string, { status: string; iterations: string[]; finish_state?: string }>;
  error?: { task: string; message: unknown }[];
  metrics: { progress: number; end_time?: number };
  mocked?: string[];
}
interface Envelope<T = Job> {
  message: string;
  data: T;
  metadata: { total: number };
}

const manual = {
  name: "ViewData",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};
const stub = { incoming: { type: "success", delay: "", response: "" } };
const workflows = [
  workflowOf(
    "jobs chain",
    { a1: { incoming: { type: "success", delay: "", response: "$var.job.x" }, outgoing: { response: "$var.job.y" } } },
    ["start > a1", "a1 > end"],
  ),
  workflowOf("jobs manual", { ab: manual, b1: stub }, ["start > ab", "ab > b1", "ab >failure> end", "b1 > end"]),
  workflowOf("jobs error", { a1: { incoming: { type: "error", delay: "", response: "" } } }, [
    "start > a1",
    "a1 > end",
  ]),
  workflowOf(
    "jobs adapter",
    {
      a1: {
        app: "Servicenow",
        location: "Adapter",
        name: "createIncident",
        incoming: { adapter_id: "snow" },
        outgoing: { result: "$var.job.incident" },
      },
    },
    ["start > a1", "a1 > end"],
  ),
  workflowOf("jobs delay", { d: { name: "delay", type: "operation", incoming: { time: 0.05 } } }, [
    "start > d",
    "d > end",
  ]),
  workflowOf(
    "jobs child",
    {
      a1: { incoming: { type: "success", delay: "", response: "$var.job.n" }, outgoing: { response: "$var.job.seen" } },
    },
    ["start > a1", "a1 > end"],
  ),
  workflowOf(
    "jobs parent",
    {
      c: {
        name: "childJob",
        type: "operation",
        actor: "job",
        incoming: {
          task: "",
          workflow: "jobs child",
          variables: { fixed: { task: "static", value: "f" } },
          data_array: "$var.job.list",
          transformation: "",
          loopType: "sequential",
        },
        outgoing: { job_details: "$var.job.details" },
      },
    },
    ["start > c", "c > end"],
  ),
  workflowOf("jobs broken", { a1: stub }, ["start > a1"]),
];

describe("jobs over HTTP", () => {
  let platform: TestPlatform;
  const start = (workflow: string, options: object = {}, wait = 5_000) =>
    platform.send<Envelope>("POST", `/operations-manager/jobs/start?wait=${wait}`, { workflow, options });

  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const workflow of workflows) await platform.importWorkflow(workflow);
  });
  afterAll(() => platform.stop());

  it("answers a start with the job as it is committed: complete when nothing outside is needed", async () => {
    const { data } = await start("jobs chain", { description: "d", variables: { x: { deep: [1] } } }, 0);
    expect(data).toMatchObject({ status: "complete", description: "d", metrics: { progress: 1 } });
    expect(data.variables).toEqual({ x: { deep: [1] }, _id: data._id, initiator: "admin", y: { deep: [1] } });
    expect(data._id).toMatch(/^[0-9a-f]{24}$/u);
    const read = await platform.send<Envelope>("GET", `/operations-manager/jobs/${data._id}`);
    expect(read.data).toEqual(data);
  });

  it("answers the older family with the job at top level", async () => {
    const job = await platform.send<Job>("POST", "/workflow_engine/startJobWithOptions/jobs%20chain", {
      workflow: "jobs chain",
      options: { type: "automation", groups: [], variables: { x: 1 } },
    });
    expect(job.status).toBe("complete");
    expect(await platform.send("GET", `/workflow_engine/job/${job._id}/output`)).toMatchObject({ x: 1, y: 1 });
    expect(await platform.send("GET", `/workflow_engine/job/statuses/${job._id}`)).toEqual({
      workflow_start: "complete",
      a1: "complete",
      workflow_end: "complete",
    });
    const merged = await platform.send<{ tasks: Record<string, { variables: object }> }>(
      "GET",
      `/workflow_engine/getJob/${job._id}`,
    );
    expect(merged.tasks["a1"]?.variables).toMatchObject({ incoming: { response: 1 }, outgoing: { response: 1 } });
    const shallow = await platform.send<{ tasks: Record<string, object> }>(
      "GET",
      `/workflow_engine/getJobShallow/${job._id}`,
    );
    expect(shallow.tasks["a1"]).not.toHaveProperty("app");
  });

  it.each([
    ["no-such-workflow", {}, 404, "Cannot find workflow no-such-workflow"],
    ["jobs broken", {}, 422, "Workflow jobs broken has errors and cannot be started"],
    ["jobs chain", { mocks: { zz: {} } }, 400, "Mocks for tasks the workflow does not have: zz"],
    ["jobs chain", { mocks: { a1: { finish_state: "maybe" } } }, 400, "/body/options/mocks/a1/finish_state"],
    ["jobs chain", { variables: [] }, 400, "/body/options/variables"],
    ["jobs chain", { nonsense: 1 }, 400, "/body/options/nonsense"],
  ])("refuses to start %s with %o: %i", async (workflow, options, status, message) => {
    const reply = await platform.request<{ message: string }>("POST", "/operations-manager/jobs/start", {
      workflow,
      options,
    });
    expect(reply.status).toBe(status);
    expect(reply.body.message).toContain(message);
  });

  it("starts a workflow whose stored errors are no longer true", async () => {
    const id = "5f00000000000000000000cc";
    const task = { name: "transformation", type: "operation", incoming: { tr_id: id, variableMap: {}, options: "" } };
    await platform.importWorkflow(workflowOf("jobs early", { a1: task }, ["start > a1", "a1 > end"]));
    const body = { workflow: "jobs early" };
    expect((await platform.request("POST", "/operations-manager/jobs/start", body)).status).toBe(422);
    const transformation = { _id: id, name: "late", incoming: [], outgoing: [], steps: [], functions: [] };
    await platform.send("POST", "/transformations/import", { transformation });
    expect((await start("jobs early")).data.status).toBe("complete");
  });

  it("says why a job is in error, and runs the failed task again on resume", async () => {
    const { data } = await start("jobs error");
    expect(data.status).toBe("error");
    expect(data.error).toMatchObject([{ task: "a1" }]);
    const resumed = await platform.send<Job>("POST", "/workflow_engine/resumeJob", { job_id: data._id });
    expect(resumed.tasks["a1"]?.iterations).toHaveLength(2);
    expect(resumed.status).toBe("error");
  });

  it("puts a job in error when no adapter serves a task, and mocks take its place", async () => {
    const { data } = await start("jobs adapter");
    expect(data.error).toMatchObject([
      { task: "a1", message: { IAPerror: { displayString: "No adapter serves Servicenow.createIncident" } } },
    ]);
    const mocked = await start("jobs adapter", { mocks: { a1: { outgoing: { result: { number: "INC1" } } } } });
    expect(mocked.data).toMatchObject({
      status: "complete",
      mocked: ["a1"],
      variables: { incident: { number: "INC1" } },
    });
  });

  it("runs child jobs one after the other and shows their variables", async () => {
    const { data } = await start("jobs parent", { variables: { list: [{ n: 1 }, { n: 2 }] } });
    expect(data.status).toBe("complete");
    const details = data.variables["details"] as { status: string; loop: Record<string, unknown>[] };
    expect(details.status).toBe("complete");
    expect(details.loop.map(({ _id, ...variables }) => variables)).toEqual([
      { fixed: "f", n: 1, childJobLoopIndex: 0, initiator: "admin", seen: 1 },
      { fixed: "f", n: 2, childJobLoopIndex: 1, initiator: "admin", seen: 2 },
    ]);
    const child = await platform.send<Envelope<Job & { parent: { job: string }; ancestors: string[] }>>(
      "GET",
      `/operations-manager/jobs/${String(details.loop[0]?.["_id"])}`,
    );
    expect(child.data.parent.job).toBe(data._id);
    expect(child.data.ancestors).toEqual([data._id, child.data._id]);
  });

  it("gives manual tasks to people: list, claim, release, finish", async () => {
    const { data } = await start("jobs manual", {}, 0);
    expect(data.status).toBe("running");
    const tasks = await platform.send<
      Envelope<{ _id: string; taskId: string; status: string; job: { _id: string } }[]>
    >("GET", "/operations-manager/tasks?equals[type]=manual");
    const task = tasks.data.find((candidate) => candidate.job._id === data._id);
    expect(task).toMatchObject({ taskId: "ab", status: "running" });
    const claimed = await platform.send<{ metrics: { owner: string } }>("POST", "/workflow_engine/tasks/claim", {
      task_id: task?._id,
    });
    expect(claimed.metrics.owner).toBe("admin");
    await platform.send("POST", "/workflow_engine/tasks/release", { task_id: task?._id });
    const finished = await platform.send<Job>("POST", "/workflow_engine/finishTask", {
      job_id: data._id,
      task_id: task?._id,
      task_data: { finish_state: "success", variables: {} },
    });
    expect(finished.status).toBe("complete");
    const again = await platform.request("POST", `/operations-manager/jobs/${data._id}/tasks/ab/finish`, {});
    expect(again.status).toBe(409);
  });

  it("pauses, resumes and cancels, and refuses what the state forbids", async () => {
    const { data } = await start("jobs manual", {}, 0);
    const act = (name: string) =>
      platform.request<Envelope<Job[]>>("POST", `/operations-manager/jobs/${name}`, { jobIds: [data._id] });
    expect((await act("pause")).body.data[0]?.status).toBe("paused");
    expect((await act("pause")).status).toBe(409);
    expect((await act("resume")).body.data[0]?.status).toBe("running");
    expect((await act("cancel")).body.data[0]?.status).toBe("canceled");
    expect((await act("resume")).status).toBe(409);
    expect(
      (await platform.request("POST", "/workflow_engine/cancelJob", { job_id: "ffffffffffffffffffffffff" })).status,
    ).toBe(404);
  });

  it("lists headers with exact totals, filtered, sorted and paged", async () => {
    for (const x of [1, 2, 3]) await start("jobs chain", { description: `list ${x}`, variables: { x } });
    const page = await platform.send<Envelope<Job[]>>(
      "GET",
      "/operations-manager/jobs?starts-with[description]=list&sort=description&order=-1&limit=2",
    );
    expect(page.metadata.total).toBe(3);
    expect(page.data.map((job) => job.description)).toEqual(["list 3", "list 2"]);
    const running = await platform.send<Envelope<Job[]>>("GET", "/operations-manager/jobs?in[status]=error,canceled");
    expect(new Set(running.data.map((job) => job.status))).toEqual(new Set(["error", "canceled"]));
  });

  it("goes on after a restart: timers fire, manual tasks wait, nothing is lost", async () => {
    const delayed = await start("jobs delay", {}, 0);
    const waiting = await start("jobs manual", {}, 0);
    platform = await platform.restart();
    const done = await platform.send<Envelope>("GET", `/operations-manager/jobs/${delayed.data._id}?wait=10000`);
    expect(done.data.status).toBe("complete");
    const finished = await platform.send<Envelope>(
      "POST",
      `/operations-manager/jobs/${waiting.data._id}/tasks/ab/finish`,
      { taskData: { finish_state: "failure" } },
    );
    expect(finished.data.status).toBe("complete");
    expect(finished.data.tasks["b1"]?.iterations).toEqual([]);
  });
});
