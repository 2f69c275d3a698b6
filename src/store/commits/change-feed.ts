import type { StoreChange } from "../store.ts";

type ChangeListener = (changes: readonly StoreChange[]) => void;

/** Tells listeners of committed changes. A listener that throws is a mistake of the program: it surfaces as an uncaught error and disturbs no other. */
export class ChangeFeed {
  readonly #listeners = new Set<ChangeListener>();

  watch(listener: ChangeListener): () => void {
    // The same function may watch twice.
    const entry: ChangeListener = (changes) => listener(changes);
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  notify(changes: readonly StoreChange[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
