import type { Write } from "../../store/store.ts";
import type { Change, Delta } from "../interpreter/changes.ts";
import type { JobState } from "../interpreter/job-state.ts";
import type { JobSize } from "./job-size.ts";
import { largestInline, largeValueCollection, rootOf } from "./large-parts.ts";
import type { EncodedDocument, LargeValueEncoder } from "./large-value-encoder.ts";
import type { LargeValues } from "./large-values.ts";
import { documentOfState, textOf } from "./log-format.ts";
import { shortening, type Shorten } from "./shortened-values.ts";

/** Where a value kept in the store was written as its marker: looked for in text, which costs next to nothing. */
const nameInMarkers = '"large_data"';

/** What one commit adds to the log of a job. */
export class LogCommit {
  readonly #largeValues: LargeValues;
  readonly #size: JobSize;
  /** Root of the job's tree, known with the first state. */
  #root = "";
  /** There is one once a large value was met. */
  #encoder: LargeValueEncoder | undefined;

  constructor(largeValues: LargeValues, size: JobSize) {
    this.#largeValues = largeValues;
    this.#size = size;
  }

  /** The event that led to the state, and a snapshot when one is due. */
  writesOf(state: JobState, delta: Delta): Write[] {
    this.#root = rootOf(state.origin);
    const writes = [this.#event(state, delta)];
    if (this.#size.isSnapshotDue) writes.push(this.#snapshot(state));
    return writes;
  }

  /** How read models show the values of the state written last; undefined: as they are, for none is large. */
  get shorten(): Shorten | undefined {
    return this.#size.holdsLarge ? shortening(this.#openEncoder()) : undefined;
  }

  /** The large values of everything encoded so far. */
  largeValueWrites(): Write[] {
    const documents = this.#encoder?.documents ?? [];
    return documents.map((document) => ({ kind: "keep", collection: largeValueCollection, document }));
  }

  /** The commit has succeeded: what it stored need not be stored again. */
  confirm(): void {
    if (this.#encoder) this.#largeValues.confirm(this.#encoder);
  }

  #event(state: JobState, delta: Delta): Write {
    const { origin, seq, changedAt } = state;
    const hasKnown = this.#size.holdsLarge || delta.changes.some((change) => this.#bringsKnown(change));
    const { text, parts } = this.#encode(delta, hasKnown);
    this.#size.grow(text, parts);
    return { kind: "appendEvent", jobId: origin._id, seq, at: changedAt, delta: text };
  }

  #snapshot(state: JobState): Write {
    const { origin, seq } = state;
    const { text, parts } = this.#encode(documentOfState(state), this.#size.holdsLarge);
    this.#size.reset(text, parts);
    return { kind: "putSnapshot", jobId: origin._id, seq, state: text };
  }

  /** Large values are looked for only where there may be one: the usual document costs nothing but its text. */
  #encode(document: object, hasKnown: boolean): EncodedDocument {
    const text = hasKnown ? undefined : JSON.stringify(document);
    if (text !== undefined && text.length <= largestInline && !text.includes(nameInMarkers)) return { text, parts: [] };
    const encoded = this.#openEncoder().encodeDocument(document);
    return { text: textOf(encoded), parts: encoded.parts };
  }

  #openEncoder(): LargeValueEncoder {
    this.#encoder ??= this.#largeValues.encoder(this.#root);
    return this.#encoder;
  }

  /** Does a value come from another job that is known to be large? */
  #bringsKnown(change: Change): boolean {
    if (change.change !== "created" && change.change !== "childEnded") return false;
    const variables = change.change === "created" ? change.origin.variables : change.variables;
    return Object.values(variables ?? {}).some((value) => this.#largeValues.isKnown(value));
  }
}
