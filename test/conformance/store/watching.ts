import { describe, expect, it } from "vitest";
import type { StoreChange, Write } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const put = (id: string): Write => ({ kind: "put", collection: "jobs", document: { _id: id } });

export function describeWatching(store: CurrentStore): void {
  describe("watching", () => {
    it("tells what a commit changed, once it can be read", async () => {
      const seen: Promise<[StoreChange, boolean]>[] = [];
      store().watch((changes) => {
        for (const change of changes) {
          seen.push(
            store()
              .read(change.collection, change.id)
              .then((found) => [change, found !== undefined]),
          );
        }
      });
      await store().commit([put("1"), { kind: "insert", collection: "accounts", document: { _id: "2" } }]);
      expect(await Promise.all(seen)).toEqual([
        [{ collection: "jobs", id: "1" }, true],
        [{ collection: "accounts", id: "2" }, true],
      ]);
    });

    it("says nothing of what was not written", async () => {
      await store().commit([put("1")]);
      const seen: StoreChange[] = [];
      store().watch((changes) => seen.push(...changes));
      await expect(
        store().commit([put("2"), { kind: "insert", collection: "jobs", document: { _id: "1" } }]),
      ).rejects.toThrow();
      await store().commit([{ kind: "keep", collection: "jobs", document: { _id: "1" } }]);
      await store().commit([{ kind: "remove", collection: "jobs", id: "nothing" }]);
      await store().commit([{ kind: "appendEvent", jobId: "1", seq: 1, at: 0, delta: "{}" }]);
      expect(seen).toEqual([]);
      await store().commit([{ kind: "remove", collection: "jobs", id: "1" }]);
      expect(seen).toEqual([{ collection: "jobs", id: "1" }]);
    });

    it("ends when it is told to", async () => {
      const seen: StoreChange[] = [];
      const end = store().watch((changes) => seen.push(...changes));
      end();
      await store().commit([put("1")]);
      expect(seen).toEqual([]);
    });
  });
}
