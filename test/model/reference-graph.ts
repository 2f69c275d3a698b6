import type { Transition, WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";

/** One transition of a document, with both its ends. */
export type Edge = { from: string; to: string; state: Transition["state"]; isRevert: boolean };

/** The transitions of a workflow between tasks that exist; keys of tasks that do not exist mean nothing (spec §3). */
export function edgesOf({ tasks, transitions }: WorkflowDocument): Edge[] {
  const exists = (id: string) => Object.hasOwn(tasks, id);
  return Object.entries(transitions).flatMap(([from, targets]) =>
    Object.entries(targets)
      .filter(([to]) => exists(from) && exists(to))
      .map(([to, { state, type }]) => ({ from, to, state, isRevert: type === "revert" })),
  );
}

/** The same transitions, by the task they lead from or to. */
export function groupBy(edges: readonly Edge[], end: "from" | "to"): Map<string, Edge[]> {
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const group = groups.get(edge[end]);
    if (group) group.push(edge);
    else groups.set(edge[end], [edge]);
  }
  return groups;
}

/** The given tasks and everything that standard transitions lead to from them: what a revert resets (spec §3.3 rule 4). */
export function forwardOf(edges: readonly Edge[], tasks: Iterable<string>): Set<string> {
  const region = new Set(tasks);
  const standard = groupBy(
    edges.filter(({ isRevert }) => !isRevert),
    "from",
  );
  // A set hands out members that are added while it is walked.
  for (const task of region) for (const { to } of standard.get(task) ?? []) region.add(to);
  return region;
}

/** The body of a forEach: all that its loop transitions lead to (spec §3.3 rule 5). */
export function bodyOf(edges: readonly Edge[], forEach: string): Set<string> {
  return forwardOf(
    edges,
    edges.filter(({ from, state }) => from === forEach && state === "loop").map(({ to }) => to),
  );
}

/** The smallest body that the task belongs to; undefined outside all. */
export function innermostBody(edges: readonly Edge[], task: string): Set<string> | undefined {
  const bodies = loopsAround(edges, task).map((forEach) => bodyOf(edges, forEach));
  return bodies.toSorted((one, other) => one.size - other.size)[0];
}

/** The forEach tasks in whose bodies the task lies. */
export function loopsAround(edges: readonly Edge[], task: string): string[] {
  const loops = new Set(edges.filter(({ state }) => state === "loop").map(({ from }) => from));
  return [...loops].filter((forEach) => bodyOf(edges, forEach).has(task));
}

/** These tasks and every one that can be come to only through them; never one of `kept`. */
export function ledToOnlyBy(edges: readonly Edge[], tasks: readonly string[], kept: readonly string[]): Set<string> {
  const region = new Set(tasks.filter((task) => !kept.includes(task)));
  const isLedTo = (task: string) =>
    !kept.includes(task) && edges.every((edge) => edge.to !== task || edge.isRevert || region.has(edge.from));
  for (let size = -1; size < region.size;) {
    size = region.size;
    for (const { to, isRevert } of edges) if (!isRevert && isLedTo(to)) region.add(to);
  }
  return region;
}
