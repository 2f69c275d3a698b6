import { describe, expect, it } from "vitest";
import { createRefreshingCache } from "../../../src/platform-management/user-management/refreshing-cache.ts";
import { createManualClock } from "../../support/manual-clock.ts";

function cacheOver(values: Record<string, string>, capacity = 10) {
  const clock = createManualClock(0);
  const loads: { key: string; previous: string | undefined }[] = [];
  const load = async (key: string, previous: string | undefined) => {
    loads.push({ key, previous });
    return values[key];
  };
  return { clock, loads, cache: createRefreshingCache<string>({ clock, freshMs: 1000, capacity, load }) };
}

describe("refreshing cache", () => {
  it("loads once while fresh, and shares a load under way", async () => {
    const { cache, loads, clock } = cacheOver({ a: "1" });
    expect(cache.peek("a")).toBeUndefined();
    expect(await Promise.all([cache.get("a"), cache.get("a")])).toEqual(["1", "1"]);
    await clock.advance(999);
    expect(cache.peek("a")).toBe("1");
    expect(loads).toHaveLength(1);
    await clock.advance(1);
    expect(cache.peek("a")).toBeUndefined();
    await cache.get("a");
    expect(loads).toEqual([
      { key: "a", previous: undefined },
      { key: "a", previous: "1" },
    ]);
  });

  it("reads again after an invalidation, even one during a load", async () => {
    const values: Record<string, string> = { a: "old" };
    const { cache, loads } = cacheOver(values);
    const loading = cache.get("a");
    values["a"] = "new";
    cache.invalidate("a");
    expect(await loading).toBe("old");
    expect(cache.peek("a")).toBeUndefined();
    expect(await cache.get("a")).toBe("new");
    cache.invalidateAll();
    await cache.get("a");
    expect(loads).toHaveLength(3);
  });

  it("keeps nothing absent and nothing failed", async () => {
    const { cache, loads } = cacheOver({});
    await cache.get("a");
    await cache.get("a");
    expect(loads).toHaveLength(2);
    let fails = true;
    const load = async () => {
      if (fails) throw new Error("no store");
      return "1";
    };
    const failing = createRefreshingCache<string>({ clock: createManualClock(0), freshMs: 1000, capacity: 1, load });
    await expect(failing.get("a")).rejects.toThrow("no store");
    fails = false;
    expect(await failing.get("a")).toBe("1");
  });

  it("forgets the key loaded longest ago when full", async () => {
    const { cache, loads } = cacheOver({ a: "1", b: "2", c: "3" }, 2);
    for (const key of ["a", "b", "c"]) await cache.get(key);
    expect(cache.peek("a")).toBeUndefined();
    expect(cache.peek("b")).toBe("2");
    expect(loads).toHaveLength(3);
  });
});
