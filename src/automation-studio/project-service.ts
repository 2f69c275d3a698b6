import type { Caller } from "../core/caller.ts";
import { findPage, type ListSelection } from "../core/list-query.ts";
import type { JsonObject } from "../core/json.ts";
import { namePrefix } from "../document-storage/index.ts";
import type { Stored, Write } from "../store/store.ts";
import { componentKind, keptDocument, type ComponentDocument } from "./component-kinds.ts";
import { pathsOfComponents, requireTree } from "./folder-tree.ts";
import { accessControlOf, visibleProjects } from "./project-access.ts";
import {
  findComponent,
  removalOf,
  takeComponents,
  withoutEntry,
  type Addition,
  type AddedComponent,
} from "./project-components.ts";
import { toProjectFile, withoutDocumentId } from "./project-file.ts";
import { importProject, type ImportResult, type ProjectImport } from "./project-import.ts";
import type { ProjectComponent, ProjectMember, StoredProject } from "./project-schema.ts";
import {
  authorOf,
  commitStudio,
  ownerOf,
  readDocuments,
  maySeeEntry,
  readProject,
  replaceProject,
  requireSightOfAll,
  touched,
  type StudioContext,
} from "./studio-context.ts";

/** A project as answers show it: components with their stored names, and who may do what. */
export interface ShownProject extends Omit<StoredProject, "components"> {
  components: (Omit<ProjectComponent, "documentId"> & { name: string })[];
  accessControl: ReturnType<typeof accessControlOf>;
}

export interface NewProject {
  name: string;
  description?: string | undefined;
  components?: readonly AddedComponent[] | undefined;
}

export interface ProjectChanges {
  name?: string;
  description?: string;
  backgroundColor?: string;
  thumbnail?: string;
  /** The whole tree; the folder of each component follows. */
  folders?: unknown;
  /** The whole list. */
  members?: ProjectMember[];
}

/**
 * Projects and what they hold (spec: workflow-engine.md §9.4). Each method asks whether the caller may. Members who may
 * not see a workflow of the project (§1.1) are told that it is there, not its name, and cannot take it along.
 */
export interface ProjectService {
  create(project: NewProject, caller: Caller): Promise<ShownProject>;
  list(selection: ListSelection, caller: Caller): Promise<{ results: ShownProject[]; total: number }>;
  get(id: string, caller: Caller): Promise<ShownProject>;
  update(id: string, changes: ProjectChanges, caller: Caller): Promise<ShownProject>;
  /** Removes the project with all documents of its components; FORBIDDEN when the caller may not see one of them. */
  remove(id: string, caller: Caller): Promise<ProjectComponent[]>;
  /** FORBIDDEN when the caller may not see one of its components: a file without it would be no copy. */
  exportFile(id: string, caller: Caller): Promise<JsonObject>;
  importFile(
    request: ProjectImport,
    caller: Caller,
  ): Promise<Omit<ImportResult, "project"> & { project: ShownProject }>;
  addComponents(id: string, addition: Addition, caller: Caller): Promise<ShownProject>;
  /** Removes one component, by iid or reference, with its document. */
  removeComponent(id: string, key: string, caller: Caller): Promise<ShownProject>;
}

export function createProjectService(context: StudioContext): ProjectService {
  return { ...readingOf(context), ...writingOf(context) };
}

type Reading = Pick<ProjectService, "list" | "get" | "exportFile">;

function readingOf(context: StudioContext): Reading {
  return {
    async list(selection, caller) {
      const { results, total } = await findPage<StoredProject>(
        context.store,
        "projects",
        selection,
        visibleProjects(caller),
      );
      return { results: await showAll(context, results, caller), total };
    },
    async get(id, caller) {
      const { document } = await readProject(context, { id, caller, right: "read" });
      return show(context, document, caller);
    },
    async exportFile(id, caller) {
      const { document } = await readProject(context, { id, caller, right: "read" });
      await requireSightOfAll(context, document, { caller, act: "export" });
      return toProjectFile(document, await readDocuments(context, document.components));
    },
  };
}

function writingOf(context: StudioContext): Omit<ProjectService, keyof Reading> {
  return {
    create: (project, caller) => createProject(context, project, caller),
    async update(id, changes, caller) {
      const right = changes.members ? "manage" : "write";
      const stored = await readProject(context, { id, caller, right });
      return show(context, await changeProject(context, stored, { changes, caller }), caller);
    },
    async remove(id, caller) {
      const { document } = await readProject(context, { id, caller, right: "manage" });
      await requireSightOfAll(context, document, { caller, act: "remove" });
      const removal: Write = { kind: "remove", collection: "projects", id };
      await commitStudio(context, [...document.components.flatMap(removalOf), removal], document.name);
      return document.components;
    },
    async importFile(request, caller) {
      const { project, ...rest } = await importProject(context, request, caller);
      return { project: await show(context, project, caller), ...rest };
    },
    async addComponents(id, addition, caller) {
      const { document, version } = await readProject(context, { id, caller, right: "write" });
      const changed = { ...document, ...touched(context, caller) };
      const { project, writes } = await takeComponents(context, changed, addition, caller);
      await commitStudio(context, [...writes, replaceProject(project, version)], document.name);
      return show(context, project, caller);
    },
    async removeComponent(id, key, caller) {
      const { document, version } = await readProject(context, { id, caller, right: "write" });
      const entry = await findComponent(context, document, key, caller);
      const changed = { ...withoutEntry(document, entry), ...touched(context, caller) };
      await commitStudio(context, [...removalOf(entry), replaceProject(changed, version)], document.name);
      return show(context, changed, caller);
    },
  };
}

