import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isJsonObject, type Json } from "../../../src/core/json.ts";
import { openTemplateBench, type TemplateBench } from "../../support/template-bench.ts";

const assets = join(import.meta.dirname, "../../../../shared/assets");

describe("storing command templates", () => {
  let bench: TemplateBench;
  beforeAll(async () => {
    bench = await openTemplateBench();
  });
  afterAll(() => bench.close());

  it("creates a template under its name with all spellings of the counts", async () => {
    const mop = {
      _id: "ignored",
      name: "Port check",
      os: "",
      passRule: true,
      commands: [],
      tags: [],
      created: 5,
      createdBy: "me",
      later: { kept: [1] },
    };
    const answer = await bench.send("POST", "/mop/createTemplate", { mop });
    expect(answer).toMatchObject({
      status: 200,
      json: {
        acknowledged: true,
        result: { ok: 1, n: 1 },
        insertedCount: 1,
        insertedIds: { "0": "Port check" },
        ops: [
          {
            _id: "Port check",
            name: "Port check",
            created: 5,
            createdBy: "me",
            later: { kept: [1] },
            lastUpdatedBy: "admin",
          },
        ],
      },
    });
    const read = await bench.send("GET", "/mop/listATemplate/Port%20check");
    expect(read.json).toMatchObject([
      { _id: "Port check", description: null, namespace: null, lastUpdated: expect.any(Number) },
    ]);
  });

  it("refuses a taken name and a project's template in the field's words", async () => {
    await bench.send("POST", "/mop/createTemplate", { mop: { name: "Taken" } });
    const again = await bench.send("POST", "/mop/createTemplate", { mop: { name: "Taken" } });
    expect(again).toMatchObject({
      status: 409,
      json: "Template must have a unique name: Given name is already in use.",
    });
    expect(again.headers["x-error-code"]).toBe("CONFLICT");
    const foreign = await bench.send("POST", "/mop/createTemplate", {
      mop: { name: "Mine", namespace: { type: "project" } },
    });
    expect(foreign).toMatchObject({ status: 400, json: expect.stringContaining("/body/mop/namespace") });
  });

  it.each([
    [{}, "/body/mop"],
    [{ mop: {} }, "/body/mop/name"],
    [{ mop: { name: "x" }, extra: 1 }, "/body/extra"],
    [{ mop: { name: "x", commands: [{ rules: [] }] } }, "/body/mop/commands/0/command"],
    [{ mop: { name: "x", created: "yesterday" } }, "/body/mop/created"],
  ])("refuses %j and names the place", async (body, place) => {
    expect(await bench.send("POST", "/mop/createTemplate", body)).toMatchObject({
      status: 400,
      json: expect.stringContaining(place),
    });
  });

  it("replaces a template as a whole, by POST and PUT, and keeps who created it", async () => {
    await bench.send("POST", "/mop/createTemplate", {
      mop: { name: "Replace me", created: 7, createdBy: "someone", os: "ios", tags: [] },
    });
    const counts = {
      acknowledged: true,
      n: 1,
      ok: 1,
      nModified: 1,
      matchedCount: 1,
      modifiedCount: 1,
      upsertedId: null,
      upsertedCount: 0,
    };
    expect(
      await bench.send("POST", "/mop/updateTemplate/Replace%20me", { mop: { name: "Replace me", passRule: false } }),
    ).toMatchObject({ status: 200, json: counts });
    const [document] = (await bench.send("GET", "/mop/listATemplate/Replace%20me")).json as [object];
    expect(document).toMatchObject({ passRule: false, created: 7, createdBy: "someone", lastUpdatedBy: "admin" });
    expect(document).not.toHaveProperty("os");
    expect(
      await bench.send("PUT", "/mop/updateTemplate/Replace%20me", {
        mop: { _id: "Replace me", name: "Moved", created: 9 },
      }),
    ).toMatchObject({ status: 200 });
    expect(await bench.send("GET", "/mop/listATemplate/Replace%20me")).toMatchObject({
      status: 404,
      json: "Could not find matching template",
    });
    expect((await bench.send("GET", "/mop/listATemplate/Moved")).json).toMatchObject([
      { _id: "Moved", created: 9, createdBy: "someone" },
    ]);
  });

  it("does not move a template over another one, and leaves both as they were", async () => {
    for (const name of ["One", "Other"]) await bench.send("POST", "/mop/createTemplate", { mop: { name, os: name } });
    expect(await bench.send("POST", "/mop/updateTemplate/One", { mop: { name: "Other" } })).toMatchObject({
      status: 409,
    });
    expect((await bench.send("GET", "/mop/listATemplate/One")).json).toMatchObject([{ os: "One" }]);
    expect((await bench.send("GET", "/mop/listATemplate/Other")).json).toMatchObject([{ os: "Other" }]);
    expect(await bench.send("POST", "/mop/updateTemplate/None", { mop: { name: "None" } })).toMatchObject({
      status: 404,
      json: "Could not find matching template",
    });
  });

  it("deletes with and without a body; an unknown template counts as none", async () => {
    await bench.send("POST", "/mop/createTemplate", { mop: { name: "@6630f2a7c1d2e3f4a5b6c7d8: Short lived" } });
    const url = `/mop/deleteTemplate/${encodeURIComponent("@6630f2a7c1d2e3f4a5b6c7d8: Short lived")}`;
    expect(await bench.send("POST", url)).toMatchObject({
      status: 200,
      json: { ok: 1, n: 1, nModified: 1, deletedCount: 1 },
    });
    expect(await bench.send("POST", url, {})).toMatchObject({ status: 200, json: { ok: 1, n: 0, nModified: 0 } });
  });

  it("imports under a free name and exports without identifier", async () => {
    const template = { name: "Imported", os: "", passRule: true, commands: [] };
    const names = [];
    for (let turn = 0; turn < 3; turn++)
      names.push((await bench.send("POST", "/mop/import", { type: "templates", template })).json);
    expect(names).toMatchObject(
      ["Imported", "Imported (1)", "Imported (2)"].map((name) => ({ ok: 1, n: 1, name, _id: name })),
    );
    expect(
      (await bench.send("POST", "/mop/export", { type: "templates", options: { _id: "Imported (1)" } })).json,
    ).toEqual({ ...template, name: "Imported (1)" });
    expect(await bench.send("POST", "/mop/export", { type: "templates", options: { name: "Nope" } })).toMatchObject({
      status: 404,
      json: "Could not find matching template",
    });
    expect(await bench.send("POST", "/mop/export", { type: "templates", options: {} })).toMatchObject({ status: 400 });
  });

  it("many imports of one name at once get names of their own", async () => {
    const imports = Array.from({ length: 8 }, () =>
      bench.send("POST", "/mop/import", { type: "templates", template: { name: "Crowd" } }),
    );
    const names = (await Promise.all(imports)).map(({ json }) => (json as { name: string }).name);
    expect(new Set(names).size).toBe(8);
  });

  it.skipIf(!existsSync(assets))(
    "gives every published template back as it came (needs ../shared/assets)",
    async () => {
      const templates = publishedTemplates(assets);
      expect(templates.length).toBeGreaterThanOrEqual(20);
      for (const template of templates) {
        const imported = await bench.send("POST", "/mop/import", { type: "templates", template });
        expect(imported.status).toBe(200);
        const { name } = imported.json as { name: string };
        const exported = await bench.send("POST", "/mop/export", { type: "templates", options: { name } });
        const { _id, ...expected } = template as { _id?: string };
        expect(exported.json).toEqual({ ...expected, name });
      }
    },
  );
});

/** Everything in the files below a folder that has the shape of a command template. */
function publishedTemplates(folder: string): object[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => templatesIn(JSON.parse(readFileSync(join(folder, file), "utf8")) as Json));
}

function templatesIn(value: Json | undefined): object[] {
  if (Array.isArray(value)) return value.flatMap(templatesIn);
  if (!isJsonObject(value)) return [];
  const isTemplate =
    Array.isArray(value["commands"]) && typeof value["passRule"] === "boolean" && typeof value["name"] === "string";
  return isTemplate ? [value] : Object.values(value).flatMap(templatesIn);
}
