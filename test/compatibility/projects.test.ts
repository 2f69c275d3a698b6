import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTaskModels } from "../../src/application-task-models.ts";
import { systemCaller } from "../../src/core/caller.ts";
import { createTaskCatalog, taskLibrary } from "../../src/task-library/index.ts";
import type { WorkflowProblem } from "../../src/workflow-engine/workflow-schema.ts";
import { createStudioServer, type StudioServer } from "../integration/automation-studio/studio-server.ts";

const folder = join(import.meta.dirname, "../../../shared/assets/projects");
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".project.json")) : [];

interface ProjectFile {
  _id: string;
  name: string;
  components: { iid: number; type: string; reference: string; document: Record<string, unknown> & { name: string } }[];
}

const readProject = (name: string): ProjectFile => JSON.parse(readFileSync(join(folder, name), "utf8")) as ProjectFile;

/** Names of the engine's tasks in the workflows of a file. */
const engineTaskNames = (name: string): string[] =>
  readProject(name)
    .components.filter(({ type }) => type === "workflow")
    .flatMap(({ document }) => Object.values(document["tasks"] as Record<string, { app?: string; name: string }>))
    .flatMap((task) => (task.app === "WorkFlowEngine" ? [task.name] : []));

// Without the published files there is nothing to test.
describe.skipIf(files.length === 0)("published projects (../shared/assets/projects)", () => {
  let server: StudioServer;
  beforeAll(async () => {
    server = await createStudioServer();
  });
  afterAll(() => server.close());

  describe.each(files)("%s", (name) => {
    test("comes out as it went in", async () => {
      const file = readProject(name);
      const imported = await server.send("POST", "/automation-studio/projects/import", { project: file });
      expect(imported).toMatchObject({
        status: 200,
        body: { data: { _id: file._id, name: file.name }, metadata: { failedComponents: [] } },
      });
      const { status, body } = await server.send("GET", `/automation-studio/projects/${file._id}/export`);
      expect(status).toBe(200);
      expect(body["data"]).toEqual(file);
      expect(JSON.stringify(body["data"])).toBe(JSON.stringify(file));
    });

    test("keeps its ids and names its documents after the project", async () => {
      const file = readProject(name);
      const { body } = await server.send("GET", `/automation-studio/projects/${file._id}`);
      const shown = body["data"]?.["components"] as unknown as { name: string; reference: string }[];
      const names = file.components.map(({ document }) => `@${file._id}: ${document.name}`);
      expect(shown.map((component) => component.name)).toEqual(names);
      expect(shown.map((component) => component.reference)).toEqual(file.components.map(({ reference }) => reference));
    });

    test("is refused a second time, inserted anew under new ids, and overwritten in place", async () => {
      const file = readProject(name);
      const again = await server.send("POST", "/automation-studio/projects/import", { project: file });
      expect(again).toMatchObject({
        status: 409,
        body: { message: `Project with name \`${file.name}\` already exists` },
      });

      const inserted = await server.send("POST", "/automation-studio/projects/import", {
        project: file,
        conflictMode: "insert-new",
      });
      const { _id: copyId, name: copyName } = inserted.body["data"] as unknown as ProjectFile;
      expect(copyName).toBe(`${file.name} (1)`);
      expect(copyId).not.toBe(file._id);
      const copy = (await server.send("GET", `/automation-studio/projects/${copyId}/export`)).body[
        "data"
      ] as unknown as ProjectFile;
      expect(JSON.stringify(copy)).not.toContain(`@${file._id}: `);
      expect(
        copy.components
          .map((one) => one.reference)
          .filter((one) => file.components.some((old) => old.reference === one)),
      ).toEqual([]);

      const overwritten = await server.send("POST", "/automation-studio/projects/import", {
        project: file,
        conflictMode: "overwrite",
      });
      expect(overwritten).toMatchObject({ status: 200, body: { data: { _id: file._id, name: file.name } } });
      const { body } = await server.send("GET", `/automation-studio/projects/${file._id}/export`);
      expect(JSON.stringify(body["data"])).toBe(JSON.stringify(file));

      await server.send("DELETE", `/automation-studio/projects/${copy._id}`);
      expect(await server.store.count("workflows", { "namespace._id": copy._id })).toBe(0);
    });
  });
});

