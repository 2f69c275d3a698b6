import type { Caller } from "../../core/caller.ts";
import type { Json } from "../../core/json.ts";

/** Views of the manual tasks that wait for a person: those the caller has claimed, those nobody has, both. */
export const workListViews = ["mine", "unclaimed", "actionable"] as const;
export type WorkListView = (typeof workListViews)[number];

/**
 * A view as a query on rows of open tasks (workflow-engine.md §7.3). Of tasks under way those of people
 * alone have no owner or a person for one, so that the owner tells manual ones; it is counted, the type is not.
 */
export function workListQuery(view: WorkListView, { username }: Caller): Record<string, Json> {
  const owners = { mine: [username], unclaimed: [""], actionable: ["", username] }[view];
  return { status: "running", "metrics.owner": { $in: owners } };
}
