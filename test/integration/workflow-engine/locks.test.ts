import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Job {
  _id: string;
  status: string;
  compensating?: boolean;
  tasks: Record<string, { status: string; iterations: string[] }>;
  error?: { task: string; message: unknown }[];
}
interface Ticket {
  job: string;
  task: string;
  iteration: string;
}
interface Locks {
  results: { key: string; holder: Ticket; waiters: Ticket[]; waiting: number }[];
  total: number;
}

const manual = {
  name: "ViewData",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};
const child = (workflow: string) => ({
  name: "childJob",
  type: "operation",
  actor: "job",
  incoming: { task: "", workflow, variables: {}, data_array: "", transformation: "", loopType: "" },
  outgoing: { job_details: "" },
});
const workflows = [
  workflowOf("locks one", { a1: { ...manual, lock: { name: "$var.job.lock" } } }, ["start > a1", "a1 > end"]),
  workflowOf("locks inner", { a1: { ...manual, lock: "section" } }, ["start > a1", "a1 > end"]),
  workflowOf("locks middle", { c1: child("locks inner") }, ["start > c1", "c1 > end"]),
  workflowOf("locks outer", { c1: { ...child("locks middle"), lock: "section" } }, ["start > c1", "c1 > end"]),
  workflowOf(
    "locks undo",
    { a1: { incoming: { type: "success", delay: "", response: "" }, compensation: "c1" }, b1: manual, c1: manual },
    ["start > a1", "a1 > b1", "b1 > end"],
  ),
];

