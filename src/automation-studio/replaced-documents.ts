import type { Caller } from "../core/caller.ts";
import { PlatformError } from "../core/errors.ts";
import { lossOfAccess } from "../core/group-change.ts";
import type { Store, Stored, Write } from "../store/store.ts";
import {
  componentKind,
  keptDocument,
  maySeeComponent,
  type ComponentDocument,
  type ComponentKind,
} from "./component-kinds.ts";
import { documentKey, type StoredComponent } from "./project-placement.ts";
import type { ProjectFile, StoredProject } from "./project-schema.ts";
import { documentIdOf, hasHiddenComponents } from "./studio-context.ts";

/** A document of a project that is overwritten, as it was read. */
interface ReplacedDocument extends Stored<ComponentDocument> {
  kind: ComponentKind;
}

/** By their `documentKey`. */
export type ReplacedDocuments = ReadonlyMap<string, ReplacedDocument>;

/**
 * The documents of a project with their versions; those that are gone are missing. FORBIDDEN when the caller may not
 * see one of them.
 */
export async function readReplaced(
  { store }: { store: Store },
  { components }: StoredProject,
  caller: Caller,
): Promise<ReplacedDocuments> {
  const found = await Promise.all(
    components.map(async (entry) => {
      const kind = componentKind(entry.type);
      const stored = kind && (await store.read<ComponentDocument>(kind.collection, documentIdOf(entry)));
      if (stored && !maySeeComponent(kind, stored.document, caller)) throw hasHiddenComponents("overwrite");
      return stored ? [[documentKey(kind.type, stored.document._id), { ...stored, kind }] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/**
 * FORBIDDEN when a component brings groups that would cost who is no administrator the access to the document it takes
 * the place of, or open that to everybody: the same as where the document is changed alone.
 */
export function refuseLossOfAccess(
  file: ProjectFile,
  {
    components,
    replaced,
    caller,
  }: { components: readonly StoredComponent[]; replaced: ReplacedDocuments; caller: Caller },
): void {
  const byName = new Map([...replaced.values()].map((one) => [documentKey(one.kind.type, one.document.name), one]));
  for (const { kind, _id, name, stored, component } of components) {
    // With new references its name is what stays.
    const before = replaced.get(documentKey(kind.type, _id)) ?? byName.get(documentKey(kind.type, name));
    if (!before || !kind.hasGroups) continue;
    const groups = { before: before.document["groups"], after: stored["groups"] };
    const message = lossOfAccess("workflow", { ...groups, caller });
    if (message === undefined) continue;
    const path = `/body/project/components/${file.components.indexOf(component)}/document/groups`;
    throw new PlatformError("FORBIDDEN", message, [{ path, message: `are those of ${component.document.name}` }]);
  }
}

/** Puts the documents of a file in the place of those of the project. CONFLICT when one was changed since it was read, or an id is taken. */
export function replacingWrites(components: readonly StoredComponent[], replaced: ReplacedDocuments): Write[] {
  const kept = new Set(components.map(({ kind, _id }) => documentKey(kind.type, _id)));
  const gone = [...replaced].flatMap(([key, { kind, document, version }]): Write[] =>
    kept.has(key) ? [] : [{ kind: "discard", collection: kind.collection, id: document._id, version }],
  );
  return [...gone, ...components.map((component) => documentWrite(component, replaced))];
}

function documentWrite({ kind, _id, stored }: StoredComponent, replaced: ReplacedDocuments): Write {
  const { collection } = kind;
  const document = keptDocument(kind, stored);
  const before = replaced.get(documentKey(kind.type, _id));
  return before
    ? { kind: "replace", collection, document, version: before.version }
    : { kind: "insert", collection, document };
}
