import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { taskReferences } from "../../../src/workflow-engine/interpreter/job-schemas-references.ts";
import { computeJobSchemas, type TaskModel } from "../../../src/workflow-engine/interpreter/job-schemas.ts";
import type { WorkflowTask } from "../../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const reserve: TaskModel = {
  name: "reserve",
  app: "Inventory",
  type: "automatic",
  incoming: [{ name: "prefix", schema: Type.String({ title: "prefix", format: "ipv4" }) }],
  outgoing: [{ name: "address", schema: Type.Object({ value: Type.String() }) }],
};
const findModel = (task: WorkflowTask) => (task.name === "reserve" ? reserve : undefined);
const anything = { type: ["array", "boolean", "null", "number", "object", "string"] };

const schemasOf = (tasks: Parameters<typeof workflowOf>[1], edges: string[]) => {
  const { inputSchema, outputSchema } = computeJobSchemas(workflowOf("w", tasks, edges), findModel);
  return { inputSchema, outputSchema } as unknown as Record<
    string,
    { properties: Record<string, unknown>; required: string[] }
  >;
};

describe("schemas of a workflow", () => {
  test("a job variable that nothing upstream writes is a required input, typed by the argument it feeds", () => {
    const { inputSchema } = schemasOf({ a: { name: "reserve", incoming: { prefix: "$var.job.network" } } }, [
      "start > a",
      "a > end",
    ]);
    expect(inputSchema).toEqual({
      type: "object",
      properties: { network: { type: "string", title: "prefix", format: "ipv4" } },
      required: ["network"],
    });
  });

  test("what a task writes is no input for the tasks behind it, but stays one for those before", () => {
    const writes = { name: "reserve", incoming: { prefix: "10.0.0.0" }, outgoing: { address: "$var.job.given" } };
    const reads = { name: "reserve", incoming: { prefix: "$var.job.given" } };
    expect(schemasOf({ a: writes, b: reads }, ["start > a", "a > b", "b > end"])["inputSchema"]?.required).toEqual([]);
    expect(schemasOf({ a: writes, b: reads }, ["start > b", "b > a", "a > end"])["inputSchema"]?.required).toEqual([
      "given",
    ]);
    // The own output of a task is written when it ends, too late for its input.
    expect(schemasOf({ a: { ...writes, ...reads } }, ["start > a", "a > end"])["inputSchema"]?.required).toEqual([
      "given",
    ]);
  });

  test("the output is the inputs, what the engine sets, and every job variable written", () => {
    const { outputSchema } = schemasOf(
      {
        a: {
          name: "reserve",
          incoming: { prefix: "$var.job.network" },
          outgoing: { address: "$var.job.address" },
          error: "$var.job.problem",
        },
        b: { name: "newVariable", incoming: { name: "counter", value: 0 } },
      },
      ["start > a", "a > b", "b > end"],
    );
    expect(Object.keys(outputSchema?.properties ?? {})).toEqual([
      "network",
      "_id",
      "initiator",
      "address",
      "problem",
      "counter",
    ]);
    expect(outputSchema?.properties["address"]).toEqual({
      type: "object",
      properties: { value: { type: "string" } },
      required: ["value"],
    });
    expect(outputSchema?.properties["problem"]).toEqual(anything);
    expect(outputSchema?.properties["_id"]).toEqual({ type: "string", pattern: "^[0-9a-f]{24}$" });
  });

  test("what the engine sets is never an input", () => {
    const { inputSchema } = schemasOf({ a: { incoming: { id: "$var.job._id", who: "$var.job.initiator" } } }, [
      "start > a",
      "a > end",
    ]);
    expect(inputSchema?.required).toEqual([]);
  });

  test("structured references count as reads; text that stays text does not", () => {
    const { inputSchema } = schemasOf(
      {
        a: { name: "merge", incoming: { data_to_merge: [{ key: "x", value: { task: "job", variable: "one" } }] } },
        b: {
          name: "childJob",
          incoming: { variables: { y: { task: "job", value: "two" }, z: { task: "static", value: "not" } } },
        },
        c: {
          name: "transformation",
          incoming: { variableMap: { deep: "$var.job.three", literal: { nested: "$var.job.four" } } },
        },
        d: { name: "stub", incoming: { response: { nested: "$var.job.five" } } },
      },
      ["start > a", "a > b", "b > c", "c > d", "d > end"],
    );
    expect(inputSchema?.required).toEqual(["one", "two", "three"]);
  });

  test("a variable read through a pointer may have any type", () => {
    const { inputSchema } = schemasOf({ a: { name: "reserve", incoming: { prefix: "$var.job.site#/prefix" } } }, [
      "start > a",
      "a > end",
    ]);
    expect(inputSchema?.properties).toEqual({ site: anything });
  });
});

describe("references of a task", () => {
  const referencesOf = (name: string, incoming: Record<string, unknown>) =>
    taskReferences({ name, variables: { incoming } });

  test("tell where they stand and where they lead", () => {
    expect(referencesOf("stub", { a: "$var.3f.result#/x/0", b: "text $var.job.x", c: "$var.job" })).toEqual([
      { source: "3f", name: "result", pointer: "/x/0", argument: "a", isWhole: true, isResolved: true },
    ]);
  });

  test("of an evaluation are its operands, at any group", () => {
    const operand = (task: string, variable: unknown) => ({ task, variable });
    const evaluation = (one: object, other: object) => ({ operand_1: one, operator: "==", operand_2: other });
    const evaluation_groups = [
      { all_true_flag: true, evaluations: [evaluation(operand("3f", "result"), operand("static", "$var.job.x"))] },
      { evaluations: [evaluation(operand("job", "wanted"), operand("static", 3))] },
    ];
    expect(referencesOf("evaluation", { evaluation_groups }).map(({ source, name }) => `${source}.${name}`)).toEqual([
      "3f.result",
      "job.wanted",
    ]);
  });

  test("deeper than the engine looks are found, and said to stay text", () => {
    const found = referencesOf("makeData", { variables: { a: ["$var.job.x"] } });
    expect(found).toEqual([{ source: "job", name: "x", argument: "variables", isWhole: false, isResolved: false }]);
  });
});
