import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Page {
  results: { _id: string; name: string }[];
  total: number;
}

const manual = (name: string) => ({
  name: "ViewData",
  summary: name,
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
});

describe("the jobs one has had to do with", () => {
  let platform: TestPlatform;
  let starter: SearchPerson;
  let worker: SearchPerson;

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(
      workflowOf("associated", { ab: manual("first"), cd: manual("second") }, ["start > ab", "ab > cd", "cd > end"]),
    );
    starter = await addSearchPerson(platform, "starter");
    worker = await addSearchPerson(platform, "worker");
  });
  afterAll(() => platform.stop());

  const start = async (person: SearchPerson, groups: string[] = []): Promise<string> => {
    const body = { workflow: "associated", options: { groups } };
    const reply = await platform.request<{ data: { _id: string } }>(
      "POST",
      "/operations-manager/jobs/start",
      body,
      person.token,
    );
    return reply.body.data._id;
  };
  const associated = async (person: SearchPerson, options: object = {}) => {
    const { body } = await platform.request<Page>(
      "POST",
      "/workflow_engine/getAssociatedJobs",
      { options },
      person.token,
    );
    expect(body.total).toBe(body.results.length);
    return body.results.map(({ _id }) => _id);
  };
  const taskOf = async (jobId: string, person: SearchPerson) => {
    const path = `/operations-manager/tasks?equals[job._id]=${jobId}`;
    const { body } = await platform.request<{ data: { _id: string }[] }>("GET", path, undefined, person.token);
    return body.data[0]?._id;
  };
  const claim = async (jobId: string, person: SearchPerson) => {
    const body = { task_id: await taskOf(jobId, person), user: undefined };
    expect((await platform.request("POST", "/workflow_engine/tasks/claim", body, person.token)).status).toBe(200);
  };

  it("are those started", async () => {
    const jobId = await start(starter);
    expect(await associated(starter)).toContain(jobId);
    expect(await associated(worker)).not.toContain(jobId);
  });

  it("are those with a task that was owned, also when it is given back or done", async () => {
    const jobId = await start(starter);
    await claim(jobId, worker);
    expect(await associated(worker)).toContain(jobId);
    const body = { task_id: await taskOf(jobId, worker) };
    await platform.request("POST", "/workflow_engine/tasks/release", body, worker.token);
    expect(await associated(worker)).toContain(jobId);
    expect(await associated(starter)).toContain(jobId);
    await platform.request("POST", "/workflow_engine/cancelJob", { job_id: jobId });
    expect(await associated(worker, { filter: { status: "canceled" } })).toContain(jobId);
    expect(await associated(worker, { filter: { status: "running" } })).not.toContain(jobId);
  });

  it("are those watched, until no longer", async () => {
    const jobId = await start(starter);
    const path = `/workflow_engine/job/${jobId}/watch`;
    expect((await platform.request("PUT", path, undefined, worker.token)).status).toBe(200);
    expect(await associated(worker)).toContain(jobId);
    expect((await platform.request("DELETE", path, undefined, worker.token)).status).toBe(200);
    expect(await associated(worker)).not.toContain(jobId);
    await platform.request("DELETE", path, undefined, starter.token);
    expect(await associated(starter)).toContain(jobId);
  });

  it("are none of another group's", async () => {
    const jobId = await start(starter, [starter.groupId]);
    expect(await associated(starter)).toContain(jobId);
    const closed = await start(starter, [worker.groupId]);
    expect(await associated(starter)).not.toContain(closed);
  });

  it("are the same after a restart", async () => {
    const before = [await associated(starter), await associated(worker)];
    platform = await platform.restart();
    expect([await associated(starter), await associated(worker)]).toEqual(before);
  });
});
