import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createStudioServer, listOf, textOf, type StudioServer } from "./studio-server.ts";

let server: StudioServer;
beforeEach(async () => {
  server = await createStudioServer();
});
afterEach(() => server.close());

const documentId = /^[0-9a-f]{24}$/u;

describe("templates", () => {
  const path = "/automation-studio/templates";
  const create = async (name: string) =>
    (await server.send("POST", path, { template: { name, group: "g", type: "jinja2", template: "{{ x }}" } })).body[
      "created"
    ];

  test("are created, changed, shown and removed", async () => {
    const created = await create("Banner");
    expect(created).toMatchObject({
      _id: expect.stringMatching(documentId),
      name: "Banner",
      type: "jinja2",
      created: "2024-01-01T00:00:00.000Z",
      createdBy: { username: "admin" },
    });
    const updated = await server.send(
      "PUT",
      `${path}/${textOf(created?.["_id"])}`,
      { update: { template: "{{ y }}", _id: "other" } },
      "ada",
    );
    expect(updated.body["updated"]).toMatchObject({
      _id: created?.["_id"],
      name: "Banner",
      template: "{{ y }}",
      createdBy: { username: "admin" },
      lastUpdatedBy: { username: "ada" },
    });
    expect((await server.send("GET", `${path}/${textOf(created?.["_id"])}`)).body).toEqual(updated.body["updated"]);
    expect((await server.send("GET", `${path}/Banner/export`)).body).toEqual(updated.body["updated"]);
    expect((await server.send("DELETE", `${path}/${textOf(created?.["_id"])}`)).status).toBe(200);
    expect((await server.send("GET", `${path}/${textOf(created?.["_id"])}`)).status).toBe(404);
  });

  test("have names of their own and one of two types", async () => {
    await create("Banner");
    expect((await server.send("POST", path, { template: { name: "Banner", type: "jinja2" } })).status).toBe(409);
    const wrong = await server.send("POST", path, { template: { name: "Other", type: "mustache" } });
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.body["metadata"])).toContain("/body/template/type");
  });

  test("of files keep their members and order", async () => {
    const file = {
      command: "",
      _id: "64a0000000000000000000b2",
      template: "t",
      vendorMember: { b: 1, a: 2 },
      type: "textfsm",
      name: "Parse",
      created: "2020",
      createdBy: { username: "x" },
      lastUpdated: "2021",
      lastUpdatedBy: "y",
    };
    const { body } = await server.send("POST", `${path}/import`, { templates: [file] });
    expect(body["imported"]).toMatchObject([{ success: true, original: file }]);
    expect(JSON.stringify((await server.send("GET", `${path}/${file._id}/export`)).body)).toBe(JSON.stringify(file));
    expect(
      (
        await server.send("POST", `${path}/import`, {
          templates: [{ ...file, _id: "64a0000000000000000000b3", name: "New" }, file],
        })
      ).status,
    ).toBe(409);
    expect((await server.send("GET", `${path}?equals[type]=textfsm`)).body).toMatchObject({
      total: 1,
      count: 1,
      limit: 25,
    });
  });
});

