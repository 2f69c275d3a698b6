import type { Caller } from "../core/caller.ts";
import { badRequest, notFound } from "../core/errors.ts";
import { namePrefix, type Namespace } from "../document-storage/index.ts";
import type { Store, Stored, Write } from "../store/store.ts";
import {
  modelsOnly,
  toStoredWorkflow,
  validateTogether,
  withProblems,
  type StoredWorkflow,
} from "../workflow-engine/index.ts";
import {
  componentKind,
  keptDocument,
  maySeeComponent,
  plainName,
  toComponentFile,
  toStoredComponent,
  type ComponentDocument,
  type ComponentKind,
} from "./component-kinds.ts";
import { withComponent, withoutComponent } from "./folder-tree.ts";
import type { ProjectComponent, StoredProject } from "./project-schema.ts";
import { documentIdOf, hiddenComponents, replaceProject, type StudioContext } from "./studio-context.ts";

/** A stored document to be taken into a project. */
export interface AddedComponent {
  type: string;
  /** `_id` or name of the document. */
  reference: string;
  /** Path of the folder; made where it does not exist. Default `/`. */
  folder?: string | undefined;
}

export interface Addition {
  components: readonly AddedComponent[];
  /** move: the document itself; copy: a new document, the original stays. */
  mode: "move" | "copy";
}

/** A project with further components, and the changes that bring their documents. */
export interface Taken {
  project: StoredProject;
  writes: Write[];
}

/**
 * Takes stored documents into a project; nothing is written yet. NOT_FOUND names a document that does
 * not exist, or that the caller may not see; BAD_REQUEST one that belongs to a project and is to be moved.
 */
export async function takeComponents(
  context: StudioContext,
  project: StoredProject,
  { components, mode }: Addition,
  caller: Caller,
): Promise<Taken> {
  const taken: Taken = { project, writes: [] };
  for (const [index, added] of components.entries()) {
    const at = `/body/components/${index}`;
    const { entry, writes } = await takeDocument(context, { project: taken.project, added, mode, at, caller });
    taken.project = withEntry(taken.project, entry);
    taken.writes.push(...writes);
  }
  return taken;
}

interface Taking {
  project: StoredProject;
  added: AddedComponent;
  mode: Addition["mode"];
  at: string;
  caller: Caller;
}

async function takeDocument(
  context: StudioContext,
  { project, added, mode, at, caller }: Taking,
): Promise<{ entry: ProjectComponent; writes: Write[] }> {
  const kind = componentKind(added.type);
  if (!kind)
    throw badRequest(`The type ${added.type} is not known`, [
      { path: `${at}/type`, message: "is not a type of component" },
    ]);
  const { document: source, version } = await readSource(context, kind, added.reference, caller);
  if (mode === "move" && source["namespace"]) {
    throw badRequest(`${added.type} ${added.reference} belongs to a project`, [
      { path: `${at}/reference`, message: "can only be copied" },
    ]);
  }
  const name = namePrefix(project._id) + plainName(source.name);
  const keepsId = mode === "move" && !kind.isNamedById;
  const _id = kind.isNamedById ? name : keepsId ? source._id : kind.newId(context.identifiers);
  const namespace: Namespace = { type: "project", _id: project._id, name: project.name };
  const taken = toStoredComponent(kind, toComponentFile(kind, source), { _id, name, namespace });
  const document = keptDocument(kind, await rechecked(context, kind, taken));
  const { collection } = kind;
  const write: Write = keepsId
    ? { kind: "replace", collection, document, version }
    : { kind: "insert", collection, document };
  const removal: Write[] = mode === "move" && !keepsId ? [{ kind: "remove", collection, id: source._id }] : [];
  const entry = { iid: project.componentIidIndex, type: kind.type, reference: _id, folder: added.folder ?? "/" };
  return { entry, writes: [...removal, write] };
}

async function readSource(
  { store }: StudioContext,
  kind: ComponentKind,
  reference: string,
  caller: Caller,
): Promise<Stored<ComponentDocument>> {
  const read = async (id: string): Promise<Stored<ComponentDocument> | undefined> => {
    const stored = await store.read<ComponentDocument>(kind.collection, id);
    return stored && maySeeComponent(kind, stored.document, caller) ? stored : undefined;
  };
  const byId = await read(reference);
  if (byId) return byId;
  const [named] = await store.find<{ _id: string }>(kind.collection, { name: reference }, { limit: 1 });
  const found = named && (await read(named._id));
  if (!found) throw notFound(`Cannot find ${kind.type} ${reference}`);
  return found;
}

/** What saving adds to a workflow is made anew: its problems depend on the project it is in. */
async function rechecked(
  context: StudioContext,
  kind: ComponentKind,
  document: ComponentDocument,
): Promise<ComponentDocument> {
  if (kind.type !== "workflow") return document;
  const { _id, namespace, ...rest } = document as unknown as StoredWorkflow;
  const workflow = toStoredWorkflow(rest, { _id, namespace, findModel: modelsOnly(context.findTask) });
  const [problems] = await validateTogether(context, [{ workflow, projectId: namespace?._id }]);
  return (problems ? withProblems(workflow, problems) : workflow) as unknown as ComponentDocument;
}

function withEntry(project: StoredProject, entry: ProjectComponent): StoredProject {
  const folder = `/${entry.folder
    .split("/")
    .filter((name) => name !== "")
    .join("/")}`;
  return {
    ...project,
    components: [...project.components, { ...entry, folder }],
    folders: withComponent(project.folders, entry.iid, folder),
    componentIidIndex: entry.iid + 1,
  };
}

/** The component of that iid or reference; NOT_FOUND when the project has none, or the caller may not see its document. */
export async function findComponent(
  context: StudioContext,
  project: StoredProject,
  key: string,
  caller: Caller,
): Promise<ProjectComponent> {
  const found = project.components.find((entry) => String(entry.iid) === key || entry.reference === key);
  if (!found || (await hiddenComponents(context, [found], caller)).length > 0)
    throw notFound(`Project ${project.name} has no component ${key}`);
  return found;
}

/** The project without one of its components. */
export function withoutEntry(project: StoredProject, entry: ProjectComponent): StoredProject {
  return {
    ...project,
    components: project.components.filter((other) => other !== entry),
    folders: withoutComponent(project.folders, entry.iid),
  };
}

/** The change that removes a component's document. */
export function removalOf(entry: ProjectComponent): Write[] {
  const kind = componentKind(entry.type);
  return kind ? [{ kind: "remove", collection: kind.collection, id: documentIdOf(entry) }] : [];
}

/**
 * The change by which a project forgets a component whose document is removed elsewhere; none for a
 * document of no project. It belongs into the commit that removes the document.
 */
export async function forgetComponent(
  store: Store,
  type: ComponentKind["type"],
  { _id, namespace }: { _id: string; namespace?: Pick<Namespace, "_id"> | null },
): Promise<Write[]> {
  const projectId = namespace?._id;
  const stored = projectId === undefined ? undefined : await store.read<StoredProject>("projects", projectId);
  const entry = stored?.document.components.find((one) => one.type === type && documentIdOf(one) === _id);
  return stored && entry ? [replaceProject(withoutEntry(stored.document, entry), stored.version)] : [];
}
