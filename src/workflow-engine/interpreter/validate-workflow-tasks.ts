import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { underOwnNames } from "./argument-names.ts";
import { boundJobVariable, parseReference } from "./job-schemas-references.ts";
import type { TaskModel } from "./job-schemas.ts";
import { hasUnsafePattern } from "./validate-workflow-patterns.ts";
import { mismatchOf } from "./validate-workflow-schemas.ts";
import { finding, type Finding, type Validation } from "./validate-workflow-findings.ts";
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
      ...actorFindings(validation, checked),
      ...methodFindings(validation, checked),
      ...exitFindings(validation, checked),
    ];
  });
}

function fieldFindings({ workflow }: Validation, { id, task }: CheckedTask): Finding[] {
  const findings = requiredFields
    .filter((field) => task[field] === undefined)
    .map((field) => finding("missing-field", id, { field }));
  if (!/^[0-9a-f]{1,4}$/u.test(id)) findings.push(finding("malformed-task-id", id, {}));
  if (task.type !== undefined && !taskTypes.has(task.type))
    findings.push(finding("unknown-task-type", id, { type: task.type }));
  if (task.type === "manual" && !task.view) findings.push(finding("missing-view", id, {}));
  if (!isActor(workflow.tasks, task.actor)) findings.push(finding("unknown-actor", id, { actor: task.actor ?? "" }));
  return findings;
}

/** The platform, who started the job, or who worked a manual task. */
function isActor(tasks: Readonly<Record<string, WorkflowTask>>, actor: string | undefined): boolean {
  if (actor === undefined || actor === "" || actor === "Pronghorn" || actor === "job") return true;
  return Object.hasOwn(tasks, actor) && tasks[actor]?.type === "manual";
}

/** A manual task that nobody has worked yet names nobody. */
function actorFindings({ workflow, flow }: Validation, { id, task }: CheckedTask): Finding[] {
  const { actor = "" } = task;
  if (!Object.hasOwn(workflow.tasks, actor) || !isActor(workflow.tasks, actor)) return [];
  const before = flow?.before(actor, [id]).get(id);
  if (!before || before.has === "always") return [];
  return [finding(before.has === "never" ? "actor-never-before" : "actor-maybe-not-before", id, { actor })];
}

function modelFindings({ environment }: Validation, { id, task }: CheckedTask): Finding[] {
  const model = environment.findTask(task);
  if (model === undefined) return [finding("unknown-method", id, {})];
  if (model === "unknown app") return [unknownApplication(id, task)];
  const incoming = underOwnNames(model, task.variables?.incoming ?? {});
  const unknown = Object.keys(incoming).filter(
    (name) => !suppliedArguments.has(name) && !model.incoming.some((argument) => argument.name === name),
  );
  return [
    ...unknown.map((name) => finding("unknown-argument", id, { argument: name })),
    ...model.incoming.flatMap((argument) => argumentFindings(id, argument, incoming)),
  ];
}

function unknownApplication(id: string, task: WorkflowTask): Finding {
  const isApplication = task.location === "Application" || task.location === undefined;
  return finding(isApplication ? "unknown-application" : "unknown-adapter", id, { app: String(task.app) });
}

function argumentFindings(
  id: string,
  argument: TaskModel["incoming"][number],
  incoming: Readonly<Record<string, unknown>>,
): Finding[] {
  if (suppliedArguments.has(argument.name)) return [];
  const value = Object.hasOwn(incoming, argument.name) ? incoming[argument.name] : undefined;
  if (value === undefined)
    return argument.isOptional ? [] : [finding("missing-argument", id, { argument: argument.name })];
  const isNotGiven = value === "" || value === null;
  if (isNotGiven || parseReference(value)) return [];
  const mismatch = mismatchOf(value, argument.schema);
  return mismatch === undefined ? [] : [finding("argument-value", id, { argument: argument.name, problem: mismatch })];
}

/** Job variables are read as `$var.job.<name>`, where a dot would end the name. */
function nameFindings({ id, task }: CheckedTask): Finding[] {
  const { incoming = {}, outgoing = {}, error: errorBinding } = task.variables ?? {};
  const named = task.name === "newVariable" ? incoming["name"] : incoming["job_variable"];
  const names = [...Object.values(outgoing), errorBinding].map(boundJobVariable);
  if (typeof named === "string" && !parseReference(named)) names.push(named);
  const illegal = names.filter((name) => name !== undefined).filter(isIllegalName);
  return illegal.map((name) => finding("malformed-variable-name", id, { name }));
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
  const findings = unknown.map((one) => finding("unknown-retry-state", id, { path, state: one }));
  if (!Number.isInteger(limit) || limit < 0) findings.push(finding("malformed-retry-limit", id, { path }));
  if (!(delay >= 0)) findings.push(finding("malformed-retry-delay", id, { path }));
  return findings;
}

function methodFindings({ environment }: Validation, { id, task }: CheckedTask): Finding[] {
  const incoming = task.variables?.incoming ?? {};
  const findings: Finding[] = [];
  if (task.name === "transformation" && isStaticText(incoming["tr_id"]) && !environment.hasTransformation(task)) {
    findings.push(finding("missing-transformation", id, { id: incoming["tr_id"] }));
  }
  const workflow = incoming["workflow"];
  if (task.name === "childJob" && isStaticText(workflow) && !environment.hasWorkflow(workflow)) {
    findings.push(finding("missing-workflow", id, { name: workflow }));
  }
  if (hasUnsafePattern(task)) findings.push(finding("unsafe-pattern", id, {}));
  return findings;
}

function isStaticText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !parseReference(value);
}

/** States a task may end in that would end the job. */
function exitFindings({ graph, flow }: Validation, { id, task }: CheckedTask): Finding[] {
  const states = new Set(edgesFrom(graph, id).map((edge) => edge.state));
  const isAdapter = task.location === "Adapter" || task.location === "Broker";
  if (isAdapter && !states.has("error")) return [finding("no-error-transition", id, {})];
  if (task.name !== "evaluation" || states.has("failure")) return [];
  return flow?.isOnEveryWay(id, endTaskId) ? [finding("no-failure-transition", id, {})] : [];
}
