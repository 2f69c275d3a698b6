import { isJsonObject } from "../../core/json.ts";
import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { longestEventName, longestKeepSeconds, schemaProblem } from "./event-filter.ts";
import { readRunWindow } from "./run-window.ts";
import { finding, type Finding, type Validation } from "./validate-workflow-findings.ts";
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
    return window.map(({ path, message }) =>
      finding("malformed-run-window", id, { path: `/tasks/${id}/scheduled${path}`, problem: message }),
    );
  return task.type === "manual" ? [finding("manual-run-window", id, {})] : [];
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
  return [finding("long-event-name", id, { path, most: longestEventName })];
}

function schemaFindings(id: string, path: string, schema: unknown): Finding[] {
  if (schema === undefined || schema === null || schema === "" || typeof schema === "string") return [];
  const problem = schemaProblem(schema);
  return problem === undefined ? [] : [finding("malformed-event-schema", id, { path, problem })];
}

function lookBackFindings(id: string, task: WorkflowTask): Finding[] {
  const events = (task as Members)["events"];
  if (events === undefined || events === null) return [];
  const path = `/tasks/${id}/events`;
  if (!isJsonObject(events)) return [finding("malformed-look-back", id, { path })];
  const unknown = Object.keys(events).filter((name) => name !== "keepFor");
  const { keepFor = 0 } = events;
  const isSeconds = typeof keepFor === "number" && keepFor >= 0 && keepFor <= longestKeepSeconds;
  const findings = unknown.map((name) => finding("unknown-look-back", id, { path, name }));
  if (!isSeconds) findings.push(finding("look-back-time", id, { path, most: longestKeepSeconds }));
  if (task.name !== "eventListenerJob") findings.push(finding("idle-look-back", id, { path }));
  return findings;
}

function waitAnyFindings(id: string, task: WorkflowTask): Finding[] {
  const { waitAny } = task as { waitAny?: unknown };
  if (waitAny === undefined || waitAny === null || waitAny === false) return [];
  const path = `/tasks/${id}/waitAny`;
  const problems = waitAnyProblems(task);
  if (problems.length > 0)
    return problems.map((problem) =>
      finding("malformed-wait", id, { path: `${path}${problem.path}`, problem: problem.message }),
    );
  const isListener = task.name === "eventListenerJob";
  const isWaiting = task.type === "manual" || task.name === "delay" || isListener;
  if (!isWaiting) return [finding("misplaced-wait", id, { path })];
  const { event } = waitAny as { event?: Members };
  if (!event) return [];
  if (isListener) return [finding("second-event", id, { path })];
  return ["source", "topic"]
    .flatMap((name) => nameFindings(id, `${path}/event/${name}`, event[name]))
    .concat(schemaFindings(id, `${path}/event/schema`, event["schema"]));
}
