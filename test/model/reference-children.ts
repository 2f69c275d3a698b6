import type { WorkflowTask } from "../../src/workflow-engine/workflow-schema.ts";
import { readStructured, type Result, type Values } from "./reference-values.ts";

/** A child job as its parent sees it. */
export type Child = {
  status: "waiting" | "running" | "error" | "complete" | "canceled" | "failedToStart";
  /** What it is started with. */
  given: Record<string, unknown>;
  /** Its variables, once it has told them. */
  variables?: Record<string, unknown>;
};

/** What a child tells: its end, that it could not be started, or (where failures count) that it is in error. */
export type ChildEnding = {
  status: "complete" | "canceled" | "error" | "failedToStart";
  variables?: Record<string, unknown>;
};

/** How far a loop goes (control-flow-patterns.md): all at once and to the end where nothing is said. */
export type LoopLimits = { maxParallel?: number; stopWhen?: StopWhen };
type StopWhen = { completed?: number; failed?: number; failedPercent?: number };

/** The children of one childJob task. */
export type Family = { children: Child[]; loopType: unknown; limits: LoopLimits };

type Incoming = Record<string, unknown>;

/** The children of a childJob task, none of them started; undefined when what to loop over is no array (spec §5). */
export function familyOf(task: WorkflowTask, incoming: Incoming, values: Values): Family | undefined {
  const named = Object.entries((incoming["variables"] ?? {}) as Record<string, { task: string; value: unknown }>);
  const given = Object.fromEntries(named.map(([key, { task, value }]) => [key, readStructured(task, value, values)]));
  const child = (more: Incoming): Child => ({ status: "waiting", given: { ...given, ...more } });
  const family = { loopType: incoming["loopType"], limits: (task as { loop?: LoopLimits }).loop ?? {} };
  if (incoming["loopType"] === "") return { ...family, children: [child({})] };
  const items = incoming["data_array"];
  if (!Array.isArray(items)) return undefined;
  return { ...family, children: items.map((item: Incoming, index) => child({ ...item, childJobLoopIndex: index })) };
}

/** Starts what may be started now. One in error makes room for the next: only where failures count is it known. */
export function startChildren(family: Family): void {
  const { children, loopType, limits } = family;
  if (isGivenUp(family)) return;
  const places = loopType === "parallel" ? (limits.maxParallel ?? children.length) : 1;
  for (const child of children) {
    if (countOf(children, "running") >= places) return;
    if (child.status === "waiting") child.status = "running";
  }
}

/** One child could not be started, which nobody can repair: the others are waited for, and no more is begun. */
function isGivenUp({ children, limits }: Family): boolean {
  return limits.stopWhen === undefined && countOf(children, "failedToStart") > 0;
}

/** The result once every child has ended, or enough of them. */
export function resultOfChildren(family: Family): Result | undefined {
  const { children, loopType } = family;
  if (isGivenUp(family)) {
    const isAtWork = countOf(children, "running", "error") > 0;
    return isAtWork ? undefined : { finishState: "error", outgoing: {}, error: "no child" };
  }
  if (loopType !== "") return resultOfLoop(family);
  const [child] = children;
  if (child?.status === "canceled") return { finishState: "error", outgoing: {}, error: "the child job was canceled" };
  if (child?.status !== "complete") return undefined;
  return { finishState: "success", outgoing: { job_details: { status: "complete", ...child.variables } } };
}

function resultOfLoop({ children, limits }: Family): Result | undefined {
  const finishState = endOfLoop(children, limits.stopWhen ?? {});
  if (!finishState) return undefined;
  const told = limits.stopWhen ? children.filter(({ variables }) => variables !== undefined) : children;
  const loop = told.map(({ variables }) => variables ?? {});
  const status = finishState === "success" ? "complete" : "failure";
  return { finishState, outgoing: { job_details: { status, loop } } };
}

/** Enough have completed, too many have failed, or all have ended. Without a limit a canceled element is passed over. */
function endOfLoop(
  children: readonly Child[],
  { completed, failed, failedPercent }: StopWhen,
): "success" | "failure" | undefined {
  const done = countOf(children, "complete");
  const lost = countOf(children, "canceled", "error", "failedToStart");
  const isTooMany = failed !== undefined && lost >= failed;
  const isTooLarge = failedPercent !== undefined && lost > 0 && (lost * 100) / children.length >= failedPercent;
  if (completed !== undefined && done >= completed) return "success";
  if (isTooMany || isTooLarge) return "failure";
  if (countOf(children, "waiting", "running", "error") > 0) return undefined;
  return done < Math.min(completed ?? 0, children.length) ? "failure" : "success";
}

function countOf(children: readonly Child[], ...statuses: Child["status"][]): number {
  return children.filter(({ status }) => statuses.includes(status)).length;
}
