import { isJsonObject, type Json } from "../core/json.ts";
import type { Store } from "../store/store.ts";

/** How a task of a workflow names its transformation. */
export interface TransformationReference {
  /** `tr_id`. */
  id: string;
  /** Names that the task shows for it. */
  names: readonly string[];
  /** `$id`s the task gives and takes. */
  incoming: readonly string[];
  outgoing: readonly string[];
  /** Project of the workflow. */
  projectId?: string | undefined;
}

/** What of a stored transformation takes part in finding it. */
export interface TransformationHeader {
  _id: string;
  name: string;
  namespace?: { _id?: string; reference?: string } | null;
  /** Lists of slots with an `$id`; a document is stored whatever it holds here. */
  incoming?: unknown;
  outgoing?: unknown;
}

/** The parts of a workflow's task that name a transformation. */
interface TaskLike {
  name: string;
  variables?: { incoming?: Record<string, unknown>; outgoing?: Record<string, unknown> };
}

/** The transformation a task names; undefined for other tasks and for an id that is only known at run time. */
export function transformationReferenceOf(
  task: TaskLike & Record<string, unknown>,
  projectId?: string,
): TransformationReference | undefined {
  const { incoming = {}, outgoing = {} } = task.variables ?? {};
  const id = incoming["tr_id"];
  // People edit names, and then the label of the canvas tells.
  const isTransformation = task.name === "transformation" || task["canvasName"] === "transformation";
  if (!isTransformation || typeof id !== "string" || id === "" || id.startsWith("$var.")) return undefined;
  const variableMap = incoming["variableMap"];
  return {
    id,
    names: [task["task_name"], task["summary"]].filter(
      (name): name is string => typeof name === "string" && name !== "",
    ),
    incoming: isJsonObject(variableMap) ? Object.keys(variableMap) : [],
    outgoing: Object.keys(outgoing),
    projectId,
  };
}

/**
 * Finds the transformation meant: by `_id`, by the component's `reference`, then by name (spec:
 * tasks-and-transformations.md B §1). Published projects also refer to ids that no file has, because their
 * transformations were copied: within the project the only one that takes and gives exactly the same `$id`s is meant.
 */
export function chooseTransformation<T extends TransformationHeader>(
  { id, names, projectId, ...slots }: TransformationReference,
  candidates: readonly T[],
): T | undefined {
  const inProject = candidates.filter((one) => projectId !== undefined && one.namespace?._id === projectId);
  const byName = (name: string): T | undefined =>
    inProject.find((one) => one.name === `@${projectId}: ${name}`) ??
    candidates.find((one) => one.name === name && !one.namespace);
  return (
    candidates.find((one) => one._id === id) ??
    inProject.find((one) => one.namespace?.reference === id) ??
    candidates.find((one) => one.namespace?.reference === id) ??
    [id, ...names].map(byName).find((found) => found !== undefined) ??
    onlyOne(inProject.filter((one) => hasSlots(one, slots)))
  );
}

function hasSlots(
  one: TransformationHeader,
  { incoming, outgoing }: { incoming: readonly string[]; outgoing: readonly string[] },
): boolean {
  return areSame(one.incoming, incoming) && areSame(one.outgoing, outgoing);
}

function areSame(slots: unknown, names: readonly string[]): boolean {
  const listed: unknown[] = Array.isArray(slots) ? slots : [];
  const ids = new Set(listed.map((slot) => (isJsonObject(slot) ? slot["$id"] : undefined)));
  return ids.size === names.length && names.every((name) => ids.has(name));
}

function onlyOne<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** Everything stored that `chooseTransformation` could choose for these references: two reads at most, whatever their number. */
export async function readCandidates<T extends TransformationHeader = TransformationHeader>(
  store: Store,
  references: readonly TransformationReference[],
): Promise<T[]> {
  const ids = [...new Set(references.map((reference) => reference.id))];
  if (ids.length === 0) return [];
  const known = await store.find<T>("transformations", { _id: { $in: ids } });
  const unknown = references.filter((reference) => !known.some((one) => one._id === reference.id));
  if (unknown.length === 0) return known;
  const rest = await store.find<T>("transformations", { $or: fallbacks(unknown) });
  return [...known, ...rest];
}

function fallbacks(references: readonly TransformationReference[]): Json[] {
  const ids = references.map((reference) => reference.id);
  const names = references.flatMap((reference) => [reference.id, ...reference.names]);
  const projects = [...new Set(references.flatMap((reference) => reference.projectId ?? []))];
  return [
    { name: { $in: names } },
    { "namespace.reference": { $in: ids } },
    ...(projects.length > 0 ? [{ "namespace._id": { $in: projects } }] : []),
  ];
}