describe("transformations", () => {
  const path = "/transformations";
  const document = (name: string, more: object = {}) => ({
    name,
    description: "",
    functions: [],
    incoming: [{ $id: "in" }],
    outgoing: [{ $id: "out" }],
    steps: [],
    view: { col: 3, row: 5 },
    tags: [],
    ...more,
  });

  test("are created bare or wrapped, listed and removed without a body", async () => {
    const created = await server.send("POST", path, document("one"));
    expect(created).toMatchObject({
      status: 200,
      body: { _id: expect.stringMatching(documentId), name: "one", view: { col: 3, row: 5 } },
    });
    await server.send("POST", path, { transformation: document("two") });
    const list = await server.send("GET", `${path}?limit=1`);
    expect(list.body).toMatchObject({ total: 2, results: [{ name: "one" }] });
    expect(await server.send("DELETE", `${path}/${textOf(created.body["_id"])}`)).toEqual({ status: 204, body: {} });
    expect((await server.send("DELETE", `${path}/${textOf(created.body["_id"])}`)).status).toBe(404);
  });

  test("of files keep their id, because tasks refer to it", async () => {
    const file = { ...document("kept"), _id: "64a0000000000000000000a1" };
    expect((await server.send("POST", `${path}/import`, file)).body["_id"]).toBe(file._id);
    expect((await server.send("POST", `${path}/import`, { transformation: { ...file, name: "other" } })).status).toBe(
      409,
    );
    expect(
      (await server.send("POST", `${path}/import`, { transformation: { ...file, _id: "64a0000000000000000000a2" } }))
        .body["message"],
    ).toBe("transformation with name `kept` already exists");
    expect((await server.send("GET", `${path}/kept`)).body).toMatchObject(file);
  });

  test.each([
    [{ name: "" }, "/body/name"],
    [{ name: "x", steps: "none" }, "/body/steps"],
    [{ transformation: { name: "x", incoming: [7] } }, "/body/transformation/incoming/0"],
  ])("that are none name the place: %j", async (body, place) => {
    const reply = await server.send("POST", path, body);
    expect(reply.status).toBe(400);
    expect(listOf<{ path: string }>(reply.body["metadata"]?.["errors"]).map((detail) => detail.path)).toContain(place);
  });

  test("change only where the change says so", async () => {
    const { body } = await server.send("POST", path, document("one"));
    const changed = await server.send("PUT", `${path}/${textOf(body["_id"])}`, { update: { description: "new" } });
    expect(changed.body).toMatchObject({
      _id: body["_id"],
      name: "one",
      description: "new",
      incoming: [{ $id: "in" }],
    });
    expect((await server.send("PUT", `${path}/${textOf(body["_id"])}`, { name: "two" })).body).toMatchObject({
      name: "two",
      description: "new",
    });
  });

  test("run on what they are given; the only value comes bare when asked for", async () => {
    const { body } = await server.send("POST", path, document("one"));
    expect((await server.send("POST", `${path}/${textOf(body["_id"])}`, { incoming: { in: [1] } })).body).toEqual({
      out: [1],
    });
    expect(
      (
        await server.send("POST", `${path}/${textOf(body["_id"])}`, {
          incoming: { in: [1] },
          options: { extractOutput: true },
        })
      ).body,
    ).toEqual([1]);
    const several = await server.send("POST", path, document("several", { outgoing: [{ $id: "a" }, { $id: "b" }] }));
    expect(
      (
        await server.send("POST", `${path}/${textOf(several.body["_id"])}`, {
          incoming: { in: 1 },
          options: { extractOutput: true },
        })
      ).body,
    ).toEqual({ a: 1, b: 1 });
  });

  test("that cannot compute say why", async () => {
    const { body } = await server.send("POST", path, document("none", { outgoing: [] }));
    const run = await server.send("POST", `${path}/${textOf(body["_id"])}`, {});
    expect([run.status, run.body["message"]]).toEqual([422, "nothing comes out"]);
    expect((await server.send("POST", `${path}/64a000000000000000000000`, { incoming: {} })).status).toBe(404);
  });

  test("are checked without being stored", async () => {
    const faulty = document("w", {
      incoming: [{ $id: "a" }, { $id: "a" }],
      steps: [{ id: 1, type: "method", library: "Nowhere", method: "nothing", args: [] }],
    });
    const { body } = await server.send("POST", `${path}/validate`, { transformation: faulty });
    expect(body["isValid"]).toBe(false);
    const errors = listOf<{ code: string; message: string; path: string }>(body["errors"]);
    expect(errors.map(({ code }) => code)).toEqual(expect.arrayContaining(["DUPLICATE_INCOMING", "UNKNOWN_METHOD"]));
    expect(errors.every(({ message, path: place }) => message !== "" && place.startsWith("/"))).toBe(true);
    expect((await server.send("POST", `${path}/validate`, document("fine"))).body).toEqual({
      isValid: true,
      errors: [],
      warnings: [],
    });
    expect(await server.store.count("transformations", {})).toBe(0);
  });
});
