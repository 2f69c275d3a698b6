import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addWorker,
  iterationOf,
  readJob,
  startJob,
  viewData,
  type Enveloped,
  type Refusal,
} from "../../support/manual-work.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import type { SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Row {
  _id: string;
  taskId: string;
  job: { _id: string };
  metrics: { owner: string };
}

const unknownTask = "00000000-0000-4000-8000-000000000001";

describe("work lists and manual tasks of groups", () => {
  let platform: TestPlatform;
  let ann: SearchPerson;
  let bob: SearchPerson;
  let reader: SearchPerson;

  beforeAll(async () => {
    platform = await startTestPlatform();
    [ann, bob, reader] = [
      await addWorker(platform, "ann", "operator"),
      await addWorker(platform, "bob", "operator"),
      await addWorker(platform, "reader", "readonly"),
    ];
    await platform.importWorkflow(workflowOf("for all", { ab: viewData }, ["start > ab", "ab > end"]));
    await platform.importWorkflow(
      workflowOf("for bob", { ab: { ...viewData, groups: [bob.groupId] } }, ["start > ab", "ab > end"]),
    );
    await platform.importWorkflow(
      workflowOf("for everybody", { ab: { ...viewData, groups: ["default"] } }, ["start > ab", "ab > end"]),
    );
    await platform.importWorkflow(
      workflowOf("waits alone", { d: { name: "delay", type: "operation", incoming: { time: 3600 } } }, [
        "start > d",
        "d > end",
      ]),
    );
  });
  afterAll(() => platform.stop());

  const tasks = async (query: string, token?: string) =>
    (await platform.request<Enveloped<Row[]>>("GET", `/operations-manager/tasks?${query}`, undefined, token)).body;
  const claim = (taskId: string, token?: string) =>
    platform.request<Enveloped<Row>>("POST", `/operations-manager/tasks/${taskId}/claim`, {}, token);
  const release = (taskId: string, token?: string) =>
    platform.request("POST", `/operations-manager/tasks/${taskId}/release`, {}, token);
  const assign = <T = Enveloped<Row>>(taskId: string, body: object, token?: string) =>
    platform.request<T>("POST", `/operations-manager/tasks/${taskId}/assign`, body, token);
  const finish = (jobId: string, task: string, token?: string) =>
    platform.request<Refusal>("POST", `/operations-manager/jobs/${jobId}/tasks/${task}/finish`, {}, token);
  const begin = async (workflow: string, options: object = {}) => {
    const job = await startJob(platform, workflow, options);
    return { jobId: job._id, task: await iterationOf(platform, job._id, "ab") };
  };

  it("show what one has claimed, what nobody has, and both, with exact totals", async () => {
    await startJob(platform, "waits alone");
    const [mine, free, bobs] = [await begin("for all"), await begin("for all"), await begin("for all")];
    const hidden = await begin("for all", { groups: [bob.groupId] });
    await claim(mine.task, ann.token);
    await claim(bobs.task, bob.token);
    const seen = async (query: string, token: string) => {
      const { data, metadata } = await tasks(`${query}&limit=1000`, token);
      expect(metadata.total).toBe(data.length);
      const ids = new Set(data.map((row) => row._id));
      return [mine, free, bobs, hidden].map(({ task }) => ids.has(task));
    };
    expect(await seen("view=mine", ann.token)).toEqual([true, false, false, false]);
    expect(await seen("view=unclaimed", ann.token)).toEqual([false, true, false, false]);
    expect(await seen("view=actionable", ann.token)).toEqual([true, true, false, false]);
    expect(await seen("view=actionable", bob.token)).toEqual([false, true, true, true]);
    expect(await seen("equals[metrics.owner]=ann&equals[status]=running&equals[type]=manual", bob.token)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await seen("equals[type]=manual", ann.token)).toEqual([true, true, true, false]);
    const named = await tasks("view=actionable&equals[job.name]=for%20all&limit=1", ann.token);
    expect([named.data.length, named.metadata.total]).toEqual([1, 2]);
  });

  it("refuse another view, and members that only the platform knows", async () => {
    for (const query of ["view=all", "equals[access]=x", "sort=access", "include=access"]) {
      expect([query, (await platform.request("GET", `/operations-manager/tasks?${query}`)).status]).toEqual([
        query,
        400,
      ]);
    }
    const { data } = await tasks("limit=1");
    expect(data[0]).not.toHaveProperty("access");
  });

  it("keep a task of a group from everybody else, wherever it is asked for", async () => {
    const { jobId, task } = await begin("for bob");
    const everybody = await begin("for everybody");
    const listed = async (token?: string) => (await tasks("limit=1000", token)).data.map((row) => row._id);
    expect(await listed(ann.token)).not.toContain(task);
    expect(await listed(ann.token)).toContain(everybody.task);
    expect(await listed(bob.token)).toContain(task);
    expect(await listed()).toContain(task);
    const get = (path: string, token: string) => platform.request("GET", path, undefined, token);
    const routes = (token: string) => [
      get(`/operations-manager/tasks/${task}`, token),
      get(`/workflow_engine/tasks/controller/job/${jobId}/task/ab`, token),
      get(`/operations-manager/jobs/${jobId}/tasks/${task}/manual-controller`, token),
      get(`/workflow_engine/task/ViewData?job=${jobId}&task=ab`, token),
      release(task, token),
      claim(task, token),
      assign(task, { username: "bob" }, token),
      finish(jobId, task, token),
      finish(jobId, "ab", token),
    ];
    expect((await Promise.all(routes(ann.token))).map(({ status }) => status)).toEqual(Array(9).fill(404));
    const bobs: number[] = [];
    for (const path of [`/operations-manager/tasks/${task}`]) bobs.push((await get(path, bob.token)).status);
    bobs.push((await claim(task, bob.token)).status, (await finish(jobId, "ab", bob.token)).status);
    expect(bobs).toEqual([200, 200, 200]);
    expect((await readJob(platform, jobId)).status).toBe("complete");
  });

  it("are claimed once; others neither claim, release, give away nor finish what somebody has", async () => {
    const { jobId, task } = await begin("for all");
    expect((await claim(task, ann.token)).body.data.metrics.owner).toBe("ann");
    expect((await claim(task, ann.token)).status).toBe(200);
    const refused = [
      await claim(task, bob.token),
      await release(task, bob.token),
      await assign(task, { username: "bob" }, bob.token),
      await finish(jobId, "ab", bob.token),
      await finish(jobId, task, bob.token),
      await platform.request(
        "POST",
        "/workflow_engine/finishTask",
        { job_id: jobId, task_id: "ab", task_data: { finish_state: "success", variables: {} } },
        bob.token,
      ),
    ];
    expect(refused.map(({ status }) => status)).toEqual(Array(6).fill(409));
    expect((await finish(jobId, "ab", bob.token)).body.message).toBe("Task is claimed by ann");
    expect((await finish(jobId, task, ann.token)).status).toBe(200);
    expect((await finish(jobId, task, ann.token)).status).toBe(409);
    const other = await begin("for all");
    await claim(other.task, ann.token);
    expect((await finish(other.jobId, "ab")).status).toBe(200);
  });

  it("are assigned to accounts that may see them", async () => {
    const { task } = await begin("for all");
    expect((await assign(task, { username: "bob" }, ann.token)).body.data.metrics.owner).toBe("bob");
    expect((await assign(task, { userId: ann.id }, bob.token)).body.data.metrics.owner).toBe("ann");
    expect((await assign(task, { userId: ann.id }, bob.token)).status).toBe(200);
    expect((await assign(task, { username: "bob" })).body.data.metrics.owner).toBe("bob");
    const mine = await tasks("view=mine", bob.token);
    expect(mine.data.map((row) => row._id)).toContain(task);
    const restricted = await begin("for bob");
    const blind = await assign<Refusal>(restricted.task, { username: "ann" });
    expect([blind.status, blind.body.metadata.errors[0]?.path]).toEqual([400, "/body/username"]);
    const blindClaim = await platform.request("POST", "/workflow_engine/tasks/claim", {
      task_id: restricted.task,
      user: "ann",
    });
    expect(blindClaim.status).toBe(400);
    const ofJob = await begin("for all", { groups: [bob.groupId] });
    expect((await assign(ofJob.task, { userId: ann.id })).status).toBe(400);
    expect((await assign(ofJob.task, { userId: bob.id })).status).toBe(200);
  });

  it.each([
    [{}, 400],
    [{ userId: "x", username: "bob" }, 400],
    [{ username: "" }, 400],
    [{ user: "bob" }, 400],
    [{ username: "nobody" }, 404],
    [{ userId: "ffffffffffffffffffffffff" }, 404],
  ])("are not assigned by %o: %i", async (body, status) => {
    const { task } = await begin("for all");
    expect((await assign(task, body)).status).toBe(status);
  });

  it("are for those with the role", async () => {
    const { task } = await begin("for all");
    expect((await assign(task, { username: "bob" }, reader.token)).status).toBe(403);
    expect((await claim(task, reader.token)).status).toBe(403);
    const anonymous = await platform.request(
      "POST",
      `/operations-manager/tasks/${task}/assign`,
      { username: "bob" },
      null,
    );
    expect(anonymous.status).toBe(401);
    expect((await assign(unknownTask, { username: "bob" })).status).toBe(404);
    expect((await claim(unknownTask)).status).toBe(404);
    expect((await finish(task, "ab")).status).toBe(404);
  });

  it("do not take the iteration of another job for their own", async () => {
    const [one, other] = [await begin("for all"), await begin("for all")];
    expect((await finish(one.jobId, other.task)).status).toBe(404);
    expect((await readJob(platform, one.jobId)).status).toBe("running");
    expect((await readJob(platform, other.jobId)).status).toBe("running");
  });
});
