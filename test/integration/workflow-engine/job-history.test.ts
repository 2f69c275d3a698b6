import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manual } from "../../faults/shape-tasks.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { addSearchPerson, type SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Entry {
  seq: number;
  at: number;
  cause: { event: string; by?: string };
  changes: (Record<string, unknown> & { change: string })[];
}
interface Job {
  _id: string;
  status: string;
  tasks: Record<string, { status: string; iterations: string[] }>;
  variables: Record<string, unknown>;
}
interface Page {
  data: Entry[];
  metadata: { total: number; nextPageAfter: number | null; job: { _id: string; status: string } };
}

const large = Array.from({ length: 3_000 }, (_, n) => `line ${n} of a value that is large`.repeat(4));
const note = { name: "newVariable", type: "operation", incoming: { name: "noted", value: "$var.a1.note" } };
const workflow = workflowOf("history", { a1: manual("$var.job.body"), a2: note }, [
  "start > a1",
  "a1 > a2",
  "a2 > end",
]);

describe("the history of a job", () => {
  let server: TestPlatform;
  let jobId: string;
  /** The document of the job after each event, as it was answered then. */
  const live: Job[] = [];
  let member: SearchPerson;
  let stranger: SearchPerson;
  let onlooker: SearchPerson;

  const path = (rest = "") => `/operations-manager/jobs/${jobId}/history${rest}`;
  const job = async () => (await server.send<{ data: Job }>("GET", `/operations-manager/jobs/${jobId}`)).data;
  const act = async (event: string) => {
    await server.send("POST", `/operations-manager/jobs/${event}`, { jobIds: [jobId] });
    live.push(await job());
  };

  beforeAll(async () => {
    server = await startTestPlatform();
    member = await addSearchPerson(server, "member");
    stranger = await addSearchPerson(server, "stranger");
    onlooker = await addSearchPerson(server, "onlooker", "readonly");
    await server.importWorkflow(workflow);
    const groups = [member.groupId, onlooker.groupId];
    const body = { workflow: "history", options: { variables: { body: large }, groups } };
    jobId = (await server.send<{ data: Job }>("POST", "/operations-manager/jobs/start", body)).data._id;
    live.push(await job());
    await act("pause");
    await act("resume");
    await server.send("POST", `/operations-manager/jobs/${jobId}/tasks/a1/finish`, {
      taskData: { finish_state: "success", variables: { note: "checked" } },
    });
    live.push(await job());
  });
  afterAll(() => server.stop());

  it("tells every event in order: when, what, who, and what it changed", async () => {
    const { data, metadata } = await server.send<Page>("GET", path());
    expect(data.map(({ seq, cause }) => [seq, cause.event, cause.by])).toEqual([
      [1, "start", "admin"],
      [2, "pause", "admin"],
      [3, "resume", "admin"],
      [4, "finishManualTask", "admin"],
    ]);
    expect(metadata).toMatchObject({ total: 4, nextPageAfter: null, job: { _id: jobId, status: "complete" } });
    expect(metadata.job).not.toHaveProperty("access");
    expect(data[1]?.changes).toMatchObject([{ change: "status", status: "paused" }]);
    const iterations = live.at(-1)?.tasks["a1"]?.iterations;
    expect(data[3]?.changes).toContainEqual(
      expect.objectContaining({
        change: "finished",
        task: "a1",
        status: "complete",
        finish_state: "success",
        iteration: iterations?.[0],
      }),
    );
    expect(data[3]?.changes.at(-1)).toMatchObject({ change: "status", status: "complete" });
    expect(data.map(({ at }) => at)).toEqual(data.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it("shows large values by their markers, which lead to the values", async () => {
    const { data } = await server.send<Page>("GET", path("?limit=1"));
    const id = `${jobId}.${createHash("sha256").update(JSON.stringify(large)).digest("hex")}`;
    expect(data[0]?.changes[0]).toMatchObject({ change: "created", variables: { body: { large_data: id } } });
    expect(JSON.stringify(data).length).toBeLessThan(10_000);
    const get = (query: string, token?: string) =>
      server.request("GET", `/operations-manager/large-data/${id}${query}`, undefined, token);
    const value = await get(`?job=${jobId}`, member.token);
    expect(value).toMatchObject({ status: 200, body: large });
    // Without a job the one at the top of the tree is asked.
    expect(await get("", member.token)).toMatchObject({ status: 200, body: large });
    for (const query of ["", `?job=${jobId}`]) expect((await get(query, stranger.token)).status).toBe(404);
    const other = await server.request("GET", `/operations-manager/large-data/${jobId}.00?job=${jobId}`);
    expect(other).toMatchObject({
      status: 404,
      body: { message: `Large value ${jobId}.00 of job ${jobId} not found` },
    });
  });

  it("comes page by page, the same in both families", async () => {
    const whole = (await server.send<Page>("GET", path())).data;
    const pages: Entry[] = [];
    for (let after: number | null = 0; after !== null;) {
      const { data, metadata }: Page = await server.send<Page>("GET", path(`?after=${after}&limit=3`));
      pages.push(...data);
      after = metadata.nextPageAfter;
    }
    expect(pages).toEqual(whole);
    const older = await server.send<{ results: Entry[]; total: number }>(
      "GET",
      `/workflow_engine/jobs/${jobId}/history?after=2`,
    );
    expect(older).toMatchObject({ total: 4, results: whole.slice(2), job: { _id: jobId } });
  });

  it("rebuilds the document of every moment", async () => {
    for (const [index, then] of live.entries()) {
      const { data } = await server.send<{ data: Job }>("GET", path(`/${index + 1}`));
      expect(data).toEqual(then);
    }
    const beyond = await server.request("GET", path("/5"));
    expect(beyond).toMatchObject({ status: 404, body: { message: `Job ${jobId} has no event 5: its last one is 4` } });
    expect((await server.request("GET", path("/0"))).status).toBe(400);
    expect((await server.request("GET", path("/x"))).status).toBe(400);
  });

  it("is for those who may see the job", async () => {
    const as = (token: string | null, rest = "") => server.request("GET", path(rest), undefined, token);
    expect((await as(member.token)).status).toBe(200);
    expect((await as(onlooker.token, "/1")).status).toBe(200);
    expect((await as(stranger.token)).status).toBe(404);
    expect((await as(stranger.token, "/1")).status).toBe(404);
    expect((await as(null)).status).toBe(401);
    expect((await server.request("GET", path("?limit=0"))).status).toBe(400);
    expect((await server.request("GET", path("?limit=1001"))).status).toBe(400);
    const unknown = await server.request("GET", `/operations-manager/jobs/${"f".repeat(24)}/history`);
    expect(unknown.status).toBe(404);
  });
});
