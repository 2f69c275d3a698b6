import { ChunkedList } from "./chunked-list.ts";
import { isOpenChild, type ChildCounts, type ChildJob, type TaskState } from "./job-state.ts";

/*
 * The child jobs of a task. A loop may have 100,000 of them, each of which is started and ends: nothing here
 * goes through all of them but what happens once in a loop.
 */

/** What of a task's state tells of its children. */
export type Children = Partial<Pick<TaskState, "children" | "childCounts">>;

const noChildren: ChildCounts = { running: 0, error: 0, complete: 0, canceled: 0, failed: 0 };

/** How many of these children are in which status. */
export function countChildren(children: Iterable<ChildJob>): ChildCounts {
  const counts = { ...noChildren };
  for (const { status } of children) counts[status] += 1;
  return counts;
}

/** How many children of the task are in which status. */
export function childCountsOf({ childCounts = noChildren }: Children): ChildCounts {
  return childCounts;
}

/** Are children still under way, as far as the task knows? */
export function hasOpenChildren(task: Children): boolean {
  const { running, error } = childCountsOf(task);
  return running + error > 0;
}

/** The child for an element of the loop. */
export function childAt({ children }: Children, index: number): ChildJob | undefined {
  const place = placeOf(children, index);
  return place === undefined ? undefined : children?.at(place);
}

/** The task with further children. */
export function addChildren(task: Children, added: readonly ChildJob[]): Children {
  const children = (task.children ?? ChunkedList.of<ChildJob>()).append(added);
  return { children, childCounts: sum(childCountsOf(task), countChildren(added)) };
}

/** The task with one child changed; nothing to change when it has no such child. */
export function changeChild(
  task: Children,
  index: number,
  change: Pick<ChildJob, "status" | "variables" | "reason">,
): Children {
  const place = placeOf(task.children, index);
  const before = place === undefined ? undefined : task.children?.at(place);
  if (place === undefined || !before) return {};
  const counts = childCountsOf(task);
  const without = { ...counts, [before.status]: counts[before.status] - 1 };
  return {
    children: task.children?.with(place, { ...before, ...change }),
    childCounts: { ...without, [change.status]: without[change.status] + 1 },
  };
}

/** The task with all its children ended. */
export function stopChildren({ children }: Children): Children {
  if (!children) return {};
  const stopped = [...children].map((child): ChildJob =>
    isOpenChild(child) ? { ...child, status: "canceled" } : child,
  );
  return { children: ChunkedList.of(stopped), childCounts: countChildren(stopped) };
}

/** Children stand at their indexes; logs of older releases know the newest child of a sequence alone. */
function placeOf(children: Children["children"], index: number): number | undefined {
  if (!children || children.at(index)?.index === index) return index;
  const place = [...children].findIndex((child) => child.index === index);
  return place === -1 ? undefined : place;
}

function sum(left: ChildCounts, right: ChildCounts): ChildCounts {
  return {
    running: left.running + right.running,
    error: left.error + right.error,
    complete: left.complete + right.complete,
    canceled: left.canceled + right.canceled,
    failed: left.failed + right.failed,
  };
}
