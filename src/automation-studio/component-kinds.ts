import type { Caller } from "../core/caller.ts";
import { mayAccessDocument, withAccess } from "../core/group-access.ts";
import type { Identifiers } from "../core/identifiers.ts";
import type { JsonObject } from "../core/json.ts";
import type { Namespace } from "../document-storage/index.ts";

/** A kind of document that projects hold, as project files name it (spec: workflow-engine.md §9.4). */
export interface ComponentKind {
  type: "workflow" | "transformation" | "template" | "jsonForm" | "mopCommandTemplate" | "mopAnalyticTemplate";
  /** Collection its documents live in. */
  collection: string;
  /** Member of the document that carries its id in files. Absent: files do not carry it. */
  idMember?: "_id" | "id";
  /** True where the id is the stored name (spec: templates-gateway-forms.md §1.1). */
  isNamedById?: boolean;
  /** True where `groups` of a document limit who sees it (spec: workflow-engine.md §1.1). */
  hasGroups?: boolean;
  /** Members that only stored documents have, beside those of every kind. */
  savedMembers?: readonly string[];
  newId(identifiers: Identifiers): string;
}

const documentId = (identifiers: Identifiers): string => identifiers.documentId();

export const componentKinds: readonly ComponentKind[] = [
  {
    type: "workflow",
    collection: "workflows",
    hasGroups: true,
    savedMembers: ["encodingVersion", "errors", "warnings", "access"],
    newId: (identifiers) => identifiers.uuid(),
  },
  { type: "transformation", collection: "transformations", idMember: "_id", newId: documentId },
  { type: "template", collection: "templates", idMember: "_id", newId: documentId },
  { type: "jsonForm", collection: "json_forms", idMember: "id", newId: documentId },
  { type: "mopCommandTemplate", collection: "mop_templates", isNamedById: true, newId: documentId },
  { type: "mopAnalyticTemplate", collection: "mop_analytic_templates", isNamedById: true, newId: documentId },
];

/** The kind of that name; undefined when the platform has none such. */
export function componentKind(type: unknown): ComponentKind | undefined {
  return componentKinds.find((kind) => kind.type === type);
}

/** May the caller see a document of this kind? Read whole, or at least its `groups`. */
export function maySeeComponent({ hasGroups }: ComponentKind, document: JsonObject, caller: Caller): boolean {
  return !hasGroups || mayAccessDocument(document, caller);
}

/** A document of any kind as it is stored. */
export type ComponentDocument = JsonObject & { _id: string; name: string };

/** A document as the store keeps it: what every write of a component writes. */
export function keptDocument({ hasGroups }: ComponentKind, document: ComponentDocument): ComponentDocument {
  return hasGroups ? withAccess(document) : document;
}

/** A name without the prefix of its project. */
export function plainName(name: string): string {
  return name.replace(/^@[0-9a-f]{24}: /u, "");
}

/** Where a component is stored. */
export interface ComponentPlace {
  _id: string;
  name: string;
  namespace?: Namespace;
}

/** Members that say where a document is stored and are no part of its file. */
function membersOfStorage(kind: ComponentKind): Set<string> {
  return new Set(["namespace", ...(kind.savedMembers ?? []), ...(kind.idMember === "_id" ? [] : ["_id"])]);
}

/** The stored form of a file's document: its name within the project, its id, its owner; everything else in place. */
export function toStoredComponent(
  kind: ComponentKind,
  document: JsonObject,
  { _id, name, namespace }: ComponentPlace,
): ComponentDocument {
  const dropped = membersOfStorage(kind);
  const replaced = new Map<string, string>([["name", name]]);
  if (kind.idMember) replaced.set(kind.idMember, _id);
  const members = Object.entries(document)
    .filter(([member]) => !dropped.has(member))
    .map(([member, value]) => [member, replaced.get(member) ?? value]);
  const stored = Object.fromEntries(members) as JsonObject;
  const owner = namespace ? { namespace: namespace as unknown as JsonObject } : {};
  return { ...("_id" in stored ? {} : { _id }), ...stored, ...owner } as ComponentDocument;
}

/** The document as files carry it: without what this installation added. */
export function toComponentFile(kind: ComponentKind, stored: ComponentDocument): JsonObject {
  const dropped = membersOfStorage(kind);
  const members = Object.entries(stored)
    .filter(([member]) => !dropped.has(member))
    .map(([member, value]) => [member, member === "name" ? plainName(stored.name) : value]);
  return Object.fromEntries(members) as JsonObject;
}
