import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

describe("what helps to write workflows", () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());
  const post = (path: string, body: unknown) => platform.request("POST", `/workflow_engine/${path}`, body);

  it("queries data as the task does", async () => {
    const obj = {
      list: [
        { name: "a", n: 1 },
        { name: "b", n: 2 },
      ],
    };
    expect((await post("query", { pass_on_null: false, query: "list[name=b].n", obj, job_id: "x" })).body).toBe(2);
    expect((await post("query", { query: "list[name=z].n", obj })).body).toBeNull();
    expect((await post("query", { query: "list[", obj })).status).toBe(400);
    expect((await post("query", { obj })).status).toBe(400);
  });

  it("tries evaluations of plain values", async () => {
    const five = { operand_1: "5", operator: "==", operand_2: 5 };
    const never = { operand_1: 1, operator: ">", operand_2: 2 };
    const group = async (all_true_flag: boolean, options?: object) =>
      (
        await post("runEvaluationGroup", {
          evaluation_group: [five, never],
          all_true_flag,
          ...(options ? { options } : {}),
        })
      ).body;
    expect(await group(false)).toBe(true);
    expect(await group(true)).toBe(false);
    expect(await group(false, { strictTypes: true })).toBe(false);
    const groups = [
      { all_true_flag: true, evaluations: [five] },
      { all_true_flag: true, evaluations: [never] },
    ];
    expect((await post("runEvaluationGroups", { evaluation_group: groups, all_true_flag: false })).body).toBe(true);
    expect((await post("runEvaluationGroups", { evaluation_groups: groups, all_true_flag: true })).body).toBe(false);
    expect((await post("runEvaluationGroups", { all_true_flag: true })).status).toBe(400);
  });

  it("finds paths, problems and job variables", async () => {
    const look = { name: "arrayLength", incoming: { arr: "$var.job.list" }, outgoing: { length: "" } };
    const workflow = workflowOf("help", { a1: look, b1: look }, ["start > a1", "start > b1", "a1 > end", "b1 > end"]);
    const { tasks, transitions } = workflow;
    const paths = await post("findForwardPaths", {
      start_task: "workflow_start",
      end_task: "workflow_end",
      workflow_details: { tasks, transitions },
    });
    expect(paths.body).toEqual([
      ["workflow_start", "a1", "workflow_end"],
      ["workflow_start", "b1", "workflow_end"],
    ]);
    expect((await post("workflows/validate", { workflow })).body).toEqual({ errors: [], warnings: [] });
    for (const family of ["/workflow_engine", "/automation-studio"]) {
      const validated = (asset: object) => platform.send("POST", `${family}/workflows/validate`, { asset });
      expect(await validated(workflow)).toEqual({ isValid: true, errors: [], warnings: [] });
      const cut = { ...workflow, transitions: {} };
      const { errors } = await platform.send<{ errors: object[] }>("POST", `${family}/workflows/validate`, {
        workflow: cut,
      });
      expect(errors).not.toEqual([]);
      expect(await validated(cut)).toMatchObject({ isValid: false, errors });
    }
    const { inputSchema: _inputSchema, ...bare } = workflow;
    await platform.importWorkflow(bare);
    const variables = await platform.send<Record<string, unknown>>("GET", "/workflow_engine/workflows/variables/help");
    expect(Object.keys(variables)).toContain("list");
    expect(await platform.send("GET", "/workflow_engine/workflows/detailed/help")).toMatchObject({ name: "help" });
    expect((await platform.request("GET", "/workflow_engine/workflows/detailed/nope")).status).toBe(404);
  });
});
