import type { Store } from "../../src/store/store.ts";

/** The store as nodes see one that others write to as well, and what was asked of it. */
export interface SharedStore {
  store: Store;
  /** How often each method was called. */
  calls: Partial<Record<keyof Store, number>>;
  /** Job and `afterSeq` of every log that was read. */
  logsRead: [jobId: string, afterSeq: number][];
}

/** Says of a store that it is shared, and notes its calls. `parts` take the place of its own members. */
export function asShared(store: Store, parts: Partial<Store> = {}): SharedStore {
  const calls: SharedStore["calls"] = {};
  const logsRead: SharedStore["logsRead"] = [];
  const members: Partial<Store> = { isShared: true, ...parts };
  const shared = new Proxy(store, {
    get(target, name: keyof Store) {
      const member: unknown = members[name] ?? Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...parameters: unknown[]): unknown => {
        calls[name] = (calls[name] ?? 0) + 1;
        if (name === "readLog") logsRead.push([String(parameters[0]), Number(parameters[1] ?? 0)]);
        return Reflect.apply(member, target, parameters);
      };
    },
  });
  return { store: shared, calls, logsRead };
}
