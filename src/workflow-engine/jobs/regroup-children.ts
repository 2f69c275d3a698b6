import { systemCaller } from "../../core/caller.ts";
import type { Store } from "../../store/store.ts";
import type { JobState } from "../interpreter/job-state.ts";
import type { JobRunner } from "./job-runner.ts";

interface Regrouping {
  store: Store;
  runner: JobRunner;
}

/** Children that are looked at together. */
const pageSize = 500;

/**
 * Gives the children of a job its groups, those that have ended included: they show as much of it
 * (workflow-engine.md §7.4). Each child hands them down in turn. May be repeated and may run twice at a
 * time: whoever wrote last finds that the parent has moved on, and writes again. `isLateExpected`: throws
 * when a child whose start is under way is not created yet, so that it is looked for again.
 */
export async function regroupChildren(
  { store, runner }: Regrouping,
  jobId: string,
  isLateExpected: boolean,
): Promise<void> {
  for (let parent = await runner.read(jobId); parent;) {
    const found = await handDown({ store, runner }, parent);
    const late = openChildren(parent).find((child) => !found.has(child));
    if (late !== undefined && isLateExpected) throw new Error(`child job ${late} is not created yet`);
    const now = await runner.read(jobId);
    if (!now || isSame(now.groups, parent.groups)) return;
    parent = now;
  }
}

/** The children there are. */
async function handDown({ store, runner }: Regrouping, { origin, groups }: JobState): Promise<Set<string>> {
  const found = new Set<string>();
  for (let after = ""; ;) {
    const children = await store.find<{ _id: string; groups: string[] }>(
      "jobs",
      { "parent.job": origin._id, _id: { $gt: after } },
      { sort: { _id: 1 }, limit: pageSize, fields: { groups: 1 } },
    );
    for (const child of children) {
      found.add(child._id);
      if (isSame(child.groups, groups)) continue;
      await runner.activate(child._id, { event: "group", change: "replace", groups, by: systemCaller });
    }
    after = children.at(-1)?._id ?? after;
    if (children.length < pageSize) return found;
  }
}

/** Children under way, as far as their parent knows. */
function openChildren({ tasks }: JobState): string[] {
  return [...tasks.values()].flatMap(({ status, children }) =>
    status === "running"
      ? [...(children ?? [])].filter((child) => child.status === "running").map(({ _id }) => _id)
      : [],
  );
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((group) => right.includes(group));
}
