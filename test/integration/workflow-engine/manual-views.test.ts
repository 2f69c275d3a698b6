import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readJob, type ShownJob } from "../../support/manual-work.ts";
import { openViewBench, pathOf, viewCases, type Controller, type ViewBench } from "../../support/manual-views.ts";
import type { TestPlatform } from "../../support/platform.ts";
import type { SearchPerson } from "../../support/search-people.ts";

describe("pages of manual tasks", () => {
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

  describe.each(viewCases)("$name", (view) => {
    const path = pathOf(view);

    it("has the same data in the controllers of both families and on its page", async () => {
      const { jobId, task } = await open(view);
      const older = await platform.send<Controller>("GET", `/workflow_engine/tasks/controller/job/${jobId}/task/ab`);
      const newer = await platform.send<{ data: Controller }>(
        "GET",
        `/operations-manager/jobs/${jobId}/tasks/${task}/manual-controller`,
      );
      const page = await platform.send<Controller>("GET", `${path}?job=${jobId}&task=ab`);
      expect(older).toEqual(newer.data);
      expect(older).toEqual(page);
      expect(older.page?.data).toMatchObject(view.data);
      expect(older).toMatchObject({
        view: path,
        hindrance: null,
        error: null,
        task: { _id: task, taskId: "ab", status: "running" },
        variables: { incoming: view.incoming, outgoing: {} },
      });
    });

    it("is a page that works without a script, and runs nothing of what it shows", async () => {
      const { jobId, task } = await open(view);
      const reply = await fetchPage(`${path}?job=${jobId}&task=ab`);
      const text = (await reply.text()).replaceAll(/\s+/gu, " ");
      expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = reply.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(text.startsWith('<!doctype html> <html lang="en">')).toBe(true);
      expect(text).not.toMatch(/<script|<style|\son\w+=|javascript:/iu);
      expect(text).toContain(`<form method="post" action="${path}">`);
      expect(text).toContain(`<input type="hidden" name="job_id" value="${jobId}" />`);
      expect(text).toContain(`<input type="hidden" name="task_id" value="${task}" />`);
      for (const part of view.text) expect(text).toContain(part);
    });

    it("finishes the task, once, by JSON and by its form", async () => {
      const first = await open(view);
      const decided = { job_id: first.jobId, task_id: first.task, finish_state: "success", variables: { note: 1 } };
      const job = await platform.send<ShownJob>("POST", path, decided);
      expect(job).toMatchObject({ _id: first.jobId, status: "complete" });
      expect(await platform.request("POST", path, decided)).toMatchObject({ status: 409 });
      const second = await open(view);
      const fields = { job_id: second.jobId, task_id: second.task, finish_state: "success" };
      const reply = await submit(path, fields);
      expect(reply.status).toBe(303);
      const back = reply.headers.get("location") ?? "";
      expect(back).toBe(`${path}?job=${second.jobId}&task=ab`);
      const after = await (await fetchPage(back)).text();
      expect(after).toContain("The task was finished: success.");
      expect(after).not.toContain("<form");
      expect(after).toContain("claimed by ann");
      const again = await submit(path, fields);
      expect(again.status).toBe(409);
      expect(await again.text()).toContain('<p role="alert">');
    });

    it("is refused where it should be", async () => {
      const { jobId, task } = await open(view);
      const job_id = jobId;
      const status = async (method: string, at: string, body?: object, token?: string | null) =>
        (await platform.request(method, at, body, token)).status;
      const good = { job_id, task_id: task, finish_state: "success" };
      expect(await status("GET", `${path}?job=${jobId}&task=ab`, undefined, reader.token)).toBe(403);
      expect(await status("POST", path, good, reader.token)).toBe(403);
      expect(await status("GET", `${path}?job=${jobId}&task=ab`, undefined, null)).toBe(401);
      expect(await status("POST", path, good, null)).toBe(401);
      expect(await status("GET", `${path}?job=${jobId}`)).toBe(400);
      expect(await status("GET", `${path}?job=${jobId}&task=zz`)).toBe(404);
      expect(await status("GET", `${path}?job=000000000000000000000000&task=ab`)).toBe(404);
      expect(await status("POST", path, { ...good, job_id: "000000000000000000000000" })).toBe(404);
      expect(await status("POST", path, { ...good, finish_state: "maybe" })).toBe(400);
      expect(await status("POST", path, { ...good, more: 1 })).toBe(400);
      expect(await status("POST", path, { task_id: task })).toBe(400);
      const other = path.endsWith("ViewData") ? "/workflow_engine/task/ViewDiff" : "/workflow_engine/task/ViewData";
      expect(await status("GET", `${other}?job=${jobId}&task=ab`)).toBe(400);
      expect(await status("POST", other, good)).toBe(400);
      expect(await status("GET", `${path}?job=${jobId}&task=a1`)).toBe(400);
      await platform.send("PUT", `/workflow_engine/jobs/${jobId}/groups`, { groups: [reader.groupId] });
      expect(await status("GET", `${path}?job=${jobId}&task=ab`, undefined, ann.token)).toBe(404);
      expect(await status("POST", path, good, ann.token)).toBe(404);
      expect((await readJob(platform, jobId)).status).toBe("running");
    });
  });
});
