import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linewright } from "../../support/command-line.ts";
import { adminPassword, startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const stub = { incoming: { type: "success", delay: "", response: "$var.job.x" }, outgoing: { response: "$var.job.y" } };

describe("the command line", () => {
  let platform: TestPlatform;
  let folder: string;
  let environment: Record<string, string>;
  const file = async (name: string, content: unknown) => {
    await writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
    return join(folder, name);
  };

  beforeAll(async () => {
    platform = await startTestPlatform();
    folder = await mkdtemp(join(tmpdir(), "linewright-cli-"));
    environment = { LINEWRIGHT_URL: platform.platform.url, LINEWRIGHT_PASSWORD: adminPassword };
  });
  afterAll(async () => {
    await platform.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("imports a workflow, starts it, follows it and lists it", async () => {
    const path = await file("workflow.json", workflowOf("cli", { a1: stub }, ["start > a1", "a1 > end"]));
    expect(await linewright(["import", path], environment)).toMatchObject({ code: 0, out: "Imported workflow cli.\n" });
    const started = await linewright(["job", "start", "cli", "--variables", '{"x": 1}', "--watch"], environment);
    expect(started.code).toBe(0);
    expect(started.out).toMatch(/a task +success/u);
    expect(started.out).toMatch(/Job [0-9a-f]{24} is complete/u);
    const listed = await linewright(["job", "list", "--json"], environment);
    const { jobs, total } = JSON.parse(listed.out) as {
      jobs: { _id: string; name: string; status: string }[];
      total: number;
    };
    expect({ total, jobs }).toMatchObject({ total: 1, jobs: [{ name: "cli", status: "complete" }] });
    const watched = await linewright(["job", "watch", jobs[0]?._id ?? "", "--json"], environment);
    expect(JSON.parse(watched.out.trim().split("\n").at(-1) ?? "")).toMatchObject({
      status: "complete",
      variables: { x: 1, y: 1 },
    });
  });

  it("replays a job: what happened, and how it was then", async () => {
    const path = await file("replayed.json", workflowOf("cli replayed", { a1: stub }, ["start > a1", "a1 > end"]));
    await linewright(["import", path], environment);
    const started = await linewright(
      ["job", "start", "cli replayed", "--variables", '{"x": 2}', "--json"],
      environment,
    );
    const { _id } = JSON.parse(started.out) as { _id: string };
    const { code, out } = await linewright(["job", "replay", _id], environment);
    expect(code).toBe(0);
    expect(out).toMatch(/1 {2}\d{4}-\d\d-\d\dT[\d:.]+Z {2}start by admin/u);
    expect(out).toMatch(/finished {2}a1 a task {2}success/u);
    expect(out).toContain(`Job ${_id} (cli replayed) after event 1: complete`);
    const lines = (await linewright(["job", "replay", _id, "--until", "1", "--json"], environment)).out
      .trim()
      .split("\n");
    const [first, last] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({ seq: 1, cause: { event: "start", by: "admin" } });
    expect(last).toMatchObject({ _id, status: "complete", variables: { x: 2, y: 2 } });
    const beyond = await linewright(["job", "replay", _id, "--until", "9"], environment);
    expect(beyond).toMatchObject({ code: 1 });
    expect(beyond.error).toContain(`Job ${_id} has no event 9: its last one is 1`);
  }, 60_000);

  it("tries a task with arguments from the line, a file and standard input", async () => {
    const incoming = '{"arr": "$var.job.all", "elementN": 2}';
    const path = await file("variables.json", { all: [1] });
    const args = ["task", "try", "arrayPush", "--variables", `@${path}`];
    const plain = await linewright([...args, "--incoming", incoming], environment);
    expect(plain).toMatchObject({ code: 0, error: "" });
    expect(plain.out).toMatch(/^arrayPush ends in success \(\d+ ms\)\.\n {2}pushedArray = \[1,2\]\n$/u);
    const piped = await linewright([...args, "--incoming", "-", "--json"], environment, undefined, incoming);
    expect(JSON.parse(piped.out)).toMatchObject({ finish_state: "success", incoming: { arr: [1], elementN: 2 } });
    const listener = await linewright(
      ["task", "try", "eventListenerJob", "--incoming", '{"source": "s", "topic": "t"}'],
      environment,
    );
    expect(listener.out).toMatch(
      /^eventListenerJob waits .*\n {2}Waits for \{"for":"event","source":"s","topic":"t"\}\n$/u,
    );
    const unnamed = await linewright(
      ["task", "try", "newVariable", "--incoming", '{"name": "", "value": 1}'],
      environment,
    );
    expect(unnamed).toMatchObject({ code: 1, error: "" });
    expect(unnamed.out).toMatch(/^newVariable ends in error .*\n {2}The name of the job variable is missing\n$/u);
  }, 60_000);

  it("looks into an archive", async () => {
    const job = {
      kind: "job",
      _id: "a1",
      root: "a1",
      job: { name: "w", status: "complete", metrics: { end_time: 0 } },
    };
    const value = { kind: "largeValue", _id: "a1.00", root: "a1", value: [1] };
    const path = join(folder, "2026-01-01.jsonl.gz");
    const text = { kind: "largeText", _id: "a1.s00", root: "a1", size: 5, pieces: 2 };
    const pieces = ["[1,", "2]"].map((piece) => ({ kind: "textPiece", _id: "a1.s00", root: "a1", text: piece }));
    const lines = [job, value, text, ...pieces].map((line) => `${JSON.stringify(line)}\n`);
    await writeFile(path, gzipSync(lines.join("")));
    const listed = await linewright(["archive", "list", path]);
    expect(listed.out).toMatch(/a1 +a1 +complete +w +1970-01-01T00:00:00.000Z\n1 jobs/u);
    const shown = await linewright(["archive", "show", path, "a1", "--json"]);
    expect(JSON.parse(shown.out)).toEqual(job);
    expect((await linewright(["archive", "show", path, "a1.00", "--json"])).out).toBe(`${JSON.stringify(value)}\n`);
    expect((await linewright(["archive", "show", path, "a1.s00", "--json"])).out).toBe(lines.slice(2).join(""));
    const cases: [string[], string][] = [
      [["archive", "show", path, "b2"], "has no job b2"],
      [["archive", "list", join(folder, "absent")], "There is no file or folder"],
      [["archive", "list", await file("not-packed.jsonl.gz", "{}")], "is not an archive of jobs"],
    ];
    for (const [args, expected] of cases) {
      const { code, error } = await linewright(args);
      expect({ args, code, says: error.includes(expected) }).toEqual({ args, code: 1, says: true });
    }
  }, 60_000);

  it("imports a prebuilt whose workflow comes before what it refers to", async () => {
    const id = "5f00000000000000000000dd";
    const task = { name: "transformation", type: "operation", incoming: { tr_id: id, variableMap: {}, options: "" } };
    const workflow = workflowOf("cli prebuilt", { a1: task }, ["start > a1", "a1 > end"]);
    const transformation = { _id: id, name: "cli empty", incoming: [], outgoing: [], steps: [], functions: [] };
    const bundles = [
      { type: "workflow", data: workflow },
      { type: "transformation", data: transformation },
    ];
    const path = await file("artifact.json", { metadata: { name: "a prebuilt" }, manifest: {}, bundles });
    expect((await linewright(["import", path], environment)).out).toBe("Imported prebuilt a prebuilt.\n");
    expect((await linewright(["job", "start", "cli prebuilt", "--watch"], environment)).code).toBe(0);
  });

  it.each<[says: string, args: () => string[] | Promise<string[]>, changed?: Record<string, string>]>([
    ["is not a JSON document", async () => ["import", await file("broken.json", "{")]],
    ["is none of: prebuilt, project, workflow", async () => ["import", await file("other.json", { some: "thing" })]],
    ["Check the path.", () => ["import", join(folder, "absent.json")]],
    ["Cannot find workflow nope", () => ["job", "start", "nope"]],
    ["--variables is not a JSON object.", () => ["job", "start", "cli", "--variables", "[]"]],
    ["--incoming is not a JSON object.", () => ["task", "try", "sort", "--incoming", "[]"]],
    ["from standard input", () => ["task", "try", "sort", "--incoming", "-", "--variables", "-"]],
    ["did you mean arrayLength?", () => ["task", "try", "arrayLenght"]],
    ["/body/incoming/arr is missing", () => ["task", "try", "arrayLength"]],
    ["Job ffffffffffffffffffffffff not found", () => ["job", "watch", "ffffffffffffffffffffffff"]],
    ["Check --user and --password", () => ["job", "list"], { LINEWRIGHT_PASSWORD: "wrong-password" }],
    ["Set LINEWRIGHT_PASSWORD or LINEWRIGHT_TOKEN", () => ["job", "list"], { LINEWRIGHT_PASSWORD: "" }],
    ["Start one with `linewright serve`", () => ["job", "list"], { LINEWRIGHT_URL: "http://127.0.0.1:9" }],
    ["LINEWRIGHT_PORT", () => ["serve"], { LINEWRIGHT_PORT: "99999" }],
    ["Did you mean job?", () => ["jobs"]],
  ])("says what is wrong and what to do: %s", async (says, args, changed = {}) => {
    const { code, error } = await linewright(await args(), { ...environment, ...changed });
    expect({ code, says: error.includes(says), stack: / at .*\.js:/u.test(error) }).toEqual({
      code: 1,
      says: true,
      stack: false,
    });
  });

  it("shows the demo, and shows it again on the same data", async () => {
    const demo = { LINEWRIGHT_DATA_DIR: join(folder, "demo-data"), LINEWRIGHT_PORT: "0" };
    for (const _ of ["first", "again"]) {
      const { code, out } = await linewright(["demo"], demo, "Password");
      expect(out).toContain("The description is set and the interfaces are as they were.");
      expect(code).toBe(0);
    }
    const once = await linewright(["demo", "--once", "--json"]);
    expect(once.code).toBe(0);
    expect(JSON.parse(once.out.trim().split("\n").at(-1) ?? "")).toMatchObject({ status: "complete", isGood: true });
  });
});
