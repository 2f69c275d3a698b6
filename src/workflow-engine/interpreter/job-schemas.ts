import type { JsonObject } from "../../core/json.ts";
import type { Task } from "../../core/task.ts";
import { endTaskId, type WorkflowDocument, type WorkflowTask } from "../workflow-schema.ts";
import { boundJobVariable, taskReferences } from "./job-schemas-references.ts";
import { compileWorkflowGraph, upstreamOf } from "./workflow-graph.ts";

/** What validation and schemas read of a task's model. */
export type TaskModel = Pick<Task, "name" | "app" | "type" | "incoming" | "otherNames" | "outgoing">;

/** The model of a task of a workflow, as far as the platform knows it. */
export type FindModel = (task: WorkflowTask) => TaskModel | undefined;

export interface JobSchemas {
  /** Job variables that a start has to give. */
  inputSchema: JsonObject;
  /** Job variables that a finished job has. */
  outputSchema: JsonObject;
}

/** Job variables that the engine itself sets (spec: workflow-engine.md §4). */
const engineVariables: Readonly<Record<string, JsonObject>> = {
  _id: { type: "string", pattern: "^[0-9a-f]{24}$" },
  initiator: { type: "string" },
};

const anySchema = { type: ["array", "boolean", "null", "number", "object", "string"] };

/**
 * Derives the schemas of a workflow from its references (spec: workflow-engine.md §1.3). A job
 * variable that is read and that no task upstream writes is a required input, with the schema of the
 * argument it feeds; the output is the inputs and every job variable written.
 */
export function computeJobSchemas(workflow: WorkflowDocument, findModel: FindModel): JobSchemas {
  const written = writtenVariables(workflow, findModel);
  const inputs = neededVariables(workflow, findModel, written);
  const outputs = new Map([...inputs, ...Object.entries(engineVariables)]);
  for (const write of written) if (!outputs.has(write.name)) outputs.set(write.name, write.schema);
  return { inputSchema: objectSchema(inputs, [...inputs.keys()]), outputSchema: objectSchema(outputs, []) };
}

interface WrittenVariable {
  name: string;
  taskId: string;
  schema: JsonObject;
}

function writtenVariables(workflow: WorkflowDocument, findModel: FindModel): WrittenVariable[] {
  return Object.entries(workflow.tasks).flatMap(([taskId, task]) =>
    writesOf(task, findModel(task)).map((write) => ({ ...write, taskId })),
  );
}

function writesOf(task: WorkflowTask, model: TaskModel | undefined): Omit<WrittenVariable, "taskId">[] {
  const { incoming = {}, outgoing = {}, error } = task.variables ?? {};
  const writes = Object.entries(outgoing).map(([slot, binding]) => ({
    name: boundJobVariable(binding),
    schema: schemaOf(model?.outgoing.find((variable) => variable.name === slot)?.schema),
  }));
  writes.push({ name: boundJobVariable(error), schema: anySchema });
  if (task.name === "newVariable") writes.push({ name: staticName(incoming["name"]), schema: anySchema });
  return writes.flatMap(({ name, schema }) => (name === undefined ? [] : [{ name, schema }]));
}

function neededVariables(
  workflow: WorkflowDocument,
  findModel: FindModel,
  written: readonly WrittenVariable[],
): Map<string, JsonObject> {
  const graph = compileWorkflowGraph(workflow);
  const inputs = new Map<string, JsonObject>();
  for (const [taskId, task] of Object.entries(workflow.tasks)) {
    if (taskId === endTaskId) continue;
    const upstream = upstreamOf(graph, [taskId]);
    upstream.delete(taskId);
    for (const read of readsOf(task, findModel(task))) {
      const isGiven = Object.hasOwn(engineVariables, read.name) || inputs.has(read.name);
      const isWritten = written.some((write) => write.name === read.name && upstream.has(write.taskId));
      if (!isGiven && !isWritten) inputs.set(read.name, read.schema);
    }
  }
  return inputs;
}

function readsOf(task: WorkflowTask, model: TaskModel | undefined): { name: string; schema: JsonObject }[] {
  const references = taskReferences(task).filter((reference) => reference.source === "job" && reference.isResolved);
  return references.map(({ name, argument, isWhole, pointer }) => {
    const isArgument = isWhole && pointer === undefined;
    const schema = isArgument ? model?.incoming.find((known) => known.name === argument)?.schema : undefined;
    return { name, schema: schemaOf(schema) };
  });
}

function schemaOf(schema: object | undefined): JsonObject {
  // Symbols of the schema library do not survive, so that a computed schema equals its stored form.
  const plain = schema === undefined ? {} : (JSON.parse(JSON.stringify(schema)) as JsonObject);
  return Object.keys(plain).length === 0 ? { ...anySchema } : plain;
}

function staticName(name: unknown): string | undefined {
  return typeof name === "string" && name !== "" && !name.startsWith("$var.") ? name : undefined;
}

function objectSchema(properties: ReadonlyMap<string, JsonObject>, required: string[]): JsonObject {
  return { type: "object", properties: Object.fromEntries(properties), required };
}
