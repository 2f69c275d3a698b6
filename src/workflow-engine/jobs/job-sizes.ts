import type { JobOrigin } from "../interpreter/job-state.ts";
import type { LargeReference } from "./large-parts.ts";

/** How large the jobs in memory are, judged by what was written of them. A job is known by its origin, which all its states share. */
export interface JobSizes {
  /** An event was added. */
  grow(origin: JobOrigin, text: string, large: readonly LargeReference[]): void;
  /** A snapshot says what the whole state takes. */
  reset(origin: JobOrigin, text: string, large: readonly LargeReference[]): void;
  /** May its state hold large values? */
  holdsLarge(origin: JobOrigin): boolean;
  /** About how much memory its state takes. */
  bytesOf(origin: JobOrigin): number;
}

interface Size {
  characters: number;
  /** Large values, each counted once however often it occurs. */
  large: Map<string, number>;
}

const emptyJobBytes = 2_000;
// Text of one byte per character becomes objects of about twice its size.
const bytesPerCharacter = 2;

export function createJobSizes(): JobSizes {
  const sizes = new WeakMap<JobOrigin, Size>();

  const grow: JobSizes["grow"] = (origin, text, large) => {
    let size = sizes.get(origin);
    if (!size) {
      size = { characters: 0, large: new Map() };
      sizes.set(origin, size);
    }
    size.characters += text.length;
    for (const reference of large) size.large.set(reference.id, reference.size);
  };

  return {
    grow,
    reset(origin, text, large) {
      sizes.delete(origin);
      grow(origin, text, large);
    },
    holdsLarge: (origin) => (sizes.get(origin)?.large.size ?? 0) > 0,
    bytesOf(origin) {
      const size = sizes.get(origin);
      let characters = size?.characters ?? 0;
      for (const large of size?.large.values() ?? []) characters += large;
      return emptyJobBytes + bytesPerCharacter * characters;
    },
  };
}
