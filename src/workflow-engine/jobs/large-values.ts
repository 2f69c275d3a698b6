import { StoredValue } from "../../core/stored-value.ts";
import type { Store } from "../../store/store.ts";
import {
  largeValueCollection,
  largeValuePrefix,
  placeParts,
  type LargePart,
  type LargeReference,
  type LargeValueDocument,
  type StoredTextDocument,
} from "./large-parts.ts";
import { LargeValueEncoder } from "./large-value-encoder.ts";
import { createRecentValues } from "./recent-values.ts";
import { storedValueOf } from "./stored-texts.ts";

/** A parsed document with `null` where large values were taken out. */
export interface PartedDocument {
  document: object;
  parts: readonly LargePart[];
}

/** The large values of a store, as one node knows them. */
export interface LargeValues {
  /** An encoder for one commit to a job of the tree with this root; its `documents` belong into that commit. */
  encoder(root: string): LargeValueEncoder;
  /** Remembers that the encoder's commit has succeeded. */
  confirm(encoder: LargeValueEncoder): void;
  /** Is this, by identity or as a text, a large value that is stored? */
  isKnown(value: unknown): boolean;
  /** Puts the values back into the documents, in place. An Error when the store lacks one. */
  restore(documents: readonly PartedDocument[]): Promise<void>;
}

/** How much of what was stored or read last stays in memory, in characters of JSON text. */
const recentCharacters = 8_000_000;

/** The large values of a store. */
export function createLargeValues(store: Store): LargeValues {
  // The values live as long as jobs in memory hold them; the recent ones a little longer.
  const known = new WeakMap<object, LargeReference>();
  const recent = createRecentValues(recentCharacters);
  const underWay = new Map<string, Promise<unknown>>();

  const remember = (value: unknown, reference: LargeReference): void => {
    if (typeof value === "object" && value !== null) known.set(value, reference);
    // A handle holds no text, and the size of it would drive out all others.
    if (!(value instanceof StoredValue)) recent.put(value, reference);
  };

  const load = async (reference: LargeReference): Promise<unknown> => {
    const stored = await store.read<LargeValueDocument | StoredTextDocument>(largeValueCollection, reference.id);
    if (!stored) throw new Error(`large value ${reference.id} is not in the store`);
    if ("pieces" in stored.document) return storedValueOf(store, { id: reference.id, size: stored.document.size });
    const { text, large = [] } = stored.document;
    const value: unknown = JSON.parse(text);
    if (large.length > 0) await restore([{ document: value as object, parts: large }]);
    remember(value, reference);
    return value;
  };

  const find = (reference: LargeReference): Promise<unknown> => {
    const { id } = reference;
    let loading = underWay.get(id);
    if (!loading) {
      loading = load(reference).finally(() => underWay.delete(id));
      underWay.set(id, loading);
    }
    return loading;
  };

  const restore = async (documents: readonly PartedDocument[]): Promise<void> => {
    const references = new Map(documents.flatMap(({ parts }) => parts.map((part) => [part.id, part] as const)));
    const found = await Promise.all(
      [...references].map(
        async ([id, reference]) => [id, recent.has(id) ? recent.get(id) : await find(reference)] as const,
      ),
    );
    const values = new Map(found);
    for (const { document, parts } of documents) placeParts(document, parts, ({ id }) => values.get(id));
  };

  const referenceTo = (value: object | string): LargeReference | undefined =>
    typeof value === "string" ? recent.referenceTo(value) : known.get(value);

  /** What another tree stored goes with that one: here it is stored anew. */
  const referenceWithin = (root: string, value: object | string): LargeReference | undefined => {
    const reference = referenceTo(value);
    return reference?.id.startsWith(largeValuePrefix(root)) ? reference : undefined;
  };

  return {
    encoder: (root) =>
      new LargeValueEncoder({
        root,
        referenceTo: (value) => referenceWithin(root, value),
        has: (id) => recent.has(id),
      }),
    isKnown: (value) =>
      (typeof value === "string" || (typeof value === "object" && value !== null)) && referenceTo(value) !== undefined,
    confirm: (encoder) => {
      for (const [value, reference] of encoder.taken) remember(value, reference);
    },
    restore,
  };
}
