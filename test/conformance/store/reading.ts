import { describe, expect, it } from "vitest";
import type { CurrentStore } from "./store-suite.ts";

export function describeReading(store: CurrentStore): void {
  describe("reading one document", () => {
    it("gives undefined for what does not exist", async () => {
      expect(await store().read("accounts", "none")).toBeUndefined();
      expect(await store().readBy("accounts", "username", "none")).toBeUndefined();
      expect(await store().version("accounts", "none")).toBeUndefined();
    });

    it("finds by a unique field", async () => {
      await store().commit([
        { kind: "insert", collection: "accounts", document: { _id: "1", username: "anna" } },
        { kind: "insert", collection: "accounts", document: { _id: "2", username: "ben" } },
      ]);
      expect(await store().readBy("accounts", "username", "ben")).toEqual({
        document: { _id: "2", username: "ben" },
        version: 1,
      });
    });

    it("refuses a field that is not unique, and a collection that is not listed", async () => {
      await expect(store().readBy("templates", "name", "x")).rejects.toThrow("no unique field name");
      await expect(store().readBy("accounts", "email", "x")).rejects.toThrow("no unique field email");
      await expect(store().read("nowhere", "x")).rejects.toThrow("no collection nowhere");
    });

    it("sees what was committed just before, each time", async () => {
      for (let round = 1; round <= 100; round++) {
        await store().commit([{ kind: "put", collection: "jobs", document: { _id: "j", round } }]);
        expect(await store().read("jobs", "j")).toEqual({ document: { _id: "j", round }, version: round });
      }
    });

    it("hands out documents that are the caller's own", async () => {
      await store().commit([{ kind: "put", collection: "jobs", document: { _id: "j", list: [1] } }]);
      const first = await store().read<{ list: number[] }>("jobs", "j");
      first?.document.list.push(2);
      expect((await store().read("jobs", "j"))?.document).toEqual({ _id: "j", list: [1] });
    });
  });
}