async function createProject(
  context: StudioContext,
  { name, description, components = [] }: NewProject,
  caller: Caller,
): Promise<ShownProject> {
  const { lastUpdated, lastUpdatedBy } = touched(context, caller);
  const project: StoredProject = {
    _id: context.identifiers.documentId(),
    iid: await nextIid(context),
    name,
    description: description ?? "",
    components: [],
    folders: [],
    created: lastUpdated as string,
    createdBy: authorOf(caller),
    lastUpdated: lastUpdated as string,
    lastUpdatedBy,
    thumbnail: "",
    backgroundColor: "#FFFFFF",
    members: [ownerOf(caller)],
    componentIidIndex: 0,
  };
  const taken = await takeComponents(context, project, { components, mode: "move" }, caller);
  await commitStudio(
    context,
    [{ kind: "insert", collection: "projects", document: taken.project }, ...taken.writes],
    name,
  );
  return show(context, taken.project, caller);
}

/** Projects are also numbered; the number is for people and need not be gapless. */
async function nextIid({ store }: StudioContext): Promise<number> {
  const [last] = await store.find<{ iid?: number }>(
    "projects",
    { iid: { $exists: true } },
    { sort: { iid: -1 }, limit: 1, fields: { iid: 1 } },
  );
  return (last?.iid ?? 0) + 1;
}

interface Change {
  changes: ProjectChanges;
  caller: Caller;
}

async function changeProject(
  context: StudioContext,
  { document, version }: Stored<StoredProject>,
  { changes, caller }: Change,
): Promise<StoredProject> {
  const { folders, ...members } = changes;
  const changed: StoredProject = { ...document, ...members, ...touched(context, caller) };
  const project = folders === undefined ? changed : withFolders(changed, folders);
  const renamed = project.name === document.name ? [] : await renameNamespaces(context, project);
  await commitStudio(context, [replaceProject(project, version), ...renamed], project.name);
  return project;
}

function withFolders(project: StoredProject, candidate: unknown): StoredProject {
  const folders = requireTree(candidate, "/body/folders");
  const paths = pathsOfComponents(folders);
  const components = project.components.map((entry) => ({ ...entry, folder: paths.get(entry.iid) ?? "/" }));
  return { ...project, folders, components };
}

/** Documents of a project carry its name, so that lists can show it without reading the project. */
async function renameNamespaces(context: StudioContext, project: StoredProject): Promise<Write[]> {
  const documents = await readDocuments(context, project.components);
  const writes: Write[] = [];
  for (const [entry, { _id }] of documents) {
    const kind = componentKind(entry.type);
    const stored = kind && (await context.store.read<ComponentDocument>(kind.collection, _id));
    if (!stored) continue;
    const namespace = { ...(stored.document["namespace"] as JsonObject), name: project.name };
    const document = keptDocument(kind, { ...stored.document, namespace });
    writes.push({ kind: "replace", collection: kind.collection, document, version: stored.version });
  }
  return writes;
}

async function show(context: StudioContext, project: StoredProject, caller: Caller): Promise<ShownProject> {
  const [shown] = await showAll(context, [project], caller);
  return shown as ShownProject;
}

async function showAll(
  context: StudioContext,
  projects: readonly StoredProject[],
  caller: Caller,
): Promise<ShownProject[]> {
  const documents = await readDocuments(
    context,
    projects.flatMap((project) => project.components ?? []),
    { name: 1, groups: 1 },
  );
  for (const [entry, document] of documents) if (!maySeeEntry(entry, document, caller)) documents.delete(entry);
  return projects.map((project) => ({
    ...project,
    ...(project.components
      ? { components: project.components.map((entry) => shownComponent(project, entry, documents.get(entry))) }
      : {}),
    ...(project.members ? { accessControl: accessControlOf(project.members) } : {}),
  })) as ShownProject[];
}

function shownComponent(
  project: StoredProject,
  entry: ProjectComponent,
  document: ComponentDocument | undefined,
): ShownProject["components"][number] {
  return { ...withoutDocumentId(entry), name: document?.name ?? `${namePrefix(project._id)}${entry.reference}` };
}
