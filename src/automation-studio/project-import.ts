import type { Caller } from "../core/caller.ts";
import { withId } from "../document-storage/index.ts";
import type { Stored, Write } from "../store/store.ts";
import { requireOutline, type StoredWorkflow } from "../workflow-engine/index.ts";
import { plainName } from "./component-kinds.ts";
import { requireTree } from "./folder-tree.ts";
import { requireRight } from "./project-access.ts";
import { projectMembersOf, readComponents, type FailedComponent, type KnownComponent } from "./project-file.ts";
import { placeComponents, type StoredComponent } from "./project-placement.ts";
import type { ConflictMode, ProjectComponent, ProjectFile, StoredProject } from "./project-schema.ts";
import { readReplaced, refuseLossOfAccess, replacingWrites, type ReplacedDocuments } from "./replaced-documents.ts";
import { commitStudio, ownerOf, projectExists, replaceProject, type StudioContext } from "./studio-context.ts";

export interface ProjectImport {
  project: ProjectFile;
  /** Absent: a project that exists already is a CONFLICT. */
  conflictMode?: ConflictMode | undefined;
  /** New ids for all components, even where the file's are free. */
  assignNewReferences?: boolean | undefined;
  /** Leave out the report of references that lead nowhere. */
  skipReferenceValidation?: boolean | undefined;
}

/** A reference of an imported component that nothing stored answers to. The import keeps it as it is. */
export interface UnresolvedReference {
  component: string;
  task: string;
  message: string;
}

export interface ImportResult {
  project: StoredProject;
  failedComponents: FailedComponent[];
  unresolvedReferences: UnresolvedReference[];
}

/**
 * Imports a project file: all of it, or nothing (spec: workflow-engine.md §9.4). The ids of the file stay, so that its
 * references resolve; where an id is taken by something else, or new references are asked for, the component
 * gets a new one and every document of the file follows. Only components of a type that the platform does not
 * have are left out, and named in `failedComponents`.
 *
 * insert-new adds a further project under a free name; overwrite replaces the existing one, keeps its `_id` and
 * members, and removes the components that the file no longer has. FORBIDDEN for who may not see all of those it had,
 * and where its groups would cost the access to one.
 */
export async function importProject(
  context: StudioContext,
  request: ProjectImport,
  caller: Caller,
): Promise<ImportResult> {
  const { known, failed } = readComponents(request.project);
  requireTree(request.project.folders ?? [], "/body/project/folders");
  requireWorkflowOutlines(request.project, known);
  const target = await chooseTarget(context, request, caller);
  const { _id, name, replaced } = target;
  const ownDocuments = new Set(replaced.keys());
  const assignNewReferences = request.assignNewReferences === true;
  const place = { _id, name, fileId: request.project._id, ownDocuments, assignNewReferences };
  const components = await placeComponents(context, known, place);
  const project = projectToStore(request.project, { target, components, caller });
  refuseLossOfAccess(request.project, { components, replaced, caller });
  await commitStudio(context, [...replacingWrites(components, replaced), projectWrite(project, target)], name);
  const unresolvedReferences = request.skipReferenceValidation ? [] : components.flatMap(unresolvedIn);
  return { project, failedComponents: failed, unresolvedReferences };
}

function requireWorkflowOutlines(file: ProjectFile, known: readonly KnownComponent[]): void {
  for (const { kind, component } of known) {
    const index = file.components.indexOf(component);
    if (kind.type === "workflow") requireOutline(component.document, `/body/project/components/${index}/document`);
  }
}

/** The project to be written: a new one, or one to be replaced. */
interface Target {
  _id: string;
  name: string;
  existing?: Stored<StoredProject>;
  /** Its documents; none for a new one. */
  replaced: ReplacedDocuments;
}

async function chooseTarget(
  context: StudioContext,
  { project: file, conflictMode }: ProjectImport,
  caller: Caller,
): Promise<Target> {
  const { store, identifiers } = context;
  const sameId = file._id === undefined ? undefined : await store.read<StoredProject>("projects", file._id);
  const sameName = await store.readBy<StoredProject>("projects", "name", file.name);
  const existing = sameId ?? sameName;
  if (!existing) return { _id: file._id ?? identifiers.documentId(), name: file.name, replaced: new Map() };
  if (conflictMode === undefined) throw projectExists(existing.document.name);
  if (conflictMode === "insert-new") {
    const _id = sameId || file._id === undefined ? identifiers.documentId() : file._id;
    return { _id, name: await freeName(context, file.name), replaced: new Map() };
  }
  requireRight(existing.document, caller, "manage");
  const replaced = await readReplaced(context, existing.document, caller);
  if (sameName && sameName.document._id !== existing.document._id) throw projectExists(file.name);
  return { _id: existing.document._id, name: file.name, existing, replaced };
}

async function freeName({ store }: StudioContext, name: string): Promise<string> {
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? name : `${name} (${number})`;
    if (!(await store.readBy("projects", "name", candidate))) return candidate;
  }
}

interface ProjectParts {
  target: Target;
  components: readonly StoredComponent[];
  caller: Caller;
}

function projectToStore(file: ProjectFile, { target, components, caller }: ProjectParts): StoredProject {
  const entries = components.map(({ component, _id, reference }): ProjectComponent => {
    // Which document a component is, only this server may say.
    const { document: _, documentId: _d, ...entry } = component as typeof component & { documentId?: unknown };
    return { ...entry, folder: entry.folder ?? "/", reference, ...(reference === _id ? {} : { documentId: _id }) };
  });
  return {
    ...withId(projectMembersOf(file), target._id),
    name: target.name,
    components: entries,
    folders: (file.folders ?? []) as StoredProject["folders"],
    members: target.existing?.document.members ?? [ownerOf(caller)],
    componentIidIndex: Math.max(-1, ...file.components.map((component) => component.iid)) + 1,
  };
}

function projectWrite(project: StoredProject, { existing }: Target): Write {
  return existing
    ? replaceProject(project, existing.version)
    : { kind: "insert", collection: "projects", document: project };
}

function unresolvedIn({ kind, stored }: StoredComponent): UnresolvedReference[] {
  if (kind.type !== "workflow") return [];
  const { errors = [], warnings = [], name } = stored as unknown as StoredWorkflow;
  return [...errors, ...warnings]
    .filter(({ message }) => /^Cannot find (?:transformation|workflow) /u.test(message))
    .map(({ task, message }) => ({ component: plainName(name), task, message }));
}
