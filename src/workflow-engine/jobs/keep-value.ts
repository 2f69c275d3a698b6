import { JsonSyntax, JsonSyntaxError } from "../../core/json-syntax.ts";
import { largestParsed } from "../../core/result-size.ts";
import { TaskError } from "../../core/task.ts";
import type { Store } from "../../store/store.ts";
import { storedValueOf, TextWriter } from "./stored-texts.ts";
import { evenPieces } from "./text-pieces.ts";

/** For whom a value is kept, and how far. */
export interface ValueKeeping {
  store: Store;
  /** The root job of the tree that it belongs to. */
  root: string;
  /** Characters that a text may have, at most. */
  mostCharacters: number;
  /** Writes a document unless it is there; durable when resolved. */
  keep(document: object): Promise<void>;
  /** Is it still asked for? What is written after the tree of jobs was deleted would stay for ever. */
  isWanted(): Promise<boolean>;
}

/**
 * Takes a text that is one JSON value (UTF-8) as it comes, one piece at a time, so that the source waits for the store.
 * What is short enough is parsed and answered as it is; anything else goes to the store and is answered by its handle
 * (StoredValue), without ever being in memory. TaskError when the text is no JSON value or too long, or nobody waits
 * for it any more; then nothing can be found of it. What the source throws is thrown.
 */
export async function keepValue(source: AsyncIterable<Uint8Array | string>, keeping: ValueKeeping): Promise<unknown> {
  const syntax = new JsonSyntax();
  const writer = new TextWriter(keeping.root, (document) => keeping.keep(document));
  let waiting: string[] = [];
  let size = 0;
  const write = async (text: string): Promise<void> => {
    if (!(await keeping.isWanted())) throw new TaskError("Nobody waits for the value any more");
    await writer.write(text);
  };
  for await (const text of evenPieces(source)) {
    size += text.length;
    if (size > keeping.mostCharacters) throw tooLong(keeping.mostCharacters);
    checked(() => syntax.write(text));
    waiting.push(text);
    if (size <= largestParsed) continue;
    for (const piece of waiting) await write(piece);
    waiting = [];
  }
  checked(() => syntax.end());
  if (size <= largestParsed) return JSON.parse(waiting.join("")) as unknown;
  return storedValueOf(keeping.store, await writer.finish());
}

function checked(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new TaskError(error.message) : error;
  }
}

function tooLong(most: number): TaskError {
  return new TaskError(
    `The value takes more than ${most} characters as JSON, the most that is kept (LINEWRIGHT_LARGEST_VALUE_MIB)`,
  );
}
