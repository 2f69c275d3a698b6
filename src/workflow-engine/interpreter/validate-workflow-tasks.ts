import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { boundJobVariable, parseReference } from "./job-schemas-references.ts";
import type { TaskModel } from "./job-schemas.ts";
import { hasUnsafePattern } from "./validate-workflow-patterns.ts";
import { mismatchOf } from "./validate-workflow-schemas.ts";
import { error, warning, type Finding, type Validation } from "./validate-workflow-findings.ts";
import { edgesFrom } from "./workflow-graph.ts";

interface CheckedTask {
  id: string;
  task: WorkflowTask;
}

const fixedTaskIds: ReadonlySet<string> = new Set([startTaskId, endTaskId, "error_handler"]);
const requiredFields = ["description", "location", "app", "type", "variables"] as const;
const taskTypes: ReadonlySet<string> = new Set(["automatic", "operation", "manual"]);
/** Arguments that the engine or the adapter host puts in or takes out (spec: workflow-engine.md §2.1, §5). */
const suppliedArguments: ReadonlySet<string> = new Set(["job_id", "adapter_id"]);

/** Problems of single tasks: fields, model, arguments and what they name. */
export function taskFindings(validation: Validation): Finding[] {
  const tasks = Object.entries(validation.workflow.tasks).filter(([id]) => !fixedTaskIds.has(id));
  return tasks.flatMap(([id, task]) => {
    const checked = { id, task };
    return [
      ...fieldFindings(validation, checked),
      ...modelFindings(validation, checked),
      ...nameFindings(checked),
      ...retryFindings(checked),
      ...methodFindings(validation, checked),
      ...exitFindings(validation, checked),
    ];
  });
}

function fieldFindings({ workflow }: Validation, { id, task }: CheckedTask): Finding[] {
  const findings = requiredFields
    .filter((field) => task[field] === undefined)
    .map((field) => error(id, `Missing required field: '${field}'`));
  if (!/^[0-9a-f]{1,4}$/u.test(id)) findings.push(error(id, "Task id is not a hexadecimal number of 1 to 4 digits"));
  if (task.type !== undefined && !taskTypes.has(task.type))
    findings.push(error(id, `Unknown task type: '${task.type}'`));
  if (task.type === "manual" && !task.view) findings.push(error(id, "Manual Tasks require 'view' key"));
  if (!isActor(workflow.tasks, task.actor)) findings.push(error(id, `Unknown actor: '${task.actor}'`));
  return findings;
}

/** The platform, who started the job, or who worked a manual task. */
function isActor(tasks: Readonly<Record<string, WorkflowTask>>, actor: string | undefined): boolean {
  if (actor === undefined || actor === "" || actor === "Pronghorn" || actor === "job") return true;
  return Object.hasOwn(tasks, actor) && tasks[actor]?.type === "manual";
}

function modelFindings({ environment }: Validation, { id, task }: CheckedTask): Finding[] {
  const model = environment.findTask(task);
  if (model === undefined) return [warning(id, "Method not found")];
  if (model === "unknown app") return [warning(id, unknownApplication(task))];
  const incoming = task.variables?.incoming ?? {};
  const unknown = Object.keys(incoming).filter(
    (name) => !suppliedArguments.has(name) && !model.incoming.some((argument) => argument.name === name),
  );
  return [
    ...unknown.map((name) => error(id, `Input: '${name}' is not defined in task model`)),
    ...model.incoming.flatMap((argument) => argumentFindings(id, argument, incoming)),
  ];
}

function unknownApplication(task: WorkflowTask): string {
  return task.location === "Application" || task.location === undefined
    ? `No config found for Application: ${task.app}`
    : `No config found for Adapter: ${task.app}`;
}

function argumentFindings(
  id: string,
  argument: TaskModel["incoming"][number],
  incoming: Readonly<Record<string, unknown>>,
): Finding[] {
  if (suppliedArguments.has(argument.name)) return [];
  const value = Object.hasOwn(incoming, argument.name) ? incoming[argument.name] : undefined;
  if (value === undefined)
    return argument.isOptional ? [] : [error(id, `Cannot find match for input: ${argument.name}`)];
  const isNotGiven = value === "" || value === null;
  if (isNotGiven || parseReference(value)) return [];
  const mismatch = mismatchOf(value, argument.schema);
  return mismatch === undefined ? [] : [warning(id, `Input '${argument.name}' ${mismatch}`)];
}

/** Job variables are read as `$var.job.<name>`, where a dot would end the name. */
function nameFindings({ id, task }: CheckedTask): Finding[] {
  const { incoming = {}, outgoing = {}, error: errorBinding } = task.variables ?? {};
  const named = task.name === "newVariable" ? incoming["name"] : incoming["job_variable"];
  const names = [...Object.values(outgoing), errorBinding].map(boundJobVariable);
  if (typeof named === "string" && !parseReference(named)) names.push(named);
  const illegal = names.filter((name) => name !== undefined && isIllegalName(name));
  return illegal.map((name) => error(id, `Illegal job variable name: '${name}'`));
}

function isIllegalName(name: string): boolean {
  return name === "" || name.includes(".") || /^\s|\s$/u.test(name);
}

const retriedStates: ReadonlySet<string> = new Set(["success", "failure", "error"]);

/** Settings by which the task would never be run again, or at no time that can be told (workflow-engine.md §2). */
function retryFindings({ id, task }: CheckedTask): Finding[] {
  if (!task.retrySettings) return [];
  const { state, limit = 0, delay = 0 } = task.retrySettings;
  const path = `/tasks/${id}/retrySettings`;
  const unknown = state.filter((one) => !retriedStates.has(one));
  const findings = unknown.map((one) => error(id, `${path}/state: unknown finish state '${one}'`));
  if (!Number.isInteger(limit) || limit < 0) findings.push(error(id, `${path}/limit must be a whole number from 0`));
  if (!(delay >= 0)) findings.push(error(id, `${path}/delay must be a number of milliseconds from 0`));
  return findings;
}

function methodFindings({ environment }: Validation, { id, task }: CheckedTask): Finding[] {
  const incoming = task.variables?.incoming ?? {};
  const findings: Finding[] = [];
  if (task.name === "transformation" && isStaticText(incoming["tr_id"]) && !environment.hasTransformation(task)) {
    findings.push(error(id, `Cannot find transformation ${incoming["tr_id"]}`));
  }
  const workflow = incoming["workflow"];
  if (task.name === "childJob" && isStaticText(workflow) && !environment.hasWorkflow(workflow)) {
    findings.push(warning(id, `Cannot find workflow ${workflow}`));
  }
  if (hasUnsafePattern(task))
    findings.push(error(id, "Regular expression is unsafe: it repeats a group that itself repeats"));
  return findings;
}

function isStaticText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !parseReference(value);
}

/** States a task may end in that would end the job. */
function exitFindings({ graph, flow }: Validation, { id, task }: CheckedTask): Finding[] {
  const states = new Set(edgesFrom(graph, id).map((edge) => edge.state));
  const isAdapter = task.location === "Adapter" || task.location === "Broker";
  if (isAdapter && !states.has("error"))
    return [warning(id, "Adapter task has no error transition: its error ends the job")];
  if (task.name !== "evaluation" || states.has("failure")) return [];
  return flow?.isOnEveryWay(id, endTaskId)
    ? [warning(id, "Evaluation has no failure transition: when it is false the end cannot be reached")]
    : [];
}
