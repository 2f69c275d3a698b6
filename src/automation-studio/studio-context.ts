import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import { conflict, PlatformError } from "../core/errors.ts";
import type { Identifiers } from "../core/identifiers.ts";
import { DuplicateKeyError, VersionConflictError, type Store, type Stored, type Write } from "../store/store.ts";
import type { FindTaskModel } from "../workflow-engine/index.ts";
import { componentKind, maySeeComponent, type ComponentDocument, type ComponentKind } from "./component-kinds.ts";
import { projectNotFound, requireRight, type ProjectRight } from "./project-access.ts";
import type { ProjectComponent, ProjectMember, StoredProject } from "./project-schema.ts";

/** What the project service works with. */
export interface StudioContext {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  findTask: FindTaskModel;
}

/** The project, when the caller may do this with it. */
export async function readProject(
  { store }: Pick<StudioContext, "store">,
  { id, caller, right }: { id: string; caller: Caller; right: ProjectRight },
): Promise<Stored<StoredProject>> {
  const stored = await store.read<StoredProject>("projects", id);
  if (!stored) throw projectNotFound(id);
  requireRight(stored.document, caller, right);
  return stored;
}

/** `_id` of a component's document. */
export function documentIdOf(component: ProjectComponent): string {
  return component.documentId ?? component.reference;
}

/** The stored documents of components, whole or only some members: one read per kind. Components whose document is gone are missing. */
export async function readDocuments(
  { store }: Pick<StudioContext, "store">,
  components: readonly ProjectComponent[],
  fields?: Readonly<Record<string, 1>>,
): Promise<Map<ProjectComponent, ComponentDocument>> {
  const found = new Map<ProjectComponent, ComponentDocument>();
  for (const [kind, entries] of byKind(components)) {
    const documents = await store.find<ComponentDocument>(
      kind.collection,
      { _id: { $in: entries.map(documentIdOf) } },
      fields ? { fields } : {},
    );
    const byId = new Map(documents.map((document) => [document._id, document]));
    for (const entry of entries) {
      const document = byId.get(documentIdOf(entry));
      if (document) found.set(entry, document);
    }
  }
  return found;
}

/** Components with a document that the caller may not see. */
export async function hiddenComponents(
  context: Pick<StudioContext, "store">,
  components: readonly ProjectComponent[],
  caller: Caller,
): Promise<ProjectComponent[]> {
  const documents = await readDocuments(context, components, { groups: 1 });
  return [...documents].flatMap(([entry, document]) => (maySeeEntry(entry, document, caller) ? [] : [entry]));
}

/** May the caller see the document of this component? */
export function maySeeEntry(entry: ProjectComponent, document: ComponentDocument, caller: Caller): boolean {
  const kind = componentKind(entry.type);
  return kind !== undefined && maySeeComponent(kind, document, caller);
}

/**
 * FORBIDDEN when the project has a component that the caller may not see: what is done to a project as a whole is
 * done to all of its documents.
 */
export async function requireSightOfAll(
  context: Pick<StudioContext, "store">,
  { components }: StoredProject,
  { caller, act }: { caller: Caller; act: "export" | "remove" },
): Promise<void> {
  if ((await hiddenComponents(context, components, caller)).length > 0) throw hasHiddenComponents(act);
}

export function hasHiddenComponents(act: "export" | "remove" | "overwrite"): PlatformError {
  return new PlatformError("FORBIDDEN", `You may not ${act} this project: it has components that you may not see`);
}

function byKind(components: readonly ProjectComponent[]): Map<ComponentKind, ProjectComponent[]> {
  const groups = new Map<ComponentKind, ProjectComponent[]>();
  for (const component of components) {
    const kind = componentKind(component.type);
    if (kind) groups.set(kind, [...(groups.get(kind) ?? []), component]);
  }
  return groups;
}

/** The change that writes a project over the version that was read. */
export function replaceProject(document: StoredProject, version: number): Write {
  return { kind: "replace", collection: "projects", document, version };
}

/** Who and when, for a project that changes. */
export function touched(
  { clock }: Pick<StudioContext, "clock">,
  caller: Caller,
): Pick<StoredProject, "lastUpdated" | "lastUpdatedBy"> {
  return { lastUpdated: new Date(clock.now()).toISOString(), lastUpdatedBy: authorOf(caller) };
}

/** A caller as project documents of the field name their author. */
export function authorOf({ accountId, username }: Caller): { _id: string; provenance: string; username: string } {
  return { _id: accountId, provenance: "Local AAA", username };
}

/** The membership of whoever made a project. */
export function ownerOf(caller: Caller): ProjectMember {
  const { _id, provenance, username } = authorOf(caller);
  return { type: "account", role: "owner", reference: _id, provenance, username };
}

/** Commits all or nothing; what is taken or was changed meanwhile is a CONFLICT that says so. */
export async function commitStudio(
  { store }: Pick<StudioContext, "store">,
  writes: readonly Write[],
  projectName: string,
): Promise<void> {
  try {
    await store.commit(writes);
  } catch (thrown) {
    if (thrown instanceof VersionConflictError)
      throw conflict(`Project ${projectName} was changed by somebody else meanwhile`);
    if (!(thrown instanceof DuplicateKeyError)) throw thrown;
    if (thrown.collection === "projects") throw projectExists(projectName);
    throw conflict(`A component of project ${projectName} has a ${thrown.field} that is taken in ${thrown.collection}`);
  }
}

export function projectExists(name: string): Error {
  return conflict(`Project with name \`${name}\` already exists`);
}
