import type { Write } from "../store.ts";
import type { Collections } from "../indexes.ts";
import { failureError } from "./commit-outcome.ts";
import { indexedFieldProblem } from "./indexed-field.ts";
import { isNestedTooDeeply } from "./nesting.ts";

type DocumentWrite = Extract<Write, { document: object }>;
type EnqueueWrite = Extract<Write, { kind: "enqueue" }>;

/** A write as the executor takes it: documents and payloads are text, so that threads exchange little and nothing can change meanwhile. */
export type EncodedWrite =
  | { kind: "put" | "keep"; collection: string; id: string; text: string }
  | { kind: "insert"; collection: string; id: string; text: string; version: number }
  | { kind: "replace"; collection: string; id: string; text: string; version: number }
  | EncodedAddition
  | { kind: "enqueue"; id: string; runAt: number; workKind: string; payload: string; attempts: number }
  | Exclude<Write, DocumentWrite | EnqueueWrite>;

/** An addition to a document, encoded. */
export interface EncodedAddition {
  kind: "add";
  collection: string;
  id: string;
  text: string;
}

/** Turns writes into encoded ones. */
export type WriteEncoder = (writes: readonly Write[]) => EncodedWrite[];

/**
 * An encoder that also refuses what must not be written: an unknown collection, a document without
 * a text `_id`, or an indexed field that is neither text, number nor nothing. These are mistakes of the
 * program (callers validate first), so they are plain errors.
 */
export function createWriteEncoder(collections: Collections): WriteEncoder {
  const known = new Map<string, KnownCollection>();
  for (const [collection, indexes] of Object.entries(collections)) {
    const fields = new Set(indexes.flatMap((index) => index.fields));
    fields.delete("_id");
    const paths = [...fields].map((field) => field.split("."));
    known.set(collection, { paths, hasUnique: indexes.some(({ isUnique }) => isUnique) });
  }
  return (writes) => writes.map((write) => encodeWrite(write, known));
}

interface KnownCollection {
  /** Of indexed fields. */
  paths: string[][];
  hasUnique: boolean;
}

type Known = ReadonlyMap<string, KnownCollection>;

function encodeWrite(write: Write, known: Known): EncodedWrite {
  switch (write.kind) {
    case "put":
    case "keep":
      return { kind: write.kind, ...encodeDocument(write, known) };
    case "insert":
      return { kind: write.kind, ...encodeDocument(write, known), version: write.version ?? 1 };
    case "replace":
      return { kind: write.kind, ...encodeDocument(write, known), version: write.version };
    case "add":
      return encodeAddition(write, known);
    case "remove":
    case "discard":
    case "require":
      collectionOf(write.collection, known);
      return write;
    case "enqueue":
      return encodeItem(write);
    default:
      return write;
  }
}

function collectionOf(collection: string, known: Known): KnownCollection {
  const found = known.get(collection);
  if (!found) throw new Error(`there is no collection ${collection}`);
  return found;
}

function encodeDocument({ collection, document }: DocumentWrite, known: Known) {
  const { paths } = collectionOf(collection, known);
  const id = "_id" in document ? document._id : undefined;
  if (typeof id !== "string" || id === "") throw new Error(`a document for ${collection} has no text _id`);
  for (const path of paths) {
    const problem = indexedFieldProblem(document, path);
    if (problem) throw new Error(`the indexed field ${path.join(".")} of ${id} in ${collection} ${problem}`);
  }
  const text = JSON.stringify(document);
  if (isNestedTooDeeply(text)) throw failureError({ failure: "unreadable", collection });
  return { collection, id, text };
}

/** What JSON text escapes of characters that not every store can take apart; the backslash itself not escaped. */
const unreadable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/u;

function encodeAddition(write: DocumentWrite, known: Known): EncodedAddition {
  const { collection, id, text } = encodeDocument(write, known);
  // Additions of many commits are written as one, so no single one could be refused.
  if (collectionOf(collection, known).hasUnique) throw new Error(`${collection} has unique fields: nothing is added`);
  if (unreadable.test(text))
    throw new Error(`what is added to ${id} in ${collection} holds half of a character or U+0000`);
  return { kind: "add", collection, id, text };
}

function encodeItem({ item }: EnqueueWrite): EncodedWrite {
  const { id, runAt, kind, payload, attempts = 0 } = item;
  return { kind: "enqueue", id, runAt, workKind: kind, payload: JSON.stringify(payload), attempts };
}
