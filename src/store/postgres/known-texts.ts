import { addedText } from "../commits/additions.ts";
import type { EncodedAddition } from "../commits/encode-writes.ts";
import { rowOf } from "./fold-writes.ts";

/** An addition worked out here: the document gets `text` if it still is `from`. */
export interface Exchange {
  kind: "exchange";
  collection: string;
  id: string;
  from: string;
  text: string;
}

/** Characters of a text that is remembered at most, and how many texts are. */
export const longestKnown = 65_536;
const mostKnown = 256;

/**
 * The texts of the documents that this connection added to last. A node adds to a document of its own thousands
 * of times, and the server takes a third of a millisecond to add to the figures of ten tasks: where the text is
 * known, the sum is made here and takes its place, provided that nobody else has added meanwhile.
 */
export class KnownTexts {
  readonly #texts = new Map<string, string>();

  /** The addition as an exchange, where the document's text is known. */
  exchangeOf(addition: EncodedAddition): Exchange | undefined {
    const from = this.#texts.get(rowOf(addition));
    if (from === undefined) return undefined;
    const { collection, id } = addition;
    return { kind: "exchange", collection, id, from, text: addedText(from, addition.text) };
  }

  /** The document has this text now. */
  learn(document: { collection: string; id: string; text: string }): void {
    const row = `${document.collection} ${document.id}`;
    this.#texts.delete(row);
    if (document.text.length > longestKnown) return;
    this.#texts.set(row, document.text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > mostKnown && oldest !== undefined) this.#texts.delete(oldest);
  }

  /** Something else was there: nothing is known any more. */
  forget(): void {
    this.#texts.clear();
  }
}
