import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { iterationOf, readJob, startJob, type Refusal, type ShownJob, stub } from "../../support/manual-work.ts";
import { openViewBench, type Controller, type ViewBench } from "../../support/manual-views.ts";
import type { TestPlatform } from "../../support/platform.ts";
import type { SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

describe("working manual tasks by their pages", () => {
  let bench: ViewBench;
  let platform: TestPlatform;
  let ann: SearchPerson;
  let reader: SearchPerson;
  const open: ViewBench["open"] = (view) => bench.open(view);
  const fetchPage: ViewBench["fetchPage"] = (path, more) => bench.fetchPage(path, more);
  const submit: ViewBench["submit"] = (path, fields) => bench.submit(path, fields);

  beforeAll(async () => {
    bench = await openViewBench();
    ({ platform, ann, reader } = bench);
  });
  afterAll(() => platform.stop());

  it("takes what a person chose into the outgoing variable", async () => {
    const { jobId, task } = await open({ name: "chooseDevice" });
    const fields = { job_id: jobId, task_id: task, finish_state: "success", "variables[device]": "edge-2" };
    expect((await submit("/mop/task/chooseDevice", fields)).status).toBe(303);
    expect((await readJob(platform, jobId)).variables["device"]).toBe("edge-2");
  });

  it("gives the job's data as a file", async () => {
    const { jobId } = await open({ name: "reviewSummary" });
    const { page } = await platform.send<Controller>("GET", `/workflow_engine/tasks/controller/job/${jobId}/task/ab`);
    const reply = await fetchPage(page?.download ?? "");
    expect(reply.headers.get("content-disposition")).toBe(`attachment; filename="job-${jobId}.json"`);
    expect(await reply.json()).toMatchObject({
      _id: jobId,
      tasks: { ab: { variables: { incoming: { job_id: "" } } } },
    });
    const other = await open({ name: "ViewData" });
    const none = `/workflow_engine/task/ViewData?job=${other.jobId}&task=ab&download=true`;
    expect((await platform.request("GET", none)).status).toBe(400);
  });

  it("reviews another job only for those who may see it", async () => {
    const secret = await startJob(platform, "page ViewData", { groups: [reader.groupId] });
    const task = { name: "reviewSummary", app: "MOP", type: "manual", view: "/mop/task/reviewSummary" };
    await platform.importWorkflow(
      workflowOf("page of another", { ab: { ...task, incoming: { job_id: secret._id } } }, ["start > ab", "ab > end"]),
    );
    const job = await startJob(platform, "page of another");
    const path = `/mop/task/reviewSummary?job=${job._id}&task=ab`;
    expect((await platform.send<Controller>("GET", path)).page?.data).toMatchObject({ job: { _id: secret._id } });
    expect((await platform.request("GET", path, undefined, ann.token)).status).toBe(404);
  });

  it("says why a task cannot be finished", async () => {
    const { jobId, task } = await open({ name: "ViewData" });
    const path = `/workflow_engine/task/ViewData?job=${jobId}&task=ab`;
    const hindrance = async (token?: string) =>
      (await platform.request<Controller>("GET", path, undefined, token)).body.hindrance;
    await platform.send("POST", `/operations-manager/tasks/${task}/claim`, {});
    expect([await hindrance(ann.token), await hindrance()]).toEqual(["The task is claimed by admin.", null]);
    expect(await (await fetchPage(path)).text()).toContain('<p role="status">The task is claimed by admin.</p>');
    await platform.send("POST", "/workflow_engine/pauseJob", { job_id: jobId });
    expect(await hindrance()).toBe("The job is paused: resume it first.");
    await platform.send("POST", "/workflow_engine/cancelJob", { job_id: jobId });
    expect(await hindrance()).toBe("The job is canceled.");
  });

  it("does not finish a later iteration than the one it showed", async () => {
    const { jobId, task } = await open({ name: "ViewData" });
    const path = "/workflow_engine/task/ViewData";
    await platform.send("POST", path, { job_id: jobId, task_id: task, finish_state: "failure" });
    const later = await iterationOf(platform, jobId, "ab");
    expect(later).not.toBe(task);
    expect((await platform.request("POST", path, { job_id: jobId, task_id: task })).status).toBe(404);
    expect((await platform.request("POST", path, { job_id: jobId, task_id: later })).status).toBe(200);
  });

  it("is refused to a form of another site", async () => {
    const { jobId, task } = await open({ name: "ViewData" });
    const path = "/workflow_engine/task/ViewData";
    const fields = { job_id: jobId, task_id: task, finish_state: "success" };
    const post = (headers: Record<string, string>) =>
      fetch(new URL(path, platform.platform.url), {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams(fields).toString(),
        headers: {
          accept: "text/html",
          cookie: `token=${ann.token}`,
          "content-type": "application/x-www-form-urlencoded",
          ...headers,
        },
      });
    expect((await post({ origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await readJob(platform, jobId)).status).toBe("running");
    expect((await post({ origin: platform.platform.url.replace(/\/$/u, "") })).status).toBe(303);
    expect((await readJob(platform, jobId)).status).toBe("complete");
  });

  describe("ErrorHandling", () => {
    const path = "/workflow_engine/task/ErrorHandling";
    const finish = (jobId: string, finish_state: string, variables?: object) =>
      platform.request<ShownJob>("POST", path, {
        job_id: jobId,
        task_id: "ab",
        finish_state,
        ...(variables && { variables }),
      });
    const import_ = (name: string, edges: string[], retry: unknown = true) =>
      platform.importWorkflow(
        workflowOf(
          name,
          {
            ab: {
              name: "ErrorHandling",
              type: "manual",
              view: path,
              incoming: { severity: "fatal", status: "s", retry },
              outgoing: { response: "$var.job.response" },
            },
            a1: stub,
            ...(edges.some((edge) => edge.includes("b1")) ? { b1: stub } : {}),
          },
          edges,
        ),
      );

    it.each([
      ["success", "complete"],
      ["failure", "complete"],
      ["error", "error"],
    ])("has %s as its response; the job is then %s", async (state, status) => {
      await import_(`handled ${state}`, ["start > a1", "a1 > ab", "ab > end", "ab >failure> b1", "b1 > end"]);
      const { _id } = await startJob(platform, `handled ${state}`);
      expect((await finish(_id, state)).body.status).toBe(status);
      expect((await readJob(platform, _id)).variables["response"]).toBe(state);
    });

    it("leaves by the transition that leads back when one tries again", async () => {
      await import_("tried again", ["start > a1", "a1 > ab", "ab > end", "ab >failure~ a1"]);
      const { _id } = await startJob(platform, "tried again");
      const retried = await finish(_id, "retry");
      expect(retried.body).toMatchObject({ status: "running", variables: { response: "retry" } });
      expect(retried.body.tasks["a1"]?.iterations).toHaveLength(2);
      expect(retried.body.tasks["ab"]?.iterations).toHaveLength(2);
      expect((await finish(_id, "success")).body.status).toBe("complete");
    });

    it("ends in success where nothing leads back, for what follows to look at the response", async () => {
      await import_("not back", ["start > a1", "a1 > ab", "ab > end"]);
      const { _id } = await startJob(platform, "not back");
      expect((await finish(_id, "retry")).body).toMatchObject({ status: "complete", variables: { response: "retry" } });
    });

    it("offers no retry where the task does not, and no other task does", async () => {
      await import_("no retry", ["start > a1", "a1 > ab", "ab > end"], false);
      const { _id } = await startJob(platform, "no retry");
      const { page } = await platform.send<Controller>("GET", `${path}?job=${_id}&task=ab`);
      expect(page?.choices.map(({ finish_state }) => finish_state)).toEqual(["success", "failure", "error"]);
      expect((await finish(_id, "retry")).status).toBe(400);
      const { jobId } = await open({ name: "ViewData" });
      const generic = await platform.request<Refusal>("POST", "/workflow_engine/finishTask", {
        job_id: jobId,
        task_id: "ab",
        task_data: { finish_state: "retry" },
      });
      expect([generic.status, generic.body.metadata.errors[0]?.path]).toEqual([400, "/body/finish_state"]);
    });
  });

  it("has a class that finishes the task", async () => {
    const { jobId, task } = await open({ name: "ViewData" });
    const { TaskController } = await platform.send<Controller>(
      "GET",
      `/workflow_engine/tasks/controller/job/${jobId}/task/ab`,
    );
    expect(TaskController).toContain(JSON.stringify({ job_id: jobId, task_id: task }));
    const source = `data:text/javascript,${encodeURIComponent(`export ${TaskController}`)}`;
    const { TaskController: Controlling } = (await import(/* @vite-ignore */ source)) as {
      TaskController: new () => { finish(state: string, variables: object): Promise<ShownJob> };
    };
    const direct = globalThis.fetch;
    globalThis.fetch = (path, init) =>
      direct(new URL(typeof path === "string" ? path : "", platform.platform.url), {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), authorization: `Bearer ${ann.token}` },
      });
    try {
      expect(await new Controlling().finish("success", {})).toMatchObject({ status: "complete" });
      await expect(new Controlling().finish("success", {})).rejects.toThrow("Job is complete");
    } finally {
      globalThis.fetch = direct;
    }
  });
});
