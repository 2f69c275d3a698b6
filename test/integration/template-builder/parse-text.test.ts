import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

let platform: TestPlatform;

const template = "Value NAME (\\S+)\nValue VLAN (\\d+)\n\nStart\n  ^${NAME} vlan ${VLAN}$$ -> Record\n";
const text = "r1 vlan 10\nr2 vlan 20\n";
const records = [
  { NAME: "r1", VLAN: "10" },
  { NAME: "r2", VLAN: "20" },
];

const endless = "Value A ((a+)+b)\n\nStart\n  ^${A}\n";

const store = (name: string, type: string, content: string, group = "vlans"): Promise<unknown> =>
  platform.send("POST", "/automation-studio/templates", {
    template: { name, type, group, template: content },
  });
const post = (operation: string, body: object) => platform.request("POST", `/template_builder/${operation}`, body);

beforeAll(async () => {
  platform = await startTestPlatform({}, { workerPool: { workers: 1, deadlineMs: 2_000, memoryMb: 128 } });
  await store("vlans", "textfsm", template);
  await store("broken", "textfsm", "Value NAME (\n\nStart\n");
  await store("text", "jinja2", "{{ a }}");
});
afterAll(() => platform.stop());

describe("reading data out of a text", () => {
  test("with a given template", async () => {
    expect((await post("parseTemplate", { template, text })).body).toEqual(records);
  });

  test("with a stored template", async () => {
    expect((await post("applyTemplate", { name: "vlans", text })).body).toEqual(records);
  });

  test("with all of a group, where one that fails says so", async () => {
    const { body } = await post("applyTemplates", { group: "vlans", text });
    expect(body).toEqual([
      { name: "broken", error: expect.stringContaining("Line 1") },
      { name: "vlans", records },
    ]);
  });

  test.each([
    ["parseTemplate", { template: "x", text }, 400, "Cannot parse with the template: Line 1: no values are declared"],
    ["parseTemplate", { text }, 400, "/body"],
    ["applyTemplate", { name: "nothing", text }, 404, "Cannot find template nothing"],
    ["applyTemplate", { name: "text", text }, 400, "not a TextFSM template but jinja2"],
  ])("%s refuses %j", async (operation, body, status, message) => {
    const reply = await post(operation, body);
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([status, expect.stringContaining(message)]);
  });

  test("a pattern that would take for ever is stopped", async () => {
    const { status, body } = await post("parseTemplate", { template: endless, text: "a".repeat(60) });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("2000 ms")]);
  });

  test("a group whose time is over says which templates were stopped, and which not reached", async () => {
    await store("1 quick", "textfsm", "Value A (a)\n\nStart\n  ^${A} -> Record\n", "slow");
    await store("2 endless", "textfsm", endless, "slow");
    await store("3 quick", "textfsm", template, "slow");
    const { body } = await post("applyTemplates", { group: "slow", text: "a".repeat(60) });
    const limit = "all templates of a group together may take 2000 ms (LINEWRIGHT_TASK_DEADLINE_MS)";
    expect(body).toEqual([
      { name: "1 quick", records: [{ A: "a" }] },
      { name: "2 endless", error: `Stopped: ${limit}` },
      { name: "3 quick", error: `Not reached: ${limit}` },
    ]);
  });

  test("is a task of workflows", async () => {
    const a1 = {
      name: "applyTemplate",
      app: "TemplateBuilder",
      type: "automatic",
      incoming: { name: "vlans", text },
      outgoing: { result: "$var.job.rows" },
    };
    const workflow = workflowOf("reads vlans", { a1 }, ["start > a1", "a1 > end"]);
    await platform.importWorkflow(workflow);
    const { data } = await platform.send<{ data: { status: string; variables: object } }>(
      "POST",
      "/operations-manager/jobs/start?wait=20000",
      { workflow: workflow.name },
    );
    expect([data.status, data.variables]).toMatchObject(["complete", { rows: records }]);
  });
});
