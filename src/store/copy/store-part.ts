import type { Store } from "../store.ts";
import type { SizedWrite } from "./batch-writer.ts";

/** One row of a part: a document, the log of a job, or a work item. */
export interface PartRow {
  key: string;
  /** Everything that must be the same on both sides, as text. */
  content: string;
  /** Rows of the database it consists of: 1, or the events of a log. */
  size: number;
  writes: readonly SizedWrite[];
}

/** A part of a store that can be listed in order of its keys and written row by row. */
export interface StorePart {
  name: string;
  /** All rows, in order of their keys. */
  rows(store: Store): AsyncIterable<PartRow>;
  /** The key up to which a copy that was broken off had come; undefined: begin at the first. */
  lastKey(store: Store): Promise<string | undefined>;
  isEmpty(store: Store): Promise<boolean>;
  /** What is left to write of the row that a broken copy wrote last. */
  rest(target: Store, row: PartRow): Promise<readonly SizedWrite[]>;
}
