import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addWorker, readJob, startJob, viewData, type Enveloped, type Refusal } from "../../support/manual-work.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import type { SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const unknownJob = "000000000000000000000000";

describe("watchers of jobs", () => {
  let platform: TestPlatform;
  let ann: SearchPerson;
  let bob: SearchPerson;
  let reader: SearchPerson;
  let adminId: string;

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(workflowOf("watched", { ab: viewData }, ["start > ab", "ab > end"]));
    [ann, bob, reader] = [
      await addWorker(platform, "ann", "operator"),
      await addWorker(platform, "bob", "operator"),
      await addWorker(platform, "reader", "readonly"),
    ];
    adminId = (await startJob(platform, "watched")).watchers[0] ?? "";
  });
  afterAll(() => platform.stop());

  const start = (groups: string[] = []) => startJob(platform, "watched", { groups });
  const watchersOf = async (jobId: string) => (await readJob(platform, jobId)).watchers;
  const add = <T>(job_id: string, watchers: unknown, token?: string) =>
    platform.request<T>("POST", "/workflow_engine/job/watchers/watch", { job_id, watchers }, token);

  it("are added by their user names, each once", async () => {
    const job = await start();
    expect(await add(job._id, ["bob", "ann", "bob"])).toMatchObject({ status: 200, body: [bob.id, ann.id] });
    expect(await add(job._id, ["ann"])).toMatchObject({ status: 200, body: [ann.id] });
    expect(await watchersOf(job._id)).toEqual([adminId, bob.id, ann.id]);
    const path = `/operations-manager/jobs/${job._id}/add-watchers`;
    const newer = await platform.send<Enveloped<string[]>>("POST", path, { watchers: ["reader"] });
    expect(newer.data).toEqual([reader.id]);
    expect(await watchersOf(job._id)).toEqual([adminId, bob.id, ann.id, reader.id]);
  });

  it("are all named when they are unknown, and then none is added", async () => {
    const job = await start();
    const refused = await add<Refusal>(job._id, ["ann", "nobody", "bob", "no one"]);
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe("Unknown users: nobody, no one");
    expect(refused.body.metadata.errors.map(({ path }) => path)).toEqual(["/body/watchers/1", "/body/watchers/3"]);
    expect(await watchersOf(job._id)).toEqual([adminId]);
  });

  it.each([
    [{ watchers: ["ann"] }, "/body/job_id"],
    [{ job_id: unknownJob }, "/body/watchers"],
    [{ job_id: unknownJob, watchers: [] }, "/body/watchers"],
    [{ job_id: unknownJob, watchers: "ann" }, "/body/watchers"],
    [{ job_id: unknownJob, watchers: ["ann"], extra: 1 }, "/body/extra"],
  ])("are refused as %o at %s", async (body, path) => {
    const refused = await platform.request<Refusal>("POST", "/workflow_engine/job/watchers/watch", body);
    expect(refused.status).toBe(400);
    expect(refused.body.metadata.errors.map((error) => error.path)).toContain(path);
  });

  it("watch and unwatch themselves, in both families", async () => {
    const job = await start();
    const older = (method: string) =>
      platform.request(
        "PUT" === method ? "PUT" : "DELETE",
        `/workflow_engine/job/${job._id}/watch`,
        undefined,
        ann.token,
      );
    expect(await older("PUT")).toMatchObject({ status: 200, body: ann.id });
    expect(await older("PUT")).toMatchObject({ status: 200, body: ann.id });
    expect(await watchersOf(job._id)).toEqual([adminId, ann.id]);
    expect(await older("DELETE")).toMatchObject({ status: 200, body: ann.id });
    expect(await watchersOf(job._id)).toEqual([adminId]);
    const newer = (word: string) =>
      platform.request<Enveloped<string>>("POST", `/operations-manager/jobs/${job._id}/${word}`, {}, bob.token);
    expect((await newer("watch")).body.data).toBe(bob.id);
    expect(await watchersOf(job._id)).toEqual([adminId, bob.id]);
    expect((await newer("unwatch")).body.data).toBe(bob.id);
    expect(await watchersOf(job._id)).toEqual([adminId]);
  });

  it("watch several jobs, all or none", async () => {
    const jobIds = [(await start())._id, (await start())._id];
    const many = (word: string, ids: string[]) =>
      platform.request<Enveloped<{ _id: string; watchers: string[] }[]>>(
        "POST",
        `/operations-manager/jobs/${word}`,
        { jobIds: ids },
        ann.token,
      );
    const watched = await many("watch", jobIds);
    expect(watched.body.data).toEqual(jobIds.map((_id) => ({ _id, watchers: [adminId, ann.id] })));
    expect((await many("unwatch", jobIds)).status).toBe(200);
    expect((await many("watch", [...jobIds, unknownJob])).status).toBe(404);
    for (const jobId of jobIds) expect(await watchersOf(jobId)).toEqual([adminId]);
  });

  it("keep each other's changes when they come at the same time", async () => {
    const job = await start();
    await Promise.all([
      add(job._id, ["ann"]),
      platform.request("PUT", `/workflow_engine/job/${job._id}/watch`, undefined, bob.token),
      add(job._id, ["reader"]),
      platform.request("DELETE", `/workflow_engine/job/${job._id}/watch`),
    ]);
    expect(new Set(await watchersOf(job._id))).toEqual(new Set([ann.id, bob.id, reader.id]));
  });

  it("watch jobs in every state", async () => {
    const job = await start();
    await platform.send("POST", "/workflow_engine/cancelJob", { job_id: job._id });
    expect((await add(job._id, ["ann"])).status).toBe(200);
    expect(await watchersOf(job._id)).toEqual([adminId, ann.id]);
  });
});
