import { endTaskId, startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import type { Before } from "./data-flow.ts";
import type { Step, Way } from "./data-flow-without.ts";
import { taskReferences, type TaskReference } from "./job-schemas-references.ts";
import { areDisjoint } from "./validate-workflow-schemas.ts";
import { finding, type Finding, type Validation } from "./validate-workflow-findings.ts";

/** A reference of a task to another task or to a job variable. */
interface Reading {
  id: string;
  task: WorkflowTask;
  reference: TaskReference;
}

/** More than a person reads: to tell a way takes as long as the workflow is long. */
const mostWays = 100;

/** Problems of `$var` and structured references, in the order of the document. */
export function referenceFindings(validation: Validation): Finding[] {
  const readings = readingsOf(validation);
  const order = orderOf(validation, readings);
  const told = new Set(
    readings
      .filter(({ id, reference }) => order.get(reference.source)?.get(id)?.has === "sometimes")
      .slice(0, mostWays),
  );
  const findings = readings.flatMap((reading) =>
    findingsOf(validation, { ...reading, isTold: told.has(reading) }, order),
  );
  return [...new Map(findings.map((finding) => [`${finding.task} ${finding.message}`, finding])).values()];
}

function readingsOf({ workflow }: Validation): Reading[] {
  return Object.entries(workflow.tasks)
    .filter(([id]) => id !== startTaskId && id !== endTaskId)
    .flatMap(([id, task]) => taskReferences(task).map((reference) => ({ id, task, reference })));
}

/** Source → reader → whether the source has run before. One source after the other, as each is a search of its own. */
type Order = ReadonlyMap<string, ReadonlyMap<string, Before>>;

function orderOf({ workflow, flow }: Validation, readings: readonly Reading[]): Order {
  if (!flow) return new Map();
  const readers = new Map<string, Set<string>>();
  for (const { id, reference } of readings) {
    if (!isOfTask(workflow.tasks, reference)) continue;
    const known = readers.get(reference.source);
    if (known) known.add(id);
    else readers.set(reference.source, new Set([id]));
  }
  return new Map([...readers].map(([source, ids]) => [source, flow.before(source, [...ids])]));
}

function isOfTask(tasks: Readonly<Record<string, unknown>>, { source, isResolved }: TaskReference): boolean {
  return isResolved && source !== "job" && Object.hasOwn(tasks, source);
}

function findingsOf(
  validation: Validation,
  { id, task, reference, isTold }: Reading & { isTold: boolean },
  order: Order,
): Finding[] {
  const { source, argument, name, isResolved } = reference;
  if (!isResolved) return [finding("deep-reference", id, { reference: `$var.${source}.${name}`, argument })];
  if (source === "job") return [];
  if (!Object.hasOwn(validation.workflow.tasks, source)) return [finding("missing-source", id, { argument, source })];
  const before = order.get(source)?.get(id);
  return [
    ...(before ? orderFindings({ id, reference, before, isTold }) : []),
    ...(before?.has !== "never" && isIncompatible(validation, task, reference)
      ? [finding("output-type", id, { argument, name, source })]
      : []),
  ];
}

interface OrderedReading {
  id: string;
  reference: TaskReference;
  before: Before;
  /** The way belongs to the message. */
  isTold: boolean;
}

function orderFindings({ id, reference, before, isTold }: OrderedReading): Finding[] {
  const { argument, source } = reference;
  if (before.has === "always") return [];
  if (before.has === "never") return [finding("never-before", id, { argument, source })];
  if (before.has === "unordered") return [finding("unordered-before", id, { argument, source })];
  return [finding("maybe-not-before", id, { argument, source, way: isTold ? `: ${wayText(before.way())}` : "" })];
}

const mostSteps = 12;

/** A way as messages tell it. */
export function wayText({ steps, besides, isUnderWay }: Way): string {
  const way = steps.filter(({ task }) => task !== startTaskId);
  const shown =
    way.length > mostSteps
      ? [...way.slice(0, 3).map(stepText), "…", ...way.slice(3 - mostSteps).map(stepText)]
      : way.map(stepText);
  const parts = [
    `the way ${[startTaskId, ...shown].join(", ")} does without it`,
    ...(besides.length > 0 ? [`when ${besides.slice(0, 3).map(stepText).join(", ")}`] : []),
    ...(isUnderWay ? ["while it is under way"] : []),
  ];
  return parts.join(" ");
}

function stepText({ task, state }: Step): string {
  return `${task} ${state}`;
}

function isIncompatible({ workflow, environment }: Validation, task: WorkflowTask, reference: TaskReference): boolean {
  const { source, name, argument, isWhole, pointer } = reference;
  const sourceTask = workflow.tasks[source];
  if (!isWhole || pointer !== undefined || !sourceTask || name === "error") return false;
  const model = environment.findTask(task);
  const sourceModel = environment.findTask(sourceTask);
  if (typeof model !== "object" || typeof sourceModel !== "object") return false;
  const input = model.incoming.find((known) => known.name === argument)?.schema;
  const output = sourceModel.outgoing.find((known) => known.name === name)?.schema;
  return input !== undefined && output !== undefined && areDisjoint(output, input);
}
