import type { JsonObject } from "../../core/json.ts";
import type { Store } from "../store.ts";
import type { PartRow, StorePart } from "./store-part.ts";

type StoredDocument = JsonObject & { _id: string };

/** Few: nothing is known of their sizes yet. */
const firstPage = 4;
const largestPage = 1_000;
/** A page holds about so many characters, so that pages of large documents have fewer of them. */
const charactersPerPage = 2_000_000;

/** The documents of a collection, but those that `isLeft` names. */
export function collectionPart(collection: string, isLeft: (id: string) => boolean): StorePart {
  return {
    name: collection,
    rows: (store) => readDocuments(store, collection, isLeft),
    async lastKey(store) {
      const [last] = await store.find<{ _id: string }>(
        collection,
        {},
        { sort: { _id: -1 }, limit: 1, fields: { _id: 1 } },
      );
      return last?._id;
    },
    isEmpty: async (store) => (await store.find(collection, {}, { limit: 1 })).length === 0,
    rest: async () => [],
  };
}

async function* readDocuments(
  store: Store,
  collection: string,
  isLeft: (id: string) => boolean,
): AsyncGenerator<PartRow> {
  let after: string | undefined;
  let limit = firstPage;
  for (;;) {
    const query = after === undefined ? {} : { _id: { $gt: after } };
    const documents = await store.find<StoredDocument>(collection, query, { sort: { _id: 1 }, limit });
    let characters = 0;
    for (const document of documents) {
      const content = JSON.stringify(document);
      characters += content.length;
      // Kept, not put: what is there already stays as it is.
      const write = { kind: "keep", collection, document } as const;
      if (!isLeft(document._id))
        yield { key: document._id, content, size: 1, writes: [{ write, characters: content.length }] };
    }
    if (documents.length < limit) return;
    after = documents.at(-1)?._id;
    limit = nextPage(limit, characters);
  }
}

/** At most twice the page before, so that a few large documents after many small ones do not surprise. */
function nextPage(limit: number, characters: number): number {
  const fitting = Math.floor((charactersPerPage * limit) / Math.max(1, characters));
  return Math.max(1, Math.min(fitting, limit * 2, largestPage));
}
