import { describe, expect, it } from "vitest";
import type { WorkItem, Write } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const item = (id: string, runAt: number): WorkItem => ({ id, kind: "timer", payload: { z: 1, a: [id] }, runAt });
const enqueue = (id: string, runAt: number): Write => ({ kind: "enqueue", item: item(id, runAt) });

export function describeWorkItems(store: CurrentStore): void {
  const all = () => store().workItems("", 100);
  describe("work items", () => {
    it("gives what is due, earliest first, up to a limit, and to one claimant only", async () => {
      await store().commit([enqueue("c", 300), enqueue("a", 100), enqueue("b", 200), enqueue("d", 301)]);
      expect(await store().claimWork(99, 900, 10)).toEqual([]);
      expect(await store().claimWork(300, 900, 2)).toEqual([item("a", 100), item("b", 200)]);
      expect(await store().claimWork(300, 900, 10)).toEqual([item("c", 300)]);
      expect(await store().claimWork(300, 900, 10)).toEqual([]);
      expect(await all()).toEqual([item("a", 900), item("b", 900), item("c", 900), item("d", 301)]);
    });

    it("gives each item to one of many claimants at the same time", async () => {
      const ids = Array.from({ length: 60 }, (_, index) => `i${String(index).padStart(2, "0")}`);
      await store().commit(ids.map((id) => enqueue(id, 100)));
      const claims = await Promise.all(Array.from({ length: 12 }, () => store().claimWork(100, 900, 10)));
      const claimed = claims.flat().map(({ id }) => id);
      expect(new Set(claimed).size).toBe(claimed.length);
      const rest = await store().claimWork(100, 900, 60);
      expect([...claimed, ...rest.map(({ id }) => id)].sort()).toEqual(ids);
    });

    it("lists all items page by page", async () => {
      await store().commit([enqueue("c", 300), enqueue("a", 900), enqueue("b", 200)]);
      expect(await store().workItems("", 2)).toEqual([item("a", 900), item("b", 200)]);
      expect(await store().workItems("b", 2)).toEqual([item("c", 300)]);
    });

    it("tells when the earliest is due", async () => {
      expect(await store().nextWorkAt()).toBeUndefined();
      await store().commit([enqueue("b", 200), enqueue("a", 100)]);
      expect(await store().nextWorkAt()).toBe(100);
    });

    it("replaces an item with the same id", async () => {
      await store().commit([enqueue("a", 100)]);
      await store().commit([{ kind: "enqueue", item: { id: "a", kind: "retry", payload: {}, runAt: 50 } }]);
      expect(await all()).toEqual([{ id: "a", kind: "retry", payload: {}, runAt: 50 }]);
    });

    it("completes", async () => {
      await store().commit([enqueue("a", 100), enqueue("b", 200)]);
      await store().commit([
        { kind: "complete", itemId: "a" },
        { kind: "complete", itemId: "unknown" },
      ]);
      expect(await all()).toEqual([item("b", 200)]);
    });

    it("postpones with or without the number of failed attempts", async () => {
      await store().commit([enqueue("a", 100)]);
      await store().commit([{ kind: "postpone", itemId: "a", runAt: 500, attempts: 2 }]);
      expect(await all()).toEqual([{ ...item("a", 500), attempts: 2 }]);
      await store().commit([{ kind: "postpone", itemId: "a", runAt: 700 }]);
      expect(await all()).toEqual([{ ...item("a", 700), attempts: 2 }]);
    });

    it("postpones from a time only what is due at just that time", async () => {
      await store().commit([enqueue("a", 100), enqueue("b", 200)]);
      await store().commit([
        { kind: "postpone", itemId: "a", runAt: 500, attempts: 3, from: 99 },
        { kind: "postpone", itemId: "b", runAt: 600, from: 200 },
        { kind: "postpone", itemId: "unknown", runAt: 600, from: 200 },
      ]);
      expect(await all()).toEqual([item("a", 100), item("b", 600)]);
    });

    it("postpones from whichever of several times an item has, once", async () => {
      await store().commit([enqueue("a", 100), enqueue("b", 200)]);
      await store().commit([
        { kind: "postpone", itemId: "a", runAt: 500, from: 100 },
        { kind: "postpone", itemId: "b", runAt: 500, from: 100 },
        { kind: "postpone", itemId: "a", runAt: 500, from: 200 },
        { kind: "postpone", itemId: "b", runAt: 500, from: 200 },
      ]);
      expect(await all()).toEqual([item("a", 500), item("b", 500)]);
    });

    it("leaves an item with whoever claimed it since", async () => {
      await store().commit([enqueue("a", 100)]);
      const [claimed] = await store().claimWork(100, 900, 1);
      await store().commit([{ kind: "postpone", itemId: "a", runAt: 700, attempts: 1, from: claimed?.runAt ?? 0 }]);
      expect(await all()).toEqual([item("a", 900)]);
    });

    it("passes over kinds that are not wanted, when it gives and when it tells what is next", async () => {
      await store().commit([
        { kind: "enqueue", item: { ...item("a", 100), kind: "call" } },
        enqueue("b", 200),
        { kind: "enqueue", item: { ...item("c", 50), kind: "start" } },
        enqueue("d", 400),
      ]);
      expect(await store().nextWorkAt(["start"])).toBe(100);
      expect(await store().nextWorkAt(["start", "call"])).toBe(200);
      expect(await store().nextWorkAt(["start", "call", "timer"])).toBeUndefined();
      expect(await store().claimWork(300, 900, 10, ["call", "start"])).toEqual([item("b", 200)]);
      expect((await store().claimWork(300, 900, 10, [])).map(({ id }) => id)).toEqual(["c", "a"]);
    });

    it("does not bring a completed item back by postponing it", async () => {
      await store().commit([enqueue("a", 100)]);
      await store().commit([{ kind: "complete", itemId: "a" }]);
      await store().commit([{ kind: "postpone", itemId: "a", runAt: 500 }]);
      expect(await store().nextWorkAt()).toBeUndefined();
    });
  });
}
