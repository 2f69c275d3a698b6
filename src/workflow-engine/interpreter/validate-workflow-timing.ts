import { isJsonObject } from "../../core/json.ts";
import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { longestEventName, longestKeepSeconds, schemaProblem } from "./event-filter.ts";
import { readRunWindow } from "./run-window.ts";
import { error, warning, type Finding, type Validation } from "./validate-workflow-findings.ts";
import { waitAnyProblems } from "./wait-any-option.ts";

/** Problems of what tasks wait for: run windows (`scheduled`), events, and `waitAny`. */
export function timingFindings({ workflow }: Validation): Finding[] {
  return Object.entries(workflow.tasks)
    .filter(([id]) => id !== startTaskId && id !== endTaskId)
    .flatMap(([id, task]) => [
      ...windowFindings(id, task),
      ...listenerFindings(id, task),
      ...lookBackFindings(id, task),
      ...waitAnyFindings(id, task),
    ]);
}

type Members = Readonly<Record<string, unknown>>;

function windowFindings(id: string, task: WorkflowTask): Finding[] {
  const window = readRunWindow((task as Members)["scheduled"]);
  if (window === undefined) return [];
  if (Array.isArray(window))
    return window.map(({ path, message }) => error(id, `/tasks/${id}/scheduled${path} ${message}`));
  return task.type === "manual" ? [warning(id, "A manual task has no run window: it waits for a person anyway")] : [];
}

function listenerFindings(id: string, task: WorkflowTask): Finding[] {
  if (task.name !== "eventListenerJob") return [];
  const incoming = task.variables?.incoming ?? {};
  const path = `/tasks/${id}/variables/incoming`;
  return ["source", "topic"]
    .flatMap((name) => nameFindings(id, `${path}/${name}`, incoming[name]))
    .concat(schemaFindings(id, `${path}/schema`, incoming["schema"]));
}

function nameFindings(id: string, path: string, name: unknown): Finding[] {
  if (typeof name !== "string" || name.length <= longestEventName) return [];
  return [error(id, `${path} is longer than ${longestEventName} characters`)];
}

function schemaFindings(id: string, path: string, schema: unknown): Finding[] {
  if (schema === undefined || schema === null || schema === "" || typeof schema === "string") return [];
  const problem = schemaProblem(schema);
  return problem === undefined ? [] : [error(id, `${path} cannot be used: ${problem}`)];
}

function lookBackFindings(id: string, task: WorkflowTask): Finding[] {
  const events = (task as Members)["events"];
  if (events === undefined || events === null) return [];
  const path = `/tasks/${id}/events`;
  if (!isJsonObject(events)) return [error(id, `${path} must be an object`)];
  const unknown = Object.keys(events).filter((name) => name !== "keepFor");
  const { keepFor = 0 } = events;
  const isSeconds = typeof keepFor === "number" && keepFor >= 0 && keepFor <= longestKeepSeconds;
  const findings = unknown.map((name) => error(id, `${path}/${name} is not known`));
  if (!isSeconds) findings.push(error(id, `${path}/keepFor must be a number of seconds up to ${longestKeepSeconds}`));
  if (task.name !== "eventListenerJob") findings.push(warning(id, `${path} has no effect: the task does not listen`));
  return findings;
}

function waitAnyFindings(id: string, task: WorkflowTask): Finding[] {
  const { waitAny } = task as { waitAny?: unknown };
  if (waitAny === undefined || waitAny === null || waitAny === false) return [];
  const path = `/tasks/${id}/waitAny`;
  const problems = waitAnyProblems(task);
  if (problems.length > 0) return problems.map((problem) => error(id, `${path}${problem.path} ${problem.message}`));
  const isListener = task.name === "eventListenerJob";
  const isWaiting = task.type === "manual" || task.name === "delay" || isListener;
  if (!isWaiting) return [error(id, `${path} belongs to manual tasks, delay and eventListenerJob only`)];
  const { event } = waitAny as { event?: Members };
  if (!event) return [];
  if (isListener) return [error(id, `${path}/event has no place: the task waits for its own event`)];
  return ["source", "topic"]
    .flatMap((name) => nameFindings(id, `${path}/event/${name}`, event[name]))
    .concat(schemaFindings(id, `${path}/event/schema`, event["schema"]));
}
