import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import { conflict, notFound } from "../core/errors.ts";
import type { Identifiers } from "../core/identifiers.ts";
import type { JsonObject } from "../core/json.ts";
import { findPage, type ListSelection } from "../core/list-query.ts";
import { DuplicateKeyError, VersionConflictError, type Store, type Stored, type Write } from "../store/store.ts";
import { requireProjectName, type Namespace } from "./namespace.ts";
import { withId } from "./with-id.ts";

/** A document that is kept as it came, with what the platform knows of it. */
export interface KeptDocument {
  _id: string;
  name: string;
  created?: string;
  createdBy?: unknown;
  lastUpdated?: string;
  lastUpdatedBy?: unknown;
  namespace?: Namespace | null;
}

export interface DocumentServiceOptions {
  store: Store;
  clock: Clock;
  identifiers: Identifiers;
  collection: "transformations" | "templates";
  /** What one document is called in messages. */
  noun: string;
  /** Further changes that belong to the removal of a document: its project forgets it in the same commit. */
  writesOnRemoval?: ((document: KeptDocument) => Promise<readonly Write[]>) | undefined;
}

/** Keeps documents of one kind under names of their own. All errors are PlatformErrors. */
export interface DocumentService<T extends KeptDocument> {
  /** By `_id` or name. */
  find(idOrName: string): Promise<T | undefined>;
  /** By `_id` or name; NOT_FOUND when there is none. */
  get(idOrName: string): Promise<T>;
  list(selection: ListSelection): Promise<{ results: T[]; total: number }>;
  /** Stores a new document under a new id. */
  create(document: JsonObject & { name: string }, caller: Caller): Promise<T>;
  /** Stores documents of files, all or none: ids, dates and authors stay, because other documents refer to the ids. */
  importAll(documents: readonly (JsonObject & { name: string })[], caller: Caller): Promise<T[]>;
  /** Replaces the members given; the others stay. */
  update(idOrName: string, changes: JsonObject, caller: Caller): Promise<T>;
  remove(idOrName: string): Promise<T>;
}

export function createDocumentService<T extends KeptDocument>(options: DocumentServiceOptions): DocumentService<T> {
  const { store, collection } = options;
  const read = (idOrName: string) => readDocument<T>(options, idOrName);
  return {
    ...writingOf<T>(options, read),
    find: async (idOrName) => (await read(idOrName))?.document,
    get: async (idOrName) => required(options, idOrName, await read(idOrName)).document,
    list: (selection) => findPage<T>(store, collection, selection),
  };
}

type Writing<T extends KeptDocument> = Pick<DocumentService<T>, "create" | "importAll" | "update" | "remove">;
type Read<T> = (idOrName: string) => Promise<Stored<T> | undefined>;

function writingOf<T extends KeptDocument>(options: DocumentServiceOptions, read: Read<T>): Writing<T> {
  const { collection, identifiers } = options;
  const insert = async (documents: readonly KeptDocument[]): Promise<T[]> => {
    await requireFreeNames(options, documents);
    await commit(
      options,
      documents.map((document) => ({ kind: "insert", collection, document })),
      documents[0],
    );
    return documents as T[];
  };
  return {
    async create(document, caller) {
      const { _id: _, created: _c, createdBy: _b, lastUpdated: _u, lastUpdatedBy: _l, ...members } = document;
      const [created] = await insert([newDocument(options, withId(members, identifiers.documentId()), caller)]);
      return created as T;
    },
    importAll: (documents, caller) =>
      insert(
        documents.map((document) =>
          newDocument(options, withId(document, ownId(document) ?? identifiers.documentId()), caller),
        ),
      ),
    async update(idOrName, changes, caller) {
      const { document: before, version } = required(options, idOrName, await read(idOrName));
      const { _id, created, createdBy, namespace } = before;
      const document = {
        ...before,
        ...changes,
        _id,
        created,
        createdBy,
        namespace,
        ...lastUpdate(options, caller),
      } as T;
      requireProjectName(document.name, namespace ?? undefined);
      await commit(options, [{ kind: "replace", collection, document, version }], document);
      return document;
    },
    async remove(idOrName) {
      const { document } = required(options, idOrName, await read(idOrName));
      const further = (await options.writesOnRemoval?.(document)) ?? [];
      await commit(options, [{ kind: "remove", collection, id: document._id }, ...further], document);
      return document;
    },
  };
}

async function readDocument<T extends KeptDocument>(
  { store, collection }: DocumentServiceOptions,
  idOrName: string,
): Promise<Stored<T> | undefined> {
  const byId = await store.read<T>(collection, idOrName);
  if (byId) return byId;
  const [named] = await store.find<KeptDocument>(collection, { name: idOrName }, { limit: 1, fields: { _id: 1 } });
  return named && store.read<T>(collection, named._id);
}

function required<T>({ noun }: DocumentServiceOptions, idOrName: string, found: Stored<T> | undefined): Stored<T> {
  if (!found) throw notFound(`Cannot find ${noun} ${idOrName}`);
  return found;
}

function ownId({ _id }: JsonObject): string | undefined {
  return typeof _id === "string" && _id !== "" ? _id : undefined;
}

/** A document about to be stored, with an author and dates where it brings none. */
function newDocument(
  options: DocumentServiceOptions,
  { namespace: _, ...document }: JsonObject,
  caller: Caller,
): KeptDocument {
  const update = lastUpdate(options, caller);
  const authorship = { created: update.lastUpdated, createdBy: update.lastUpdatedBy, ...update };
  const missing = Object.entries(authorship).filter(([member]) => document[member] === undefined);
  return { ...document, ...Object.fromEntries(missing) } as unknown as KeptDocument;
}

function lastUpdate(
  { clock }: DocumentServiceOptions,
  { accountId, username }: Caller,
): { lastUpdated: string; lastUpdatedBy: object } {
  const lastUpdatedBy = { _id: accountId, provenance: "Local AAA", username };
  return { lastUpdated: new Date(clock.now()).toISOString(), lastUpdatedBy };
}

async function requireFreeNames(options: DocumentServiceOptions, documents: readonly KeptDocument[]): Promise<void> {
  const names = documents.map((document) => document.name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw nameTaken(options, repeated);
  const [taken] = await options.store.find<KeptDocument>(
    options.collection,
    { name: { $in: names } },
    { limit: 1, fields: { name: 1 } },
  );
  if (taken) throw nameTaken(options, taken.name);
}

async function commit(
  options: DocumentServiceOptions,
  writes: readonly Write[],
  document: KeptDocument | undefined,
): Promise<void> {
  try {
    await options.store.commit(writes);
  } catch (thrown) {
    if (thrown instanceof VersionConflictError)
      throw conflict(`${options.noun} ${document?.name} was changed by somebody else meanwhile`);
    if (!(thrown instanceof DuplicateKeyError)) throw thrown;
    if (thrown.field !== "_id") throw nameTaken(options, document?.name ?? "");
    throw conflict(`a ${options.noun} with this _id already exists`);
  }
}

function nameTaken({ noun }: DocumentServiceOptions, name: string): Error {
  return conflict(`${noun} with name \`${name}\` already exists`);
}
