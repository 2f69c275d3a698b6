import type { Clock } from "../../core/clock.ts";

/** Values held for a short time. Concurrent reads of one key share one load. */
export interface RefreshingCache<Value> {
  /** The value if it is fresh: costs no promise. */
  peek(key: string): Value | undefined;
  /** The fresh value, loaded when needed. Absent values are not kept. */
  get(key: string): Promise<Value | undefined>;
  /** The next read loads again; a load under way is not kept. */
  invalidate(key: string): void;
  invalidateAll(): void;
}

interface Entry<Value> {
  loading: Promise<Value | undefined>;
  value: Value | undefined;
  previous: Value | undefined;
  freshUntil: number;
}

/** `load` is handed the value held before, fresh or not. */
interface CacheOptions<Value> {
  clock: Clock;
  freshMs: number;
  capacity: number;
  load(key: string, previous: Value | undefined): Promise<Value | undefined>;
}

/** Makes a cache that forgets the key loaded longest ago when it is full. */
export function createRefreshingCache<Value>({
  clock,
  freshMs,
  capacity,
  load,
}: CacheOptions<Value>): RefreshingCache<Value> {
  const entries = new Map<string, Entry<Value>>();

  const freshEntry = (key: string): Entry<Value> | undefined => {
    const entry = entries.get(key);
    return entry && clock.now() < entry.freshUntil ? entry : undefined;
  };
  const settle = async (key: string, entry: Entry<Value>): Promise<Value | undefined> => {
    try {
      entry.value = await entry.loading;
      entry.previous = undefined;
      return entry.value;
    } finally {
      if (entry.value === undefined && entries.get(key) === entry) entries.delete(key);
    }
  };
  const begin = (key: string): Promise<Value | undefined> => {
    const held = entries.get(key);
    const previous = held?.value ?? held?.previous;
    const entry = { loading: load(key, previous), value: undefined, previous, freshUntil: clock.now() + freshMs };
    entries.delete(key);
    entries.set(key, entry);
    const oldest = entries.size > capacity ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    entry.loading = settle(key, entry);
    return entry.loading;
  };
  const expire = (entry: Entry<Value>): void => {
    entry.freshUntil = Number.NEGATIVE_INFINITY;
  };

  return {
    peek: (key) => freshEntry(key)?.value,
    get: (key) => freshEntry(key)?.loading ?? begin(key),
    invalidate(key) {
      const entry = entries.get(key);
      if (entry) expire(entry);
    },
    invalidateAll: () => entries.forEach(expire),
  };
}
