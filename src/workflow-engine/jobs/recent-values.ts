import type { LargeReference } from "./large-parts.ts";

/** The large values that were stored or read last, so that they are neither stored nor read again. */
export interface RecentValues {
  has(id: string): boolean;
  get(id: string): unknown;
  put(value: unknown, reference: LargeReference): void;
  /** Texts have no identity: a text is found by what it is. */
  referenceTo(text: string): LargeReference | undefined;
}

interface Entry {
  value: unknown;
  reference: LargeReference;
}

/** Holds values of at most `mostCharacters` together; the one put first goes first. */
export function createRecentValues(mostCharacters: number): RecentValues {
  const entries = new Map<string, Entry>();
  const texts = new Map<string, LargeReference>();
  let characters = 0;

  const drop = (id: string): void => {
    const entry = entries.get(id);
    if (!entry) return;
    entries.delete(id);
    if (typeof entry.value === "string") texts.delete(entry.value);
    characters -= entry.reference.size;
  };

  return {
    has: (id) => entries.has(id),
    get: (id) => entries.get(id)?.value,
    put(value, reference) {
      drop(reference.id);
      entries.set(reference.id, { value, reference });
      if (typeof value === "string") texts.set(value, reference);
      characters += reference.size;
      for (const id of entries.keys()) {
        if (characters <= mostCharacters) return;
        drop(id);
      }
    },
    referenceTo: (text) => texts.get(text),
  };
}
