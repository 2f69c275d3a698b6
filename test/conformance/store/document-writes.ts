import { describe, expect, it } from "vitest";
import { DuplicateKeyError, VersionConflictError } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const anna = { _id: "a1", username: "anna", firstname: "Anna" };
const ben = { _id: "b1", username: "ben" };

export function describeDocumentWrites(store: CurrentStore): void {
  describe("insert", () => {
    it("stores a new document as version 1", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      expect(await store().read("accounts", "a1")).toEqual({ document: anna, version: 1 });
    });

    it("refuses a taken _id", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      const again = store().commit([
        { kind: "insert", collection: "accounts", document: { ...anna, username: "other" } },
      ]);
      await expect(again).rejects.toThrow(DuplicateKeyError);
      await expect(again).rejects.toMatchObject({ collection: "accounts", field: "_id" });
      expect(await store().read("accounts", "a1")).toEqual({ document: anna, version: 1 });
    });

    it("refuses a taken unique field and names it", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      const again = store().commit([
        { kind: "insert", collection: "accounts", document: { _id: "a2", username: "anna" } },
      ]);
      await expect(again).rejects.toThrow(DuplicateKeyError);
      await expect(again).rejects.toMatchObject({ collection: "accounts", field: "username" });
      expect(await store().read("accounts", "a2")).toBeUndefined();
    });

    it("refuses a taken combination of unique fields, and only the combination", async () => {
      const role = (id: string, provenance: string, name: string) =>
        store().commit([{ kind: "insert", collection: "roles", document: { _id: id, provenance, name } }]);
      await role("1", "Jobs", "admin");
      await role("2", "Forms", "admin");
      await role("3", "Jobs", "operator");
      await expect(role("4", "Jobs", "admin")).rejects.toMatchObject({
        name: "DuplicateKeyError",
        field: "provenance, name",
      });
    });

    it("lets unique fields that are null or missing stand side by side", async () => {
      await store().commit([
        { kind: "insert", collection: "accounts", document: { _id: "1" } },
        { kind: "insert", collection: "accounts", document: { _id: "2", username: null } },
        { kind: "insert", collection: "accounts", document: { _id: "3" } },
      ]);
      expect(await store().count("accounts", { username: null })).toBe(3);
    });
  });

  describe("put", () => {
    it("writes a document whether it is new or not, and counts versions", async () => {
      await store().commit([{ kind: "put", collection: "accounts", document: anna }]);
      await store().commit([{ kind: "put", collection: "accounts", document: { ...anna, firstname: "Anne" } }]);
      expect(await store().read("accounts", "a1")).toEqual({ document: { ...anna, firstname: "Anne" }, version: 2 });
    });

    it("refuses a unique field that another document has", async () => {
      await store().commit([
        { kind: "put", collection: "accounts", document: anna },
        { kind: "put", collection: "accounts", document: ben },
      ]);
      const stolen = store().commit([{ kind: "put", collection: "accounts", document: { ...ben, username: "anna" } }]);
      await expect(stolen).rejects.toMatchObject({ name: "DuplicateKeyError", field: "username" });
      expect(await store().read("accounts", "b1")).toEqual({ document: ben, version: 1 });
    });

    it("frees a unique field with the document that had it", async () => {
      await store().commit([{ kind: "put", collection: "accounts", document: anna }]);
      await store().commit([{ kind: "put", collection: "accounts", document: { ...anna, username: "anne" } }]);
      await store().commit([{ kind: "put", collection: "accounts", document: { _id: "a2", username: "anna" } }]);
      expect((await store().readBy("accounts", "username", "anna"))?.document).toMatchObject({ _id: "a2" });
    });
  });

  describe("keep", () => {
    it("writes once and leaves what is there", async () => {
      await store().commit([{ kind: "keep", collection: "workflow_snapshots", document: { _id: "h", first: true } }]);
      await store().commit([{ kind: "keep", collection: "workflow_snapshots", document: { _id: "h", first: false } }]);
      expect(await store().read("workflow_snapshots", "h")).toEqual({
        document: { _id: "h", first: true },
        version: 1,
      });
    });
  });

  describe("replace", () => {
    it("writes over the version that was read", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      const changed = { ...anna, firstname: "Anne" };
      await store().commit([{ kind: "replace", collection: "accounts", document: changed, version: 1 }]);
      expect(await store().read("accounts", "a1")).toEqual({ document: changed, version: 2 });
    });

    it("refuses any other version", async () => {
      await store().commit([{ kind: "put", collection: "accounts", document: anna }]);
      await store().commit([{ kind: "put", collection: "accounts", document: anna }]);
      for (const version of [0, 1, 3]) {
        const late = store().commit([
          { kind: "replace", collection: "accounts", document: { ...anna, firstname: "X" }, version },
        ]);
        await expect(late).rejects.toThrow(VersionConflictError);
      }
      expect(await store().read("accounts", "a1")).toEqual({ document: anna, version: 2 });
    });

    it("refuses a document that is gone", async () => {
      const late = store().commit([{ kind: "replace", collection: "accounts", document: anna, version: 1 }]);
      await expect(late).rejects.toThrow(VersionConflictError);
    });

    it("lets exactly one of many concurrent writers win", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      const writers = Array.from({ length: 50 }, (_, index) =>
        store().commit([{ kind: "replace", collection: "accounts", document: { ...anna, writer: index }, version: 1 }]),
      );
      const results = await Promise.allSettled(writers);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await store().version("accounts", "a1")).toBe(2);
    });
  });

  describe("remove", () => {
    it("removes a document, and nothing where there is none", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      await store().commit([
        { kind: "remove", collection: "accounts", id: "a1" },
        { kind: "remove", collection: "accounts", id: "nobody" },
      ]);
      expect(await store().read("accounts", "a1")).toBeUndefined();
    });

    it("begins again at version 1 when the document returns", async () => {
      await store().commit([{ kind: "put", collection: "accounts", document: anna }]);
      await store().commit([{ kind: "put", collection: "accounts", document: anna }]);
      await store().commit([{ kind: "remove", collection: "accounts", id: "a1" }]);
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      expect(await store().version("accounts", "a1")).toBe(1);
    });
  });

  describe("discard", () => {
    it("removes the version that was read, and no other", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna }]);
      await store().commit([{ kind: "put", collection: "accounts", document: anna }]);
      const discard = (version: number) =>
        store().commit([
          { kind: "put", collection: "accounts", document: ben },
          { kind: "discard", collection: "accounts", id: "a1", version },
        ]);
      for (const version of [0, 1, 3]) await expect(discard(version)).rejects.toThrow(VersionConflictError);
      expect(await store().version("accounts", "b1")).toBeUndefined();
      await discard(2);
      expect([await store().version("accounts", "a1"), await store().version("accounts", "b1")]).toEqual([
        undefined,
        1,
      ]);
      await expect(discard(2)).rejects.toThrow(VersionConflictError);
    });

    it("does not take a later document of the same _id for the one that was read", async () => {
      await store().commit([{ kind: "insert", collection: "accounts", document: anna, version: 2 ** 45 }]);
      expect(await store().read("accounts", "a1")).toEqual({ document: anna, version: 2 ** 45 });
      await store().commit([{ kind: "discard", collection: "accounts", id: "a1", version: 2 ** 45 }]);
      await store().commit([{ kind: "insert", collection: "accounts", document: anna, version: 77 }]);
      const late = { kind: "replace", collection: "accounts", document: ben, version: 2 ** 45 } as const;
      await expect(store().commit([late])).rejects.toThrow(VersionConflictError);
      await store().commit([{ kind: "replace", collection: "accounts", document: anna, version: 77 }]);
      expect(await store().version("accounts", "a1")).toBe(78);
    });
  });

  describe("mistakes of the program", () => {
    it.each([
      [
        "an unknown collection",
        { kind: "put", collection: "nowhere", document: { _id: "1" } },
        "no collection nowhere",
      ],
      ["a document without _id", { kind: "put", collection: "accounts", document: { username: "x" } }, "no text _id"],
      ["an empty _id", { kind: "put", collection: "accounts", document: { _id: "" } }, "no text _id"],
      [
        "an array in an indexed field",
        { kind: "put", collection: "accounts", document: { _id: "1", username: ["x"] } },
        "username",
      ],
      [
        "an array on the way to an indexed field",
        { kind: "put", collection: "tasks", document: { _id: "1", job: [] } },
        "job._id",
      ],
    ] as const)("are refused before anything is written: %s", async (_name, write, message) => {
      const commit = store().commit([{ kind: "put", collection: "accounts", document: ben }, write]);
      await expect(commit).rejects.toThrow(message);
      expect(await store().count("accounts", {})).toBe(0);
    });
  });
}
