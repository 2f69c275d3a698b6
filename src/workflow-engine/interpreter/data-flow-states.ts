import type { WorkflowTask } from "../workflow-schema.ts";
import { choicesOf } from "./decisions.ts";
import { taskOptions } from "./task-options.ts";
import { readWaitAny } from "./wait-any-option.ts";
import { isStandard, type Edge } from "./workflow-graph.ts";

/**
 * The states in which a task can end so that the job goes on (spec: workflow-engine.md §3.2): success; failure where
 * the task has a transition for it or is of a kind that fails in the ordinary course; error where it has a transition
 * for it, as otherwise the job stops. A state by which it reverts is none: then it has not ended yet.
 */
export function finishStates(task: WorkflowTask, edges: readonly Edge[]): string[] {
  const led = new Set<string>(edges.map(({ state }) => state));
  const reverting = new Set<string>(edges.filter((edge) => !isStandard(edge)).map(({ state }) => state));
  const states = [
    "success",
    ...(led.has("failure") || canFail(task) ? ["failure"] : []),
    ...(led.has("error") ? ["error"] : []),
  ];
  return states.filter((state) => !reverting.has(state));
}

/**
 * Does such a task fail in the ordinary course? A method whose result is undefined ends in failure too; to count with
 * that everywhere would say of nearly every parallel workflow that its tasks may not have run.
 */
function canFail(task: WorkflowTask): boolean {
  if (canFailByTime(task)) return true;
  const incoming = task.variables?.incoming ?? {};
  if (task.type === "manual") return typeof incoming["btn_failure"] === "string" && incoming["btn_failure"] !== "";
  if (task.app !== undefined && task.app !== "WorkFlowEngine") return false;
  return failing.get(task.name)?.(task, incoming) ?? false;
}

function canFailByTime(task: WorkflowTask): boolean {
  const { afterSeconds, afterState = "failure" } = readWaitAny(task) ?? {};
  return afterSeconds !== undefined && afterState === "failure";
}

type CanFail = (task: WorkflowTask, incoming: Readonly<Record<string, unknown>>) => boolean;

/** Tasks of the engine that can fail, and when. */
const failing: ReadonlyMap<string, CanFail> = new Map<string, CanFail>([
  ["evaluation", () => true],
  ["decision", (task) => !choicesOf(task)?.some(({ isDefault }) => isDefault)],
  ["pop", () => true],
  ["shift", () => true],
  ["query", (_task, incoming) => incoming["pass_on_null"] !== true],
  ["stub", (_task, incoming) => incoming["type"] === "failure"],
  ["childJob", (task) => taskOptions(task).loop?.stopWhen !== undefined],
]);
