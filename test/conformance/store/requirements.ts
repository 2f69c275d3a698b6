import { describe, expect, it } from "vitest";
import { VersionConflictError, type StoreChange, type Write } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const put = (id: string): Write => ({ kind: "put", collection: "accounts", document: { _id: id, username: id } });
const require = (id: string, version: number): Write => ({ kind: "require", collection: "accounts", id, version });

export function describeRequirements(store: CurrentStore): void {
  const versions = (...ids: string[]) => Promise.all(ids.map((id) => store().version("accounts", id)));

  describe("require", () => {
    it("writes nothing unless the document has the version that was read", async () => {
      await store().commit([put("anna")]);
      await store().commit([put("anna")]);
      for (const version of [0, 1, 3]) {
        const commit = store().commit([put("ben"), require("anna", version), put("carl")]);
        await expect(commit).rejects.toThrow(VersionConflictError);
      }
      await expect(store().commit([put("ben"), require("nobody", 1)])).rejects.toThrow(VersionConflictError);
      expect(await versions("ben", "carl")).toEqual([undefined, undefined]);
      await store().commit([put("ben"), require("anna", 2), put("carl")]);
      expect(await versions("anna", "ben", "carl")).toEqual([2, 1, 1]);
    });

    it("sees the commits of one moment in their order, and refuses only those it belongs to", async () => {
      await store().commit([put("anna")]);
      const ids = Array.from({ length: 40 }, (_, index) => `b${index}`);
      const outcomes = await Promise.allSettled(
        ids.map((id, index) => store().commit(index === 20 ? [put(id), put("anna")] : [require("anna", 1), put(id)])),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(ids.map((_, at) => (at <= 20 ? "fulfilled" : "rejected")));
      expect(await versions("anna", ...ids)).toEqual([2, ...ids.map((_, index) => (index <= 20 ? 1 : undefined))]);
    });

    it("sees what its own commit wrote before", async () => {
      await store().commit([put("anna"), require("anna", 1), put("anna"), require("anna", 2)]);
      expect(await versions("anna")).toEqual([2]);
      await expect(store().commit([put("anna"), require("anna", 2)])).rejects.toThrow(VersionConflictError);
    });

    it("is not told to watchers", async () => {
      await store().commit([put("anna")]);
      const told: StoreChange[] = [];
      const stop = store().watch((changes) => told.push(...changes));
      await store().commit([require("anna", 1), put("ben")]);
      stop();
      expect(told).toEqual([{ collection: "accounts", id: "ben" }]);
    });

    it("of an unknown collection is a mistake", async () => {
      const write: Write = { kind: "require", collection: "nothing", id: "a", version: 1 };
      await expect(store().commit([write])).rejects.toThrow("there is no collection nothing");
    });
  });
}