describe("locks over HTTP", () => {
  let platform: TestPlatform;
  const start = async (workflow: string, variables: object = {}): Promise<string> => {
    const body = { workflow, options: { variables } };
    return (await platform.send<{ data: Job }>("POST", "/operations-manager/jobs/start", body)).data._id;
  };
  const job = async (id: string) => (await platform.send<{ data: Job }>("GET", `/operations-manager/jobs/${id}`)).data;
  const locks = () => platform.send<Locks>("GET", "/workflow_engine/locks");
  const finish = (id: string, task: string) =>
    platform.send("POST", "/workflow_engine/finishTask", {
      job_id: id,
      task_id: task,
      task_data: { finish_state: "success", variables: {} },
    });
  const eventually = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 20_000, interval: 20 });
  const reaches = (id: string, task: string, status: string) =>
    eventually(async () => expect((await job(id)).tasks[task]?.status).toBe(status));

  beforeAll(async () => {
    platform = await startTestPlatform();
    for (const workflow of workflows) await platform.importWorkflow(workflow);
  });
  afterAll(() => platform.stop());

  it("go to who came first, one after the other, also over a restart", async () => {
    const lock = "restarted";
    const jobs: string[] = [];
    for (let n = 0; n < 4; n++) {
      jobs.push(await start("locks one", { lock }));
      await eventually(async () => {
        const found = (await locks()).results.find(({ key }) => key === "name:restarted");
        expect(found && [found.holder, ...found.waiters].map((ticket) => ticket.job)).toEqual(jobs);
      });
    }
    platform = await platform.restart();
    for (const [index, id] of jobs.entries()) {
      await reaches(id, "a1", "running");
      const later = await Promise.all(jobs.slice(index + 1).map(job));
      expect(later.map(({ tasks }) => tasks["a1"]?.status)).toEqual(later.map(() => "scheduled"));
      await finish(id, "a1");
    }
    await eventually(async () => expect((await locks()).results.map(({ key }) => key)).not.toContain("name:restarted"));
    for (const id of jobs) expect((await job(id)).tasks["a1"]?.iterations).toHaveLength(1);
  });

  it("are given back by jobs that are canceled, whether they hold or wait; paused ones are passed over", async () => {
    const [holder, waiter, paused, last] = await inOrder("canceled", 4);
    await platform.send("POST", "/operations-manager/jobs/pause", { jobIds: [paused] });
    await platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: [waiter] });
    await platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: [holder] });
    await reaches(last, "a1", "running");
    await platform.send("POST", "/operations-manager/jobs/resume", { jobIds: [paused] });
    await reaches(paused, "a1", "scheduled");
    await finish(last, "a1");
    await reaches(paused, "a1", "running");
    await finish(paused, "a1");
    expect((await job(paused)).status).toBe("complete");
  });

  const inOrder = async (lock: string, count: number): Promise<[string, string, string, string]> => {
    const jobs: string[] = [];
    for (let n = 0; n < count; n++) {
      jobs.push(await start("locks one", { lock }));
      await eventually(async () => {
        const found = (await locks()).results.find(({ key }) => key === `name:${lock}`);
        expect(1 + (found?.waiting ?? -1)).toBe(jobs.length);
      });
    }
    return jobs as [string, string, string, string];
  };

  it("have one holder when many ask at once", async () => {
    const jobs = await Promise.all(Array.from({ length: 12 }, () => start("locks one", { lock: "crowd" })));
    const done = new Set<string>();
    while (done.size < jobs.length) {
      const found = await eventually(async () => {
        const lock = (await locks()).results.find(({ key }) => key === "name:crowd");
        expect(lock && !done.has(lock.holder.job)).toBe(true);
        await expect(job(lock?.holder.job ?? "")).resolves.toMatchObject({ tasks: { a1: { status: "running" } } });
        return lock;
      });
      const states = await Promise.all(jobs.map(job));
      expect(states.filter(({ tasks }) => tasks["a1"]?.status === "running")).toHaveLength(1);
      await finish(found?.holder.job ?? "", "a1");
      done.add(found?.holder.job ?? "");
    }
  });

  it("are refused to a task of the section that holds them", async () => {
    const outer = await start("locks outer");
    await eventually(async () => {
      const { data } = await platform.send<{ data: Job[] }>("GET", "/operations-manager/jobs?equals[name]=locks inner");
      expect(data.map(({ status }) => status)).toEqual(["error"]);
      expect(JSON.stringify(data[0]?.error)).toContain(
        "is held by the loop or child job task that this task is part of",
      );
    });
    await platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: [outer] });
    await eventually(async () => expect((await locks()).results.map(({ key }) => key)).not.toContain("name:section"));
  });

  it("are shown to administrators only, page by page", async () => {
    const jobs = await Promise.all(["p1", "p2", "p3"].map((lock) => start("locks one", { lock })));
    await eventually(async () => expect((await locks()).total).toBeGreaterThanOrEqual(3));
    const page = await platform.send<Locks>("GET", "/workflow_engine/locks?limit=1&skip=1");
    expect([page.results.length, page.total >= 3]).toEqual([1, true]);
    expect((await platform.request("GET", "/workflow_engine/locks", undefined, null)).status).toBe(401);
    expect((await platform.request("GET", "/workflow_engine/locks?limit=0")).status).toBe(400);
    await platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: jobs });
  });

  it("compensation shows in the job, and force leaves it out", async () => {
    const id = await start("locks undo");
    const canceled = await platform.send<Job>("POST", "/workflow_engine/cancelJob", { job_id: id });
    expect(canceled).toMatchObject({ status: "running", compensating: true, tasks: { b1: { status: "canceled" } } });
    const listed = await platform.send<{ data: Job[] }>("GET", `/operations-manager/jobs?equals[_id]=${id}`);
    expect(listed.data[0]).toMatchObject({ compensating: true });
    expect((await platform.request("POST", "/workflow_engine/cancelJob", { job_id: id })).status).toBe(409);
    platform = await platform.restart();
    const forced = await platform.send<Job>("POST", "/workflow_engine/cancelJob", { job_id: id, force: true });
    expect([forced.status, forced.compensating, forced.tasks["c1"]?.status]).toEqual([
      "canceled",
      undefined,
      "canceled",
    ]);
    const reply = await platform.request("POST", "/workflow_engine/pauseJob", { job_id: id, force: true });
    expect(reply.status).toBe(400);
  });
});
