import type { JsonObject } from "../core/json.ts";
import { namePrefix, type Namespace } from "../document-storage/index.ts";
import type { TransformationHeader } from "../transformations/index.ts";
import {
  modelsOnly,
  toStoredWorkflow,
  validateTogether,
  withProblems,
  type StoredWorkflow,
} from "../workflow-engine/index.ts";
import { componentKinds, plainName, toStoredComponent, type ComponentDocument } from "./component-kinds.ts";
import type { KnownComponent } from "./project-file.ts";
import { rewriteReferences, type Replacements } from "./rewrite-references.ts";
import type { StudioContext } from "./studio-context.ts";

/** The project that components are placed in. */
export interface ProjectPlace {
  _id: string;
  name: string;
  /** `_id` that the file gives the project, where it gives one. */
  fileId: string | undefined;
  /** `documentKey`s of the documents that the project has already. */
  ownDocuments: ReadonlySet<string>;
  /** Give every component a new id. */
  assignNewReferences: boolean;
}

/** A component with the place it gets. */
export interface PlacedComponent extends KnownComponent {
  /** `_id` of the document. */
  _id: string;
  /** What the project calls it. */
  reference: string;
  name: string;
  namespace: Namespace;
}

/** A placed component and the document to be stored. */
export interface StoredComponent extends PlacedComponent {
  stored: ComponentDocument;
}

/** Names a document among those of all kinds. */
export function documentKey(type: string, _id: string): string {
  return `${type} ${_id}`;
}

/** Gives each component its id and name, keeping the file's id unless something outside the project has it, and makes the documents to be stored. */
export async function placeComponents(
  context: StudioContext,
  known: readonly KnownComponent[],
  place: ProjectPlace,
): Promise<StoredComponent[]> {
  const taken = await takenElsewhere(context, known, place);
  const placed = known.map((one) => placeOne(context, one, { ...place, taken }));
  const replacements = replacementsOf(place, placed);
  const stored = placed.map((one) => ({ ...one, stored: documentToStore(context, one, replacements) }));
  return withProblemsOfWorkflows(context, stored, place._id);
}

function placeOne(
  context: StudioContext,
  one: KnownComponent,
  place: ProjectPlace & { taken: ReadonlySet<string> },
): PlacedComponent {
  const { kind, component } = one;
  const name = namePrefix(place._id) + plainName(component.document.name);
  const namespace: Namespace = { type: "project", _id: place._id, name: place.name };
  if (kind.isNamedById) return { ...one, _id: name, reference: name, name, namespace };
  const _id = ownId(one);
  if (place.assignNewReferences || place.taken.has(documentKey(kind.type, _id))) {
    const newId = kind.newId(context.identifiers);
    return { ...one, _id: newId, reference: newId, name, namespace };
  }
  const { reference } = component;
  return { ...one, _id, reference, name, namespace: _id === reference ? namespace : { ...namespace, reference } };
}

/** The id a component has in its file: the document's own, otherwise the reference. */
function ownId({ kind, component }: KnownComponent): string {
  const id = (component.document as JsonObject)[kind.idMember ?? "_id"];
  return typeof id === "string" && id !== "" ? id : component.reference;
}

async function takenElsewhere(
  { store }: StudioContext,
  known: readonly KnownComponent[],
  place: ProjectPlace,
): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const kind of componentKinds) {
    const ids = known.filter((one) => one.kind === kind).map(ownId);
    if (ids.length === 0) continue;
    const found = await store.find<{ _id: string }>(kind.collection, { _id: { $in: ids } }, { fields: { _id: 1 } });
    for (const { _id } of found) taken.add(documentKey(kind.type, _id));
  }
  for (const key of place.ownDocuments) taken.delete(key);
  return taken;
}

function replacementsOf(place: ProjectPlace, placed: readonly PlacedComponent[]): Replacements {
  const texts = new Map<string, string>();
  for (const one of placed) {
    if (one.kind.isNamedById || one.reference === one.component.reference) continue;
    texts.set(one.component.reference, one.reference);
    texts.set(ownId(one), one._id);
  }
  const isMoved = place.fileId !== undefined && place.fileId !== place._id;
  const prefixes = isMoved ? [[namePrefix(place.fileId ?? ""), namePrefix(place._id)] as const] : [];
  return { texts, prefixes: new Map(prefixes) };
}

function documentToStore(
  { findTask }: StudioContext,
  placed: PlacedComponent,
  replacements: Replacements,
): ComponentDocument {
  const file = rewriteReferences(placed.component.document as JsonObject, replacements);
  const document = toStoredComponent(placed.kind, file, placed);
  if (placed.kind.type !== "workflow") return document;
  const { _id, namespace } = placed;
  const workflow = toStoredWorkflow(asWorkflow(document), { _id, namespace, findModel: modelsOnly(findTask) });
  return workflow as unknown as ComponentDocument;
}

async function withProblemsOfWorkflows(
  context: StudioContext,
  components: readonly StoredComponent[],
  projectId: string,
): Promise<StoredComponent[]> {
  const storedOf = (type: string): ComponentDocument[] =>
    components.filter(({ kind }) => kind.type === type).map(({ stored }) => stored);
  const workflows = storedOf("workflow").map(asWorkflow);
  const problems = await validateTogether(
    context,
    workflows.map((workflow) => ({ workflow, projectId })),
    {
      transformations: storedOf("transformation") as unknown as TransformationHeader[],
      workflowNames: workflows.map((workflow) => workflow.name),
    },
  );
  const problemsById = new Map(workflows.map(({ _id }, index) => [_id, problems[index]]));
  return components.map((one) => {
    const found = one.kind.type === "workflow" ? problemsById.get(one._id) : undefined;
    return found
      ? { ...one, stored: withProblems(asWorkflow(one.stored), found) as unknown as ComponentDocument }
      : one;
  });
}

/** The outline of a workflow component was checked when its file was read. */
function asWorkflow(document: ComponentDocument): StoredWorkflow {
  return document as unknown as StoredWorkflow;
}
