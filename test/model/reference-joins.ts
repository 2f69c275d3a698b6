import type { FinishState } from "../../src/core/task.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import type { Edge } from "./reference-graph.ts";

/** What a task does or did since it was last reset. */
export type Standing = {
  status: "running" | "complete" | "error" | "canceled";
  finishState?: FinishState;
  /** Of a forEach: the item under way. Absent when none was begun. */
  index?: number;
};

/** `begun` is running or over; `ready` may start; `dead` will never run; `open` is not decided. */
export type Verdict = "begun" | "ready" | "dead" | "open";

export type Situation = {
  /** Standard transitions by the task they lead to. */
  into: ReadonlyMap<string, readonly Edge[]>;
  standings: ReadonlyMap<string, Standing>;
  /** Tasks that run whatever leads to them: targets of reverts, tasks that are run again. */
  forced: ReadonlySet<string>;
  /** How many taken transitions start a task; absent: all must be decided, one taken. */
  limits: ReadonlyMap<string, number>;
};

/** The verdict on every task, by the definition of a join (spec §3.3 rule 3), from nothing but what has finished. */
export function judge(situation: Situation): (task: string) => Verdict {
  const known = new Map<string, Verdict>();
  const verdict = (task: string): Verdict => {
    const found = known.get(task) ?? judgeTask(task, situation, verdict);
    known.set(task, found);
    return found;
  };
  return verdict;
}

function judgeTask(task: string, situation: Situation, verdict: (task: string) => Verdict): Verdict {
  if (situation.standings.has(task)) return "begun";
  if (situation.forced.has(task)) return "ready";
  const into = situation.into.get(task) ?? [];
  const choices = into.map((edge) => choiceOf(edge, situation.standings.get(edge.from), verdict));
  const taken = choices.filter((choice) => choice === "taken").length;
  const limit = situation.limits.get(task);
  if (limit !== undefined && taken >= limit) return "ready";
  if (choices.includes("open")) return "open";
  return limit === undefined && taken > 0 ? "ready" : "dead";
}

function choiceOf(
  edge: Edge,
  source: Standing | undefined,
  verdict: (task: string) => Verdict,
): "taken" | "not taken" | "open" {
  if (source === undefined) return verdict(edge.from) === "dead" ? "not taken" : "open";
  if (edge.state === "loop" && source.index !== undefined) return "taken";
  if (source.status === "canceled") return "not taken";
  if (source.status !== "complete") return "open";
  return source.finishState === edge.state ? "taken" : "not taken";
}

/** Joins that do not wait for all: `join: "any"` or a number (control-flow-patterns.md). */
export function joinLimits({ tasks }: WorkflowDocument): Map<string, number> {
  const joins = Object.entries(tasks).map(
    ([task, definition]) => [task, (definition as { join?: unknown }).join] as const,
  );
  return new Map(
    joins.flatMap(([task, join]) =>
      join === "any" ? [[task, 1] as const] : typeof join === "number" ? [[task, join] as const] : [],
    ),
  );
}
