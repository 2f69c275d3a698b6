import type { JobState } from "../interpreter/job-state.ts";
import { isStoredText, type LargeReference } from "./large-parts.ts";

const emptyJobBytes = 2_000;
// Text of one byte per character becomes objects of about twice its size.
const bytesPerCharacter = 2;

const eventsPerSnapshot = 200;
const charactersPerSnapshot = 4_000_000;

/** How large a job is, judged by what was written of it. One for all states of the job; grows with them. */
export class JobSize {
  /** Of the newest snapshot. */
  #snapshot = 0;
  /** Of the events after it. */
  #after = 0;
  #events = 0;
  /** Large values by identifier, each counted once however often it occurs; of one kept in the store there is only a handle. */
  #large: Map<string, number> | undefined;

  /** An event was added. */
  grow(text: string, large: readonly LargeReference[]): void {
    this.#after += text.length;
    this.#events += 1;
    this.#note(large);
  }

  /** A snapshot says what the whole state takes. Large values it no longer holds stay counted: its commit may yet fail. */
  reset(text: string, large: readonly LargeReference[]): void {
    this.#snapshot = text.length;
    this.#after = 0;
    this.#events = 0;
    this.#note(large);
  }

  #note(large: readonly LargeReference[]): void {
    if (large.length === 0) return;
    this.#large ??= new Map();
    for (const { id, size } of large) this.#large.set(id, isStoredText(id) ? 0 : size);
  }

  /**
   * Is a snapshot due? After many events, or long ones, so that few are replayed; but not before the events are as
   * long as the last snapshot, so that all snapshots of a job with a large state take no more room than its events.
   */
  get isSnapshotDue(): boolean {
    const isMuch = this.#events >= eventsPerSnapshot || this.#after >= charactersPerSnapshot;
    return isMuch && this.#after >= this.#snapshot;
  }

  /** May a state of the job hold large values? */
  get holdsLarge(): boolean {
    return this.#large !== undefined;
  }

  /** About how much memory the state takes. */
  get bytes(): number {
    let characters = this.#snapshot + this.#after;
    for (const size of this.#large?.values() ?? []) characters += size;
    return emptyJobBytes + bytesPerCharacter * characters;
  }
}

/** A job as a node knows it. */
export interface KnownJob {
  state: JobState;
  size: JobSize;
}
