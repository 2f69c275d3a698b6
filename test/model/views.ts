import { startTaskId } from "../../src/workflow-engine/workflow-schema.ts";
import type { ReferenceJob, ShownStanding } from "./reference-interpreter.ts";
import type { Run } from "./reference-runs.ts";

/** Something the outside can answer: a call, a timer, a person, or the end of a child job. */
export type Work = {
  kind: "call" | "timer" | "person" | "child";
  task: string;
  /** Which run of the task it belongs to, from 1. */
  number: number;
  /** The product's number of that run; 0 where only the reference speaks. */
  iteration: number;
  /** Of a child. */
  index?: number;
  given?: Record<string, unknown>;
};

/** All that is compared after every event. */
export type View = {
  status: string;
  /** Task ids in order. */
  errors: string[];
  variables: Record<string, unknown>;
  tasks: Record<string, ShownStanding>;
  /** Names of all open work, in order. */
  open: string[];
};

/** A name that tells one piece of work from every other of the same job. */
export function nameOf({ kind, task, number, index, given }: Work): string {
  const child = kind === "child" ? `[${index}] ${JSON.stringify(given)}` : "";
  return `${kind} ${task}#${number}${child}`;
}

/** What there is to compare of a reference job. */
export function viewOfReference(job: ReferenceJob, taskIds: readonly string[]): View {
  const shown = taskIds.filter((task) => task !== startTaskId);
  return {
    status: job.status,
    errors: job.errors.toSorted(),
    variables: job.variables,
    tasks: job.standings(shown),
    open: [...job.runs].flatMap(([task, run]) => openNames(task, run)).toSorted(),
  };
}

function openNames(task: string, run: Run): string[] {
  const { number, wait } = run;
  if (run.status !== "running" || wait === undefined || wait === "body" || run.rang !== undefined) return [];
  if (wait === "children")
    return (run.family?.children ?? []).flatMap(({ status, given }, index) =>
      status === "running" || status === "error"
        ? [nameOf({ kind: "child", task, number, iteration: 0, index, given })]
        : [],
    );
  return [nameOf({ kind: wait === "retry" ? "timer" : wait, task, number, iteration: 0 })];
}

/** The first thing in which two views differ, in words; undefined when they are the same. */
export function differenceOf(product: View, reference: View): string | undefined {
  for (const part of ["status", "errors", "open", "variables"] as const)
    if (!isSame(product[part], reference[part]))
      return `${part}: product ${JSON.stringify(product[part])}, reference ${JSON.stringify(reference[part])}`;
  const task = Object.keys(reference.tasks).find((task) => !isSame(product.tasks[task], reference.tasks[task]));
  if (task === undefined) return undefined;
  const [mine, its] = [JSON.stringify(product.tasks[task]), JSON.stringify(reference.tasks[task])];
  return `task ${task}: product ${mine}, reference ${its}`;
}

/** Equal as JSON: the order of members is not compared, and undefined members are none. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [mine, its] = [membersOf(one), membersOf(other)];
  return (
    mine.length === its.length && mine.every(([key, value]) => isSame(value, (other as Record<string, unknown>)[key]))
  );
}

function membersOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}
