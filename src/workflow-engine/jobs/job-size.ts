import type { JobState } from "../interpreter/job-state.ts";
import type { LargeReference } from "./large-parts.ts";

const emptyJobBytes = 2_000;
// Text of one byte per character becomes objects of about twice its size.
const bytesPerCharacter = 2;

/** How large a job is, judged by what was written of it. One for all states of the job; grows with them. */
export class JobSize {
  #characters = 0;
  /** Large values by identifier, each counted once however often it occurs. */
  #large: Map<string, number> | undefined;

  /** An event was added. */
  grow(text: string, large: readonly LargeReference[]): void {
    this.#characters += text.length;
    if (large.length === 0) return;
    this.#large ??= new Map();
    for (const { id, size } of large) this.#large.set(id, size);
  }

  /** A snapshot says what the whole state takes. Large values it no longer holds stay counted: its commit may yet fail. */
  reset(text: string, large: readonly LargeReference[]): void {
    this.#characters = 0;
    this.grow(text, large);
  }

  /** May a state of the job hold large values? */
  get holdsLarge(): boolean {
    return this.#large !== undefined;
  }

  /** About how much memory the state takes. */
  get bytes(): number {
    let characters = this.#characters;
    for (const size of this.#large?.values() ?? []) characters += size;
    return emptyJobBytes + bytesPerCharacter * characters;
  }
}

/** A job as a node knows it. */
export interface KnownJob {
  state: JobState;
  size: JobSize;
}
