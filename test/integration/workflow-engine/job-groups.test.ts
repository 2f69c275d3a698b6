import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addWorker,
  readJob,
  startJob,
  untilTrue,
  viewData,
  type Enveloped,
  type Refusal,
} from "../../support/manual-work.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { rebuildProjections } from "../../../src/workflow-engine/index.ts";
import type { SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const unknownGroup = "ffffffffffffffffffffffff";
const childJob = (workflow: string) => ({
  name: "childJob",
  type: "operation",
  actor: "job",
  incoming: { task: "", workflow, variables: {}, data_array: "", transformation: "", loopType: "" },
});

describe("groups of jobs", () => {
  let platform: TestPlatform;
  let ann: SearchPerson;
  let bob: SearchPerson;
  let operator: SearchPerson;

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(workflowOf("shared", { ab: viewData }, ["start > ab", "ab > end"]));
    await platform.importWorkflow(workflowOf("shared middle", { c: childJob("shared") }, ["start > c", "c > end"]));
    await platform.importWorkflow(
      workflowOf("shared top", { c: childJob("shared middle"), ab: viewData }, ["start > c", "c > ab", "ab > end"]),
    );
    [ann, bob, operator] = [
      await addWorker(platform, "ann"),
      await addWorker(platform, "bob"),
      await addWorker(platform, "operator", "operator"),
    ];
  });
  afterAll(() => platform.stop());

  const groupsOf = async (jobId: string) => (await readJob(platform, jobId)).groups;
  const older = (jobId: string) => `/workflow_engine/jobs/${jobId}/groups`;
  const newer = (jobId: string) => `/operations-manager/jobs/${jobId}/groups`;

  it("are added, set and taken away by the older family", async () => {
    const { _id } = await startJob(platform, "shared");
    const path = older(_id);
    expect(await platform.send("GET", path)).toEqual([]);
    const ok = (groups: string[]) => ({ status: "success", groups });
    expect(await platform.send("POST", path, { group: ann.groupId })).toEqual(ok([ann.groupId]));
    expect(await platform.send("POST", path, { group: ann.groupId })).toEqual(ok([ann.groupId]));
    expect(await platform.send("POST", path, { group: bob.groupId })).toEqual(ok([ann.groupId, bob.groupId]));
    expect(await platform.send("GET", path)).toEqual([ann.groupId, bob.groupId]);
    expect(await platform.send("DELETE", `${path}/${ann.groupId}`)).toEqual(ok([bob.groupId]));
    const replaced = await platform.send("PUT", path, { groups: [operator.groupId, ann.groupId, ann.groupId] });
    expect(replaced).toEqual(ok([operator.groupId, ann.groupId]));
    expect(await platform.send("DELETE", path)).toEqual(ok([]));
    expect(await groupsOf(_id)).toEqual([]);
  });

  it("are added, set and taken away by the newer family", async () => {
    const { _id } = await startJob(platform, "shared");
    const path = newer(_id);
    const change = async (method: string, at = path, body?: object) =>
      (await platform.send<Enveloped<string[]>>(method, at, body)).data;
    expect(await change("POST", path, { group: ann.groupId })).toEqual([ann.groupId]);
    expect(await change("PUT", path, { groups: [bob.groupId, ann.groupId] })).toEqual([bob.groupId, ann.groupId]);
    expect(await change("DELETE", `${path}/${bob.groupId}`)).toEqual([ann.groupId]);
    expect(await change("DELETE")).toEqual([]);
    expect(await groupsOf(_id)).toEqual([]);
  });

  it("decide at once who sees the job, its lists and its open tasks", async () => {
    const { _id } = await startJob(platform, "shared");
    const sees = async (person: SearchPerson) => {
      const job = await platform.request("GET", `/operations-manager/jobs/${_id}`, undefined, person.token);
      const query = `equals[_id]=${_id}`;
      const list = await platform.request<Enveloped<object[]>>(
        "GET",
        `/operations-manager/jobs?${query}`,
        undefined,
        person.token,
      );
      const tasks = await platform.request<Enveloped<object[]>>(
        "GET",
        `/operations-manager/tasks?equals[job._id]=${_id}`,
        undefined,
        person.token,
      );
      return [job.status, list.body.metadata.total, tasks.body.metadata.total];
    };
    expect([await sees(ann), await sees(bob)]).toEqual([
      [200, 1, 1],
      [200, 1, 1],
    ]);
    await platform.send("PUT", older(_id), { groups: [bob.groupId] });
    expect([await sees(ann), await sees(bob)]).toEqual([
      [404, 0, 0],
      [200, 1, 1],
    ]);
    await platform.send("POST", older(_id), { group: ann.groupId });
    expect(await sees(ann)).toEqual([200, 1, 1]);
    const { different } = await rebuildProjections(platform.platform.store, { dryRun: true });
    expect(different).toEqual([]);
  });

  it("must exist; unknown ones are all named and nothing is written", async () => {
    const { _id } = await startJob(platform, "shared");
    const refused = await platform.request<Refusal>("PUT", older(_id), {
      groups: [ann.groupId, unknownGroup, "shift"],
    });
    expect([refused.status, refused.body.message]).toEqual([400, `Invalid group: ${unknownGroup}, shift`]);
    expect((await platform.request("POST", newer(_id), { group: unknownGroup })).status).toBe(400);
    expect(await groupsOf(_id)).toEqual([]);
    expect((await platform.request("DELETE", `${older(_id)}/${ann.groupId}`)).status).toBe(404);
    expect((await platform.request("DELETE", `${newer(_id)}/${ann.groupId}`)).status).toBe(404);
  });

  it("of a start must exist; old clients' default stands for everybody", async () => {
    const start = (groups: string[]) =>
      platform.request<Refusal>("POST", "/workflow_engine/startJobWithOptions/shared", { options: { groups } });
    const refused = await start([ann.groupId, unknownGroup, "shift"]);
    expect([refused.status, refused.body.message]).toEqual([400, `Invalid group: ${unknownGroup}, shift`]);
    expect(refused.body.metadata.errors.map(({ path }) => path)).toEqual([
      "/body/options/groups/1",
      "/body/options/groups/2",
    ]);
    expect((await start(["default"])).body).toMatchObject({ groups: [] });
    expect((await start(["default", ann.groupId])).body).toMatchObject({ groups: [ann.groupId] });
  });

  it("of a start may be those of others: the answer does not wait for what one cannot follow", async () => {
    const path = "/operations-manager/jobs/start?wait=60000";
    const body = { workflow: "shared", options: { groups: [bob.groupId] } };
    const started = await platform.request<Enveloped<{ _id: string }>>("POST", path, body, ann.token);
    expect(started).toMatchObject({ status: 200, body: { data: { status: "running", groups: [bob.groupId] } } });
    const read = `/operations-manager/jobs/${started.body.data._id}`;
    expect((await platform.request("GET", read, undefined, ann.token)).status).toBe(404);
  });

  it("let nobody but administrators lock themselves out or open the job", async () => {
    const { _id } = await startJob(platform, "shared");
    const asAnn = (method: string, path: string, body?: object) =>
      platform.request<Refusal>(method, path, body, ann.token);
    const lost = { status: 403, body: { message: "You would lose access to the job: keep one of your own groups" } };
    const opened = { status: 403, body: { message: "Only an administrator may open a job to everybody" } };
    expect(await asAnn("POST", older(_id), { group: bob.groupId })).toMatchObject(lost);
    expect((await asAnn("PUT", older(_id), { groups: [bob.groupId, ann.groupId] })).status).toBe(200);
    expect(await asAnn("DELETE", `${older(_id)}/${ann.groupId}`)).toMatchObject(lost);
    expect(await asAnn("PUT", newer(_id), { groups: [bob.groupId] })).toMatchObject(lost);
    expect(await asAnn("DELETE", newer(_id))).toMatchObject(opened);
    expect((await asAnn("DELETE", `${newer(_id)}/${bob.groupId}`)).status).toBe(200);
    expect(await asAnn("DELETE", `${newer(_id)}/${ann.groupId}`)).toMatchObject(opened);
    expect(await groupsOf(_id)).toEqual([ann.groupId]);
  });

  it("keep each other's changes when they come at the same time", async () => {
    const { _id } = await startJob(platform, "shared");
    await platform.send("PUT", older(_id), { groups: [operator.groupId] });
    await Promise.all([
      platform.send("POST", older(_id), { group: ann.groupId }),
      platform.send("POST", newer(_id), { group: bob.groupId }),
      platform.send("DELETE", `${older(_id)}/${operator.groupId}`),
    ]);
    expect(new Set(await groupsOf(_id))).toEqual(new Set([ann.groupId, bob.groupId]));
  });

  it("are handed down to child jobs of every level, and to those that have ended", async () => {
    const top = await startJob(platform, "shared top");
    const childOf = async (parent: string) => {
      const look = async () =>
        (
          await platform.send<Enveloped<{ _id: string }[]>>(
            "GET",
            `/operations-manager/jobs?equals[parent.job]=${parent}`,
          )
        ).data;
      return (await untilTrue(look, (found) => found.length === 1))[0]?._id ?? "";
    };
    const middle = await childOf(top._id);
    const bottom = await childOf(middle);
    const haveGroups = (groups: string[]) =>
      untilTrue(
        async () => [await groupsOf(middle), await groupsOf(bottom)],
        (found) => found.every((each) => JSON.stringify(each) === JSON.stringify(groups)),
      );
    await platform.send("PUT", older(top._id), { groups: [ann.groupId] });
    await haveGroups([ann.groupId]);
    const path = `/operations-manager/jobs/${bottom}/tasks/ab/finish`;
    await untilTrue(
      async () => (await readJob(platform, bottom)).tasks["ab"]?.status,
      (status) => status === "running",
    );
    expect((await platform.request("POST", path, {}, bob.token)).status).toBe(404);
    expect((await platform.request("POST", path, {}, ann.token)).status).toBe(200);
    await untilTrue(
      async () => (await readJob(platform, top._id)).tasks["ab"]?.status,
      (status) => status === "running",
    );
    await platform.send("PUT", older(top._id), { groups: [bob.groupId] });
    await haveGroups([bob.groupId]);
    expect((await readJob(platform, bottom)).status).toBe("complete");
  });

  it("are those of a child job that is started after they changed", async () => {
    await platform.importWorkflow(
      workflowOf("child later", { ab: viewData, c: childJob("shared") }, ["start > ab", "ab > c", "c > end"]),
    );
    const { _id } = await startJob(platform, "child later");
    await platform.send("POST", "/workflow_engine/jobWorker/deactivate", {});
    await platform.send("POST", `/operations-manager/jobs/${_id}/tasks/ab/finish`, {});
    await platform.send("PUT", older(_id), { groups: [ann.groupId] });
    await platform.send("POST", "/workflow_engine/jobWorker/activate", {});
    const look = async () =>
      (
        await platform.send<Enveloped<{ groups: string[] }[]>>(
          "GET",
          `/operations-manager/jobs?equals[parent.job]=${_id}`,
        )
      ).data;
    expect(await untilTrue(look, (found) => found.length === 1)).toMatchObject([{ groups: [ann.groupId] }]);
  });
});
