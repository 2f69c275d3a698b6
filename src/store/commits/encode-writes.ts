import type { Write } from "../store.ts";
import type { Collections } from "../indexes.ts";
import { failureError } from "./commit-outcome.ts";
import { indexedFieldProblem } from "./indexed-field.ts";
import { isNestedTooDeeply } from "./nesting.ts";

type DocumentWrite = Extract<Write, { document: object }>;
type EnqueueWrite = Extract<Write, { kind: "enqueue" }>;

/** A write as the executor takes it: documents and payloads are text, so that threads exchange little and nothing can change meanwhile. */
export type EncodedWrite =
  | { kind: "insert" | "put" | "keep"; collection: string; id: string; text: string }
  | { kind: "replace"; collection: string; id: string; text: string; version: number }
  | { kind: "enqueue"; id: string; runAt: number; workKind: string; payload: string; attempts: number }
  | Exclude<Write, DocumentWrite | EnqueueWrite>;

/** Turns writes into encoded ones. */
export type WriteEncoder = (writes: readonly Write[]) => EncodedWrite[];

/**
 * An encoder that also refuses what must not be written: an unknown collection, a document without
 * a text `_id`, or an indexed field that is neither text, number nor nothing. These are mistakes of the
 * program (callers validate first), so they are plain errors.
 */
export function createWriteEncoder(collections: Collections): WriteEncoder {
  const indexedPaths = new Map<string, string[][]>();
  for (const [collection, indexes] of Object.entries(collections)) {
    const fields = new Set(indexes.flatMap((index) => index.fields));
    fields.delete("_id");
    indexedPaths.set(
      collection,
      [...fields].map((field) => field.split(".")),
    );
  }
  return (writes) => writes.map((write) => encodeWrite(write, indexedPaths));
}

function encodeWrite(write: Write, indexedPaths: ReadonlyMap<string, string[][]>): EncodedWrite {
  switch (write.kind) {
    case "insert":
    case "put":
    case "keep":
      return { kind: write.kind, ...encodeDocument(write, indexedPaths) };
    case "replace":
      return { kind: write.kind, ...encodeDocument(write, indexedPaths), version: write.version };
    case "remove":
      pathsOf(write.collection, indexedPaths);
      return write;
    case "enqueue":
      return encodeItem(write);
    default:
      return write;
  }
}

function pathsOf(collection: string, indexedPaths: ReadonlyMap<string, string[][]>): string[][] {
  const paths = indexedPaths.get(collection);
  if (!paths) throw new Error(`there is no collection ${collection}`);
  return paths;
}

function encodeDocument({ collection, document }: DocumentWrite, indexedPaths: ReadonlyMap<string, string[][]>) {
  const paths = pathsOf(collection, indexedPaths);
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

function encodeItem({ item }: EnqueueWrite): EncodedWrite {
  const { id, runAt, kind, payload, attempts = 0 } = item;
  return { kind: "enqueue", id, runAt, workKind: kind, payload: JSON.stringify(payload), attempts };
}
