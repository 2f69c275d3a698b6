import { addMembers } from "../../core/add-members.ts";
import type { JsonObject } from "../../core/json.ts";
import type { EncodedAddition } from "./encode-writes.ts";

/** Additions to documents that wait to be written: those to one document as one. */
export class Additions {
  readonly #rows = new Map<string, Map<string, Sum>>();

  /** Adds to what waits for the same document. */
  add(addition: EncodedAddition): void {
    let rows = this.#rows.get(addition.collection);
    if (!rows) this.#rows.set(addition.collection, (rows = new Map<string, Sum>()));
    const earlier = rows.get(addition.id);
    if (earlier) earlier.add(addition.text);
    else rows.set(addition.id, new Sum(addition.text));
  }

  /** Does anything wait for this document? */
  has(collection: string, id: string): boolean {
    return this.#rows.get(collection)?.has(id) ?? false;
  }

  /** What waits, one addition for each document; nothing waits afterwards. */
  take(): EncodedAddition[] {
    const taken: EncodedAddition[] = [];
    for (const [collection, rows] of this.#rows) {
      for (const [id, sum] of rows) taken.push({ kind: "add", collection, id, text: sum.text() });
    }
    this.drop();
    return taken;
  }

  /** Forgets what waits. */
  drop(): void {
    this.#rows.clear();
  }
}

/**
 * A sum of texts. They are read only when there is something to add, and equal ones in a row once: jobs of one
 * workflow often add the same.
 */
class Sum {
  readonly #first: string;
  #document: JsonObject | undefined;
  #last = "";
  #times = 0;

  constructor(text: string) {
    this.#first = text;
  }

  add(text: string): void {
    if (text !== this.#last) this.#addLast();
    this.#last = text;
    this.#times += 1;
  }

  text(): string {
    this.#addLast();
    return this.#document ? JSON.stringify(this.#document) : this.#first;
  }

  #addLast(): void {
    if (this.#times === 0) return;
    this.#document ??= JSON.parse(this.#first) as JsonObject;
    // What is new there is set the first time and added to from then on.
    addMembers(this.#document, JSON.parse(this.#last) as JsonObject);
    if (this.#times > 1) addMembers(this.#document, JSON.parse(this.#last) as JsonObject, this.#times - 1);
    this.#times = 0;
  }
}

/** The text of a document after an addition, both as text. */
export function addedText(document: string, addition: string): string {
  const sum = new Sum(document);
  sum.add(addition);
  return sum.text();
}
