import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface JobAnswer {
  _id: string;
  status: string;
  variables: Record<string, unknown>;
  error?: { task: string; message: unknown }[];
}

const slow = `${"a".repeat(18)}!`;
const endless = `${"a".repeat(60)}!`;

interface Started {
  workflow: WorkflowDocument;
  variables: Record<string, unknown>;
}

/** A workflow of one task, which gets its arguments from job variables: patterns are seen when it runs, not before. */
function taskAlone(name: string, incoming: Record<string, unknown>, outgoing: string): Started {
  const references = Object.fromEntries(Object.keys(incoming).map((key) => [key, `$var.job.${key}`]));
  const workflow = workflowOf(
    `heavy ${name}`,
    {
      a1: { name, incoming: references, outgoing: { [outgoing]: "$var.job.result" }, error: "$var.job.failure" },
      a2: { incoming: { response: "" } },
    },
    ["start > a1", "a1 > end", "a1 >error> a2", "a2 > end"],
  );
  return { workflow, variables: incoming };
}

const assign = (id: number, from: object, to: object) => ({ id, type: "assign", context: "#", from, to });
const query = (id: number, text: string) => [
  { id, type: "method", library: "WorkFlowEngine", method: "query", args: [true, text, null] },
  assign(id + 1, { location: "incoming", name: "list", ptr: "" }, { location: "method", name: id, ptr: "/args/2" }),
  assign(
    id + 2,
    { location: "method", name: id, ptr: "/return" },
    { location: "outgoing", name: "found", ptr: `/${id}` },
  ),
];

/** Takes a list, and looks for something in it by a slow pattern and by other queries. */
const searching = (_id: string, queries: readonly string[]) => ({
  _id,
  name: `search ${_id}`,
  incoming: [{ $id: "list", type: "array" }],
  outgoing: [{ $id: "found", type: "object" }],
  steps: queries.flatMap((text, index) => query(index * 3 + 1, text)),
  functions: [],
});
const slowQuery = "[*n~/^(a|a)*$/].n";
const transformation = searching("75a1b2c3d4e5f60718293a4b", [slowQuery]);
const failing = searching("75a1b2c3d4e5f60718293a4c", [slowQuery, "a["]);
const slowList = [{ n: slow }, { n: "aa" }];
const found = { 1: ["aa"] };

/** A workflow of one task that transforms a list; it knows by which transformation, or learns so. */
function transforming(name: string, tr_id: string, fields: Partial<WorkflowDocument["tasks"][string]> = {}): Started {
  const incoming = { tr_id, variableMap: { list: "$var.job.list" }, options: {} };
  const workflow = workflowOf(
    `heavy ${name}`,
    { a1: { name: "transformation", incoming, outgoing: { found: "$var.job.result" }, ...fields } },
    ["start > a1", "a1 > end"],
  );
  return { workflow, variables: { list: slowList, id: transformation._id } };
}

