import type { Store } from "../store.ts";
import type { PartRow, StorePart } from "./store-part.ts";

const itemsPerPage = 500;

/** Work for later: timers, retries, calls under way. To write an item again changes nothing. */
export const workPart: StorePart = {
  name: "work items",
  rows: readItems,
  lastKey: async () => undefined,
  isEmpty: async (store) => (await store.workItems("", 1)).length === 0,
  rest: async () => [],
};

async function* readItems(store: Store): AsyncGenerator<PartRow> {
  let after = "";
  for (;;) {
    const page = await store.workItems(after, itemsPerPage);
    for (const item of page) {
      const content = JSON.stringify([item.kind, item.payload, item.runAt, item.attempts ?? 0]);
      const write = { kind: "enqueue", item } as const;
      yield { key: item.id, content, size: 1, writes: [{ write, characters: content.length }] };
    }
    if (page.length < itemsPerPage) return;
    after = page.at(-1)?.id ?? after;
  }
}
