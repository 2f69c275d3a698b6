import type { Task } from "../../core/task.ts";
import { setMember } from "./query-path-members.ts";

/** Incoming variables of a task under the names of its model: some go by another name in real workflows (`Task.otherNames`). */
export function underOwnNames(
  { otherNames }: Pick<Task, "otherNames">,
  incoming: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!otherNames) return incoming;
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(incoming)) {
    const own = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
    setMember(named, own === undefined || Object.hasOwn(incoming, own) ? name : own, value);
  }
  return named;
}
