import { describe, expect, it } from "vitest";
import type { WorkItem, Write } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const item = (id: string, runAt: number): WorkItem => ({ id, kind: "timer", payload: { z: 1, a: [id] }, runAt });
const enqueue = (id: string, runAt: number): Write => ({ kind: "enqueue", item: item(id, runAt) });

export function describeWorkItems(store: CurrentStore): void {
  describe("work items", () => {
    it("gives what is due, earliest first, up to a limit", async () => {
      await store().commit([enqueue("c", 300), enqueue("a", 100), enqueue("b", 200), enqueue("d", 301)]);
      expect(await store().dueWork(300, 10)).toEqual([item("a", 100), item("b", 200), item("c", 300)]);
      expect(await store().dueWork(300, 2)).toEqual([item("a", 100), item("b", 200)]);
      expect(await store().dueWork(99, 10)).toEqual([]);
    });

    it("tells when the earliest is due", async () => {
      expect(await store().nextWorkAt()).toBeUndefined();
      await store().commit([enqueue("b", 200), enqueue("a", 100)]);
      expect(await store().nextWorkAt()).toBe(100);
    });

    it("replaces an item with the same id", async () => {
      await store().commit([enqueue("a", 100)]);
      await store().commit([{ kind: "enqueue", item: { id: "a", kind: "retry", payload: {}, runAt: 50 } }]);
      expect(await store().dueWork(1000, 10)).toEqual([{ id: "a", kind: "retry", payload: {}, runAt: 50 }]);
    });

    it("completes", async () => {
      await store().commit([enqueue("a", 100), enqueue("b", 200)]);
      await store().commit([
        { kind: "complete", itemId: "a" },
        { kind: "complete", itemId: "unknown" },
      ]);
      expect(await store().dueWork(1000, 10)).toEqual([item("b", 200)]);
    });

    it("postpones with or without the number of failed attempts", async () => {
      await store().commit([enqueue("a", 100)]);
      await store().commit([{ kind: "postpone", itemId: "a", runAt: 500, attempts: 2 }]);
      expect(await store().dueWork(1000, 10)).toEqual([{ ...item("a", 500), attempts: 2 }]);
      await store().commit([{ kind: "postpone", itemId: "a", runAt: 700 }]);
      expect(await store().dueWork(1000, 10)).toEqual([{ ...item("a", 700), attempts: 2 }]);
    });

    it("does not bring a completed item back by postponing it", async () => {
      await store().commit([enqueue("a", 100)]);
      await store().commit([{ kind: "complete", itemId: "a" }]);
      await store().commit([{ kind: "postpone", itemId: "a", runAt: 500 }]);
      expect(await store().nextWorkAt()).toBeUndefined();
    });
  });
}