describe("heavy tasks of a job", () => {
  let server: TestPlatform;
  beforeAll(async () => {
    server = await startTestPlatform({}, { workerPool: { workers: 2, deadlineMs: 8_000, memoryMb: 128 } });
  });
  afterAll(() => server.stop());
  beforeAll(async () => {
    for (const document of [transformation, failing])
      await server.send("POST", "/transformations/import", { transformation: document });
  });

  const imported = new Set<string>();
  const run = async ({ workflow, variables }: Started): Promise<JobAnswer> => {
    if (!imported.has(workflow.name)) {
      imported.add(workflow.name);
      await server.importWorkflow(workflow);
    }
    const { data } = await server.send<{ data: JobAnswer }>("POST", "/operations-manager/jobs/start?wait=20000", {
      workflow: workflow.name,
      options: { variables },
    });
    const job = await server.send<{ data: JobAnswer }>("GET", `/operations-manager/jobs/${data._id}`);
    return job.data;
  };

  it.each([
    ["match", { str: slow, regExp: "(a+)+(?=!)", flags: "" }, "matches", ["a".repeat(18), "a".repeat(18)]],
    ["match", { str: `${"ab".repeat(9)}?`, regExp: "^(\\w+\\s?)*$", flags: "" }, "matches", null],
    ["search", { str: slow, regexp: "(a|a)*!$" }, "index", 0],
    ["replace", { str: slow, regExp: "(a|a)*b|!", flags: "", newSubstr: "?" }, "replacedString", `${"a".repeat(18)}?`],
    [
      "query",
      { pass_on_null: false, query: "[*n~/^(a|a)*$/].n", obj: [{ n: slow }, { n: "aa" }] },
      "return_data",
      ["aa"],
    ],
    [
      "modify",
      { object_to_update: [{ n: slow }, { n: "aa" }], query: "[n~/^(a|a)*$/].n", new_value: 1 },
      "updated_object",
      [{ n: slow }, { n: 1 }],
    ],
    [
      "evaluation",
      {
        all_true_flag: true,
        evaluation_groups: [{ evaluations: [{ operand_1: slow, operator: "contains", operand_2: "^(a|a)*!$" }] }],
        options: "",
      },
      "return_value",
      true,
    ],
  ])("%s with a pattern that takes long is computed all the same", { timeout: 60_000 }, async (...row) => {
    const [name, incoming, outgoing, expected] = row;
    const job = await run(taskAlone(name, incoming, outgoing));
    expect(job).toMatchObject({ status: "complete", variables: { result: expected } });
    expect(job.variables).not.toHaveProperty("failure");
  });

  it(
    "a pattern without end is an error that names the limit, and the node goes on meanwhile",
    { timeout: 60_000 },
    async () => {
      const [stopped, quick] = await Promise.all([
        run(taskAlone("match", { str: endless, regExp: "^(a+)+$", flags: "" }, "matches")),
        run(taskAlone("match", { str: "r1 up", regExp: "up", flags: "" }, "matches")),
      ]);
      expect(quick.variables["result"]).toEqual(["up"]);
      expect(stopped.variables["failure"]).toMatchObject({
        IAPerror: {
          origin: "WorkFlowEngine.match",
          displayString: "It was stopped after 8000 ms, the longest it may take (LINEWRIGHT_TASK_DEADLINE_MS)",
        },
      });
    },
  );

  it.each([
    transforming("known", transformation._id),
    transforming("learned", "$var.job.id"),
    transforming("renamed", transformation._id, { name: "shape it", canvasName: "transformation" }),
    transforming("renamed, learned", "$var.job.id", { name: "shape it", canvasName: "transformation" }),
  ])("a transformation that takes long is computed all the same: $workflow.name", { timeout: 60_000 }, async (one) => {
    expect(await run(one)).toMatchObject({ status: "complete", variables: { result: found } });
  });

  describe("of a loop of child jobs", () => {
    const incomingOf = (id: string, data_array: unknown) => ({
      task: "",
      workflow: "heavy child",
      variables: {},
      data_array,
      transformation: id,
      loopType: "parallel",
    });
    const loop = (name: string, id: string): Started => {
      const incoming = incomingOf(id, "$var.job.lists");
      const a1 = { name: "childJob", type: "operation", incoming };
      const written = { outgoing: { job_details: "$var.job.result" }, error: "$var.job.failure" };
      const tasks = { a1: { ...a1, ...written }, a2: { incoming: { response: "" } } };
      const workflow = workflowOf(name, tasks, ["start > a1", "a1 > end", "a1 >error> a2", "a2 > end"]);
      return { workflow, variables: { lists: [slowList, []] } };
    };
    const child = workflowOf("heavy child", { a1: { incoming: { response: "" } } }, ["start > a1", "a1 > end"]);
    beforeAll(() => server.importWorkflow(child));

    it("a transformation that takes long is computed all the same", { timeout: 60_000 }, async () => {
      const children = [
        { ...found, childJobLoopIndex: 0 },
        { 1: [], childJobLoopIndex: 1 },
      ];
      const job = await run(loop("heavy loop", transformation._id));
      expect(job).toMatchObject({ status: "complete", variables: { result: { loop: children } } });
      const incoming = incomingOf(transformation._id, [slowList]);
      const tried = await server.send("POST", "/workflow_engine/tasks/try", { task: "childJob", incoming });
      expect(tried).toMatchObject({ waitsFor: { for: "childJobs", variables: [found] } });
    });

    it("its errors are those of the task", { timeout: 60_000 }, async () => {
      const job = await run(loop("heavy failing loop", failing._id));
      const displayString = expect.stringMatching(
        /The transformation of element \d failed: .*failed in step 4/u,
      ) as unknown;
      expect(job.variables["failure"]).toMatchObject({ IAPerror: { displayString } });
    });
  });

  it("a malformed pattern is an error at once", async () => {
    const job = await run(taskAlone("match", { str: endless, regExp: "(?<=a", flags: "" }, "matches"));
    expect(job.variables["failure"]).toMatchObject({
      IAPerror: { displayString: expect.stringContaining("Invalid regular expression") as unknown },
    });
  });

  it(
    "the routes that try a query and an evaluation compute it too, and refuse what never ends",
    { timeout: 60_000 },
    async () => {
      const ask = (n: string) =>
        server.request("POST", "/workflow_engine/query", { query: "[*n~/^(a|a)*$/].n", obj: [{ n }, { n: "aa" }] });
      expect(await ask(slow)).toMatchObject({ status: 200, body: ["aa"] });
      expect(await ask(endless)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining("stopped after 8000 ms") as unknown },
      });
      const evaluation = { operand_1: slow, operator: "contains", operand_2: "^(a|a)*!$" };
      expect(
        await server.request("POST", "/workflow_engine/runEvaluationGroup", { evaluation_group: [evaluation] }),
      ).toMatchObject({ status: 200, body: true });
    },
  );
});
