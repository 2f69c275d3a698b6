import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson } from "../../support/search-people.ts";
import { unzip } from "../../support/unzip.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const dayMs = 86_400_000;
const firstDay = Date.UTC(2024, 0, 1);
const linkMs = 15 * 60_000;
const name = '=archive "one", two';
const stub = { incoming: { type: "success", delay: "", response: "" } };

describe("the archive of figures", () => {
  let clock: ManualClock;
  let server: TestPlatform;
  let workflowId: string;

  const link = () => server.send<string>("GET", "/workflow_engine/metrics/jobs");
  /** Without credentials. */
  const fetchLink = (path: string) => fetch(new URL(path, server.platform.url));
  const statusOf = async (path: string) => (await fetchLink(path)).status;
  const filesOf = async (path: string) => unzip(Buffer.from(await (await fetchLink(path)).arrayBuffer()));

  beforeAll(async () => {
    clock = createManualClock(firstDay);
    server = await startTestPlatform({ clock });
    await server.importWorkflow(workflowOf(name, { a1: stub }, ["start > a1", "a1 > end"]));
    await server.send("POST", "/operations-manager/jobs/start", { workflow: name, options: {} });
    const [stored] = await server.platform.store.find<{ _id: string }>("workflows", {});
    workflowId = stored!._id;
    const workflow = { _id: "w2", name: "second" };
    const day = "2023-11-05";
    await server.platform.store.commit([
      { kind: "add", collection: "job_metrics", document: { _id: `${day}|0|w2`, workflow, day, jobsComplete: 2 } },
      { kind: "add", collection: "job_metrics", document: { _id: `${day}|7|w2`, workflow, day, totalRunTime: 9 } },
    ]);
  });
  afterAll(() => server.stop());

  it("has a file of JSON lines for each day, and tables over all days", async () => {
    const path = await link();
    const reply = await fetchLink(path);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/zip");
    expect(reply.headers.get("content-disposition")).toBe('attachment; filename="job-metrics.zip"');
    const files = unzip(Buffer.from(await reply.arrayBuffer()));
    expect([...files.keys()]).toEqual([
      "job-metrics/2023-11-05.jsonl",
      "job-metrics/2024-01-01.jsonl",
      "job-metrics.csv",
      "task-metrics/2024-01-01.jsonl",
      "task-metrics.csv",
    ]);
    expect(files.get("job-metrics/2023-11-05.jsonl")).toBe(
      `{"day":"2023-11-05","startDate":${Date.UTC(2023, 10, 5)},"workflowId":"w2","workflow":"second",` +
        '"jobsComplete":2,"totalRunTime":9,"slaTargetsMissed":0,"totalManualTime":0}\n',
    );
    expect(JSON.parse(files.get("task-metrics/2024-01-01.jsonl") ?? "")).toEqual({
      day: "2024-01-01",
      startDate: firstDay,
      workflowId,
      workflow: name,
      taskId: "a1",
      app: "WorkFlowEngine",
      name: "stub",
      taskType: "automatic",
      totalSuccesses: 1,
      totalFailures: 0,
      totalErrors: 0,
      totalRunTime: 0,
    });
    expect(files.get("job-metrics.csv")?.split("\r\n")).toEqual([
      "day,startDate,workflowId,workflow,jobsComplete,totalRunTime,slaTargetsMissed,totalManualTime",
      `2023-11-05,${Date.UTC(2023, 10, 5)},w2,second,2,9,0,0`,
      `2024-01-01,${firstDay},${workflowId},"'=archive ""one"", two",1,0,0,0`,
      "",
    ]);
  });

  it("is as it is when it is fetched", async () => {
    const path = await link();
    await server.send("POST", "/operations-manager/jobs/start", { workflow: name, options: {} });
    expect((await filesOf(path)).get("job-metrics/2024-01-01.jsonl")).toContain('"jobsComplete":2');
  });

  it("is not given to who changes the link", async () => {
    const path = await link();
    const url = new URL(path, "http://x");
    const changed = (parameter: string, value: string) => {
      const other = new URL(url);
      other.searchParams.set(parameter, value);
      return other.pathname + other.search;
    };
    const expires = Number(url.searchParams.get("expires"));
    const signature = url.searchParams.get("signature") ?? "";
    const other = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    expect(await statusOf(changed("expires", String(expires + 1)))).toBe(403);
    expect(await statusOf(changed("expires", String(expires - 1)))).toBe(403);
    expect(await statusOf(changed("signature", `${signature}A`))).toBe(403);
    expect(await statusOf(changed("signature", signature.slice(1)))).toBe(403);
    expect(await statusOf(changed("signature", other))).toBe(403);
    expect(await statusOf(url.pathname)).toBe(400);
    expect(await statusOf(changed("expires", "soon"))).toBe(400);
    expect(await statusOf(path)).toBe(200);
  });

  it("is linked to for people who may read", async () => {
    const stranger = await addSearchPerson(server, "archive-stranger", "operator", ["Health"]);
    const asking = (token: string | null) => server.request("GET", "/workflow_engine/metrics/jobs", undefined, token);
    expect((await asking(stranger.token)).status).toBe(403);
    expect((await asking(null)).status).toBe(401);
  });

  it("is given for a quarter of an hour, also after a restart", async () => {
    const path = await link();
    server = await server.restart({ clock });
    clock.jump(linkMs - 1);
    expect(await statusOf(path)).toBe(200);
    clock.jump(1);
    const late = await fetchLink(path);
    expect(late.status).toBe(403);
    expect(await late.json()).toMatchObject({ code: "FORBIDDEN", message: "The link has expired. Ask for a new one." });
    clock.jump(dayMs);
    expect(await statusOf(path)).toBe(403);
  });
});
