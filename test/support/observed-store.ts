import { fewTurns } from "./manual-clock.ts";

/** Stores whose calls a manual clock can wait for. */
export interface StoreObserver {
  /** The same store, or the part of it that is used; calls on it are waited for. */
  observe<Part extends object>(store: Part): Part;
  /** Resolves when no call is under way and none follows from the last answer: `settle` of a manual clock. */
  settle(): Promise<void>;
}

/** For tests that hold time in their hand while the store answers in real time. */
export function createStoreObserver(): StoreObserver {
  const underWay = new Set<Promise<unknown>>();
  const follow = (answer: unknown): unknown => {
    if (!(answer instanceof Promise)) return answer;
    underWay.add(answer);
    const forget = (): void => void underWay.delete(answer);
    answer.then(forget, forget);
    return answer;
  };
  return {
    observe: (store) =>
      new Proxy(store, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function") return member;
          return (...args: unknown[]): unknown => follow(Reflect.apply(member, target, args));
        },
      }),
    async settle() {
      await fewTurns();
      while (underWay.size > 0) {
        await Promise.allSettled(underWay);
        await fewTurns();
      }
    },
  };
}
