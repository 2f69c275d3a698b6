import { beforeEach, describe, expect, it } from "vitest";
import { PlatformError } from "../../../src/core/errors.ts";
import type { Query } from "../../../src/store/query.ts";
import type { CurrentStore } from "./store-suite.ts";

const jobs = [
  {
    _id: "1",
    name: "upgrade",
    status: "running",
    metrics: { start_time: 300, user: "anna" },
    groups: ["core", "edge"],
  },
  { _id: "2", name: "Backup", status: "complete", metrics: { start_time: 100, user: "ben" }, groups: [] },
  {
    _id: "3",
    name: "backup",
    status: "complete",
    metrics: { start_time: 200 },
    groups: ["core"],
    parent: { job: "1" },
  },
  {
    _id: "4",
    name: "audit",
    status: "error",
    description: "a.b",
    error: [
      { task: "a", code: 5 },
      { task: "b", code: 9 },
    ],
  },
  {
    _id: "5",
    name: "größe 😀",
    status: "paused",
    metrics: { start_time: null, user: null },
    isDone: false,
    matrix: [[1, 2], [3]],
  },
];

export function describeFinding(store: CurrentStore): void {
  describe("finding documents", () => {
    beforeEach(() => store().commit(jobs.map((document) => ({ kind: "put", collection: "jobs", document }))));

    const ids = async (query: Query): Promise<string[]> =>
      (await store().find<{ _id: string }>("jobs", query)).map(({ _id }) => _id);

    it.each<[Query, string]>([
      [{}, "12345"],
      [{ status: "complete" }, "23"],
      [{ status: { $eq: "complete" }, name: "backup" }, "3"],
      [{ status: { $ne: "complete" } }, "145"],
      [{ status: { $in: ["error", "paused"] } }, "45"],
      [{ status: { $in: [] } }, ""],
      [{ status: { $nin: ["error", "paused"] } }, "123"],
      [{ "metrics.start_time": { $gt: 100 } }, "13"],
      [{ "metrics.start_time": { $gte: 100, $lt: 300 } }, "23"],
      [{ "metrics.start_time": { $lte: 100 } }, "2"],
      [{ "metrics.start_time": null }, "45"],
      [{ name: { $gte: "b", $lt: "c" } }, "3"],
      [{ "metrics.user": "anna" }, "1"],
      [{ "metrics.user": null }, "345"],
      [{ "metrics.user": { $exists: false } }, "34"],
      [{ "metrics.user": { $exists: true } }, "125"],
      [{ isDone: false }, "5"],
      [{ isDone: { $lt: true } }, "5"],
      [{ isDone: { $type: "bool" } }, "5"],
      [{ status: 1 }, ""],
      [{ groups: "core" }, "13"],
      [{ groups: ["core"] }, "3"],
      [{ groups: [] }, "2"],
      [{ groups: { $size: 2 } }, "1"],
      [{ groups: { $all: ["edge", "core"] } }, "1"],
      [{ groups: { $type: "array" } }, "123"],
      [{ "groups.1": "edge" }, "1"],
      [{ "error.task": "b" }, "4"],
      [{ "error.0.task": "b" }, ""],
      [{ "error.1.task": "b" }, "4"],
      [{ "error.0": null }, "1235"],
      [{ "error.7": { $exists: false } }, "12345"],
      [{ error: { $elemMatch: { task: "a", code: { $gt: 6 } } } }, ""],
      [{ error: { $elemMatch: { task: "b", code: { $gt: 6 } } } }, "4"],
      [{ metrics: { $memberMatch: { $gt: 150 } } }, "13"],
      [{ metrics: { $memberMatch: { $eq: null } } }, "5"],
      [{ metrics: { $not: { $memberMatch: { $type: "string" } } } }, "345"],
      [{ error: { $memberMatch: { task: "b" } } }, ""],
      [{ error: { $elemMatch: { $memberMatch: { $gt: 6 } } } }, "4"],
      [{ "error.code": { $gt: 5, $lt: 9 } }, "4"],
      [{ "error.code": { $not: { $gt: 5 } } }, "1235"],
      [{ error: { task: "a", code: 5 } }, "4"],
      [{ error: { code: 5, task: "a" } }, ""],
      [{ matrix: { $elemMatch: { $elemMatch: { $eq: 3 } } } }, "5"],
      [{ matrix: [3] }, "5"],
      [{ matrix: 3 }, ""],
      [{ name: { $regex: "^back" } }, "3"],
      [{ name: { $regex: "^back", $options: "i" } }, "23"],
      [{ name: { $not: { $regex: "a" } } }, "5"],
      [{ description: { $regex: "a.b" } }, "4"],
      [{ name: { $in: ["größe 😀"] } }, "5"],
      [{ $or: [{ status: "running" }, { name: "audit" }] }, "14"],
      [{ $and: [{ groups: "core" }, { groups: "edge" }] }, "1"],
      [{ $nor: [{ status: "running" }, { status: "complete" }] }, "45"],
      [{ "parent.job": "1" }, "3"],
      [{ _id: { $in: ["2", "4", "9"] } }, "24"],
      [{ _id: { $gt: "3" } }, "45"],
      [{ description: undefined }, "12345"],
    ])("%j", async (query, expected) => {
      expect((await ids(query)).join("")).toBe(expected);
      expect(await store().count("jobs", query)).toBe(expected.length);
    });

    it("sorts null first, then by type and value, with _id as the last word", async () => {
      const order = async (sort: Record<string, 1 | -1>) =>
        (await store().find<{ _id: string }>("jobs", {}, { sort })).map(({ _id }) => _id).join("");
      expect(await order({ "metrics.start_time": 1 })).toBe("45231");
      expect(await order({ "metrics.start_time": -1 })).toBe("13254");
      expect(await order({ status: 1, name: -1 })).toBe("32451");
      expect(await order({ "metrics.user": 1 })).toBe("34512");
      expect(await order({ _id: -1 })).toBe("54321");
    });

    it("pages", async () => {
      const page = async (skip: number, limit: number) =>
        (await store().find<{ _id: string }>("jobs", {}, { sort: { _id: 1 }, skip, limit }))
          .map(({ _id }) => _id)
          .join("");
      expect(await page(0, 2)).toBe("12");
      expect(await page(3, 10)).toBe("45");
      expect(await page(5, 10)).toBe("");
      expect(await page(0, 0)).toBe("");
      expect((await store().find("jobs", {}, { skip: 4 })).map(({ _id }) => _id)).toEqual(["5"]);
    });

    it("keeps or leaves out fields", async () => {
      const first = async (fields: Record<string, 0 | 1>) => (await store().find("jobs", { _id: "4" }, { fields }))[0];
      expect(await first({ name: 1, "error.task": 1 })).toEqual({
        _id: "4",
        name: "audit",
        error: [{ task: "a" }, { task: "b" }],
      });
      expect(await first({ name: 1, _id: 0 })).toEqual({ name: "audit" });
      expect(await first({ _id: 1 })).toEqual({ _id: "4" });
      expect(await first({ error: 0, name: 0, _id: 0 })).toEqual({ status: "error", description: "a.b" });
      expect(await first({ "error.code": 0, description: 0 })).toEqual({
        _id: "4",
        name: "audit",
        status: "error",
        error: [{ task: "a" }, { task: "b" }],
      });
      expect(await first({})).toEqual(jobs[3]);
    });

    it.each<Query>([{ $where: "1" }, { name: { $function: "x" } }, { name: { $regex: "(" } }, { "a..b": 1 }])(
      "refuses %j",
      async (query) => {
        await expect(store().find("jobs", query)).rejects.toMatchObject({ name: "PlatformError", code: "BAD_REQUEST" });
        await expect(store().count("jobs", query)).rejects.toThrow(PlatformError);
      },
    );

    it("refuses odd options", async () => {
      const find = (options: object) => store().find("jobs", {}, options);
      await expect(find({ limit: -1 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
      await expect(find({ skip: 1.5 })).rejects.toMatchObject({ code: "BAD_REQUEST" });
      await expect(find({ sort: { name: "desc" } })).rejects.toMatchObject({ code: "BAD_REQUEST" });
      await expect(find({ fields: { name: 1, status: 0 } })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    });
  });
}