describe.skipIf(files.length === 0)("problems of published workflows (../shared/assets/projects)", () => {
  let server: StudioServer;
  beforeAll(async () => {
    server = await createStudioServer({ findTask: createTaskModels([], createTaskCatalog(taskLibrary)) });
    for (const name of files)
      await server.send("POST", "/automation-studio/projects/import", { project: readProject(name) });
  });
  afterAll(() => server.close());

  const problemsOf = async (severity: "errors" | "warnings"): Promise<string[]> => {
    const stored = await server.store.find<Record<string, WorkflowProblem[]> & { name: string }>("workflows", {});
    expect(stored.length).toBe(75);
    return stored.flatMap((workflow) =>
      (workflow[severity] ?? []).map(({ task, message }) => `${workflow.name.slice(27)}, ${task}: ${message}`),
    );
  };

  test("one refers to a transformation that its project does not have; nothing else is an error", async () => {
    expect(await problemsOf("errors")).toEqual([
      "Command Template Runner_v2, c2fa: Cannot find transformation 66f75bba489dc00177ecd68c",
    ]);
  });

  test("warnings tell of what is not installed, of errors that end the job, and of five values read before they are there", async () => {
    const counts: Record<string, number> = {};
    for (const warning of await problemsOf("warnings")) {
      const kind = warning
        .replace(/^.*?, \w+: /u, "")
        .replace(/(Application: |Adapter: |find workflow ).*$/u, "$1…")
        .replace(/'\w+'/gu, "'…'")
        .replace(/before: the way .*$/u, "before: the way …");
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    const known = new Set(taskLibrary.map((task) => task.name));
    const missing = files.flatMap(engineTaskNames).filter((name) => !known.has(name)).length;
    expect(counts).toEqual({
      ...(missing > 0 ? { "Method not found": missing } : {}),
      "No config found for Adapter: …": 99,
      "No config found for Application: …": 58,
      "Adapter task has no error transition: its error ends the job": 48,
      "Cannot find workflow …": 6,
      "Input '…' reads job variable '…' which may not have been written before: the way …": 4,
      "Input '…' refers to task '…' which can never have run before": 1,
      "Input '…' refers to task '…' which may not have run before: the way …": 4,
    });
  });

  // Each was looked at: what it says is so.
  test("the values that may be missing are those of an empty loop, of queries that find nothing, and of tasks a revert goes past", async () => {
    const told = (await problemsOf("warnings")).filter((warning) => warning.includes("run before"));
    const readers = told.map(
      (warning) => /^(.*?), (\w+): .* task '(\w+)'/u.exec(warning)?.slice(1).join(" ") ?? warning,
    );
    expect(readers.toSorted((left, right) => left.localeCompare(right, "en"))).toEqual([
      "Get Diff for Merge 7bb1 a317",
      "Get File 1a0b dc55",
      "Golden Configuration Tree 597 a479",
      "Golden Configuration Tree 9ef7 8024",
      "Provision Service 101a f00",
    ]);
  });

  // Each was looked at too.
  test("the job variables that may not have been written are those of calls that fail, or do not fail", async () => {
    const told = (await problemsOf("warnings")).filter((warning) => warning.includes("job variable"));
    const readers = told.map(
      (warning) => /^(.*?), (\w+): .* variable '(\w+)'/u.exec(warning)?.slice(1).join(" ") ?? "",
    );
    expect(readers.toSorted()).toEqual([
      "Command Template Runner_v2 c2fa templateResults",
      "Create Change Request c345 serviceNowError",
      "Create Incident c345 serviceNowError",
      "Create Request Item c345 serviceNowError",
    ]);
  });

  test("each is told to the client that imports it, unless it does not want to know", async () => {
    const project = readProject("Arista EOS.project.json");
    const request = { project, conflictMode: "overwrite" };
    const told = await server.send("POST", "/automation-studio/projects/import", request);
    expect(told.body["metadata"]?.["unresolvedReferences"]).toEqual([
      {
        component: "Command Template Runner_v2",
        task: "c2fa",
        message: "Cannot find transformation 66f75bba489dc00177ecd68c",
      },
    ]);
    const untold = await server.send("POST", "/automation-studio/projects/import", {
      ...request,
      skipReferenceValidation: true,
    });
    expect(untold.body["metadata"]?.["unresolvedReferences"]).toEqual([]);
  });
});

const golden = join(import.meta.dirname, "../../../shared/golden");
const bundles = existsSync(golden)
  ? readdirSync(golden).filter((name) => existsSync(join(golden, name, "bundles/workflows")))
  : [];

describe.skipIf(bundles.length === 0)("published pre-builts (../shared/golden)", () => {
  let server: StudioServer;
  beforeAll(async () => {
    server = await createStudioServer({ findTask: createTaskModels([], createTaskCatalog(taskLibrary)) });
  });
  afterAll(() => server.close());

  const documentsOf = (bundle: string, kind: string) =>
    readdirSync(join(golden, bundle, "bundles", kind)).map(
      (name) => JSON.parse(readFileSync(join(golden, bundle, "bundles", kind, name), "utf8")) as { name: string },
    );

  test.each(bundles)("%s is stored document by document, without an error in any workflow", async (bundle) => {
    for (const transformation of documentsOf(bundle, "transformations")) {
      const { status, body } = await server.send("POST", "/transformations/import", { transformation });
      expect([status, JSON.stringify(body)]).toEqual([200, JSON.stringify(transformation)]);
    }
    for (const workflow of documentsOf(bundle, "workflows")) {
      expect((await server.send("POST", "/workflow_builder/import", { workflow, options: {} })).body).toMatchObject({
        n: 1,
        ok: 1,
      });
      expect(
        await server.workflows.validate(await server.workflows.get(workflow.name, systemCaller), systemCaller),
      ).toMatchObject({ errors: [] });
    }
  });
});
