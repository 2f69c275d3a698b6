import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoredValue } from "../../../src/core/stored-value.ts";
import { keepValue } from "../../../src/workflow-engine/jobs/keep-value.ts";
import { manual } from "../../faults/shape-tasks.ts";
import { bytesOf, digestOf, longList, measured } from "../../support/large-answers.ts";
import { signIn, adminPassword, startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const text = longList(18 * 1024 * 1024);

describe("a value kept in the store, over HTTP", { timeout: 120_000 }, () => {
  let server: TestPlatform;
  let value: StoredValue;
  let token: string;

  beforeAll(async () => {
    server = await startTestPlatform();
    token = await signIn(server.platform.url, "admin", adminPassword);
    await server.importWorkflow(workflowOf("large data", { a1: manual() }, ["start > a1", "a1 > end"]));
    const body = { workflow: "large data", options: { variables: { body: "b" } } };
    const { data } = await server.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", body);
    const { store } = server.platform;
    value = (await keepValue(bytesOf(text), {
      store,
      root: data._id,
      mostCharacters: 2 * text.length,
      keep: (document) => store.commit([{ kind: "keep", collection: "large_values", document }]),
      isWanted: async () => true,
    })) as StoredValue;
  });
  afterAll(() => server.stop());

  const get = (init: RequestInit = {}) =>
    fetch(new URL(`/operations-manager/large-data/${value.id}`, server.platform.url), {
      headers: { authorization: `Bearer ${token}` },
      ...init,
    });

  it("is streamed as it was written, byte by byte", async () => {
    const reply = await get();
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await measured(reply.body!.pipeThrough(new TextDecoderStream()))).toEqual({
      size: text.length,
      digest: digestOf(text),
    });
  });

  it("can be left in the middle, and asked for its head alone", async () => {
    const reader = (await get()).body!.getReader();
    expect((await reader.read()).value?.length).toBeGreaterThan(0);
    await reader.cancel();
    const head = await get({ method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await get()).status).toBe(200);
  });

  it("is 404 for what is no large value, a piece of one included, and 401 without credentials", async () => {
    const [piece] = await server.platform.store.find<{ _id: string }>(
      "large_values",
      { _id: { $ne: value.id } },
      { limit: 1 },
    );
    for (const id of [piece?._id, `${value.id.slice(0, -1)}x`, "nothing"]) {
      const path = `/operations-manager/large-data/${id}`;
      expect(await server.request("GET", path)).toMatchObject({
        status: 404,
        body: { message: `Large value ${id} not found` },
      });
    }
    expect((await get({ headers: {} })).status).toBe(401);
  });
});
