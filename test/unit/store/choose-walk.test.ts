import { describe, expect, it } from "vitest";
import { collectionIndexes } from "../../../src/store/indexes.ts";
import { parseFindOptions } from "../../../src/store/query/find-options.ts";
import { parseQuery, type Query } from "../../../src/store/query.ts";
import { chooseCounting, chooseWay, isReadLast, type Matching } from "../../../src/store/sqlite/choose-walk.ts";
import type { FindOptions } from "../../../src/store/store.ts";

const newest = { sort: { "metrics.start_time": -1 }, limit: 25 } as const;
const byId = { limit: 25 } as const;

function matchingOf(narrowest: string | undefined, together: number, fewest = together): Matching {
  return { all: 1_000_000, together, fewest, narrowest };
}

function wayIn(collection: string, query: Query, options: FindOptions, matching: Matching) {
  return chooseWay(collectionIndexes[collection] ?? [], parseQuery(query), parseFindOptions(options), matching);
}

describe("a page of jobs on SQLite", () => {
  const way = (query: Query, options: FindOptions, matching: Matching) => wayIn("jobs", query, options, matching);
  const inError = { status: "error" };

  it("is read from the index of its filter where that has the order as well, however many match", () => {
    for (const together of [100, 40_000, 900_000])
      expect(way(inError, byId, matchingOf("status", together))).toEqual({ by: "status", isLate: false });
  });

  it("is gathered by the narrowest field, its documents last, where its index knows what is asked for", () => {
    expect(way(inError, newest, matchingOf("status", 20_000))).toEqual({ by: "status", isLate: true });
    const byText = { sort: { description: 1 }, limit: 25 } as const;
    expect(way(inError, byText, matchingOf("status", 100))).toEqual({ by: "status", isLate: false });
  });

  it("is gathered by a narrow field, not read in order from the index of a wide one", () => {
    const query = { status: "complete", participants: { $in: ["a", "b"] } };
    expect(way(query, byId, matchingOf("participants", 3))).toEqual({ by: "participants", isLate: true });
  });

  it("is read in order from the index of a wide field where the narrow one has too many as well", () => {
    const query = { status: "complete", name: { $in: ["a", "b"] } };
    expect(way(query, byId, matchingOf("name", 200_000))).toEqual({ by: "status", isLate: false });
  });

  it("is read along the order among many matches", () => {
    for (const together of [20_001, 900_000])
      expect(way(inError, newest, matchingOf("status", together))).toEqual({ by: "metrics.start_time", isLate: false });
    const several = { name: { $in: ["a", "b", "c"] } };
    expect(way(several, byId, matchingOf("name", 200_000))).toEqual({ by: "_id", isLate: false });
    expect(way(several, byId, matchingOf("name", 20_000))).toEqual({ by: "name", isLate: true });
  });

  it("has its documents read last when it begins far on", () => {
    const deep = { limit: 25, skip: 100_000 } as const;
    expect(way(inError, deep, matchingOf("status", 900_000))).toEqual({ by: "status", isLate: true });
    expect(way(inError, { ...newest, ...deep }, matchingOf("status", 900_000))).toEqual({
      by: "metrics.start_time",
      isLate: true,
    });
  });

  it("is gathered where everything is asked for, or no index has the order", () => {
    expect(way(inError, { sort: { _id: 1 } }, matchingOf("status", 500))).toEqual({ by: "status", isLate: false });
    const byText = { sort: { description: 1 }, limit: 25 } as const;
    expect(way(inError, byText, matchingOf("status", 40_000))).toEqual({ isLate: false });
  });

  it("is not taken for known to an index by a condition that only the document can answer", () => {
    const query = { status: "error", name: { $exists: true } };
    expect(way(query, newest, matchingOf("status", 100))).toEqual({ by: "status", isLate: false });
  });
});

describe("a page of what is not counted on SQLite", () => {
  const isLast = (collection: string, query: Query, options: FindOptions) =>
    isReadLast(collectionIndexes[collection] ?? [], parseQuery(query), parseFindOptions(options));

  it("has its documents read last when it begins far on", () => {
    expect([1_000, 1_001].map((skip) => isLast("jobs", {}, { skip, limit: 25 }))).toEqual([false, true]);
    expect(isLast("jobs", {}, { skip: 5_000 })).toBe(false);
  });

  it("has its documents read last when an index finds them in another order", () => {
    const byJob = { sort: { "job._id": 1 }, limit: 25 } as const;
    expect(isLast("tasks", { name: "ViewData" }, byJob)).toBe(true);
    expect(isLast("tasks", { name: "ViewData" }, { limit: 25 })).toBe(false);
    expect(isLast("tasks", { name: "ViewData", summary: "x" }, byJob)).toBe(false);
    expect(isLast("tasks", { summary: "x" }, byJob)).toBe(false);
  });
});

describe("a page of tasks on SQLite", () => {
  it("is found by going through an index that knows what is asked for, where none begins with it", () => {
    const matching = { ...matchingOf(undefined, 3, 50_000), all: 50_000 };
    const query = { status: "paused", type: "manual" };
    expect(wayIn("tasks", query, byId, matching)).toEqual({ by: undefined, isLate: true });
  });
});

describe("counting jobs on SQLite", () => {
  const counting = (query: Query, matching: Matching) =>
    chooseCounting(collectionIndexes["jobs"] ?? [], parseQuery(query), matching);
  const window = { "metrics.start_time": { $gte: 1, $lt: 2 } };

  it("goes through the window of time where many match the rest", () => {
    const query = { status: "error", ...window };
    expect(counting(query, matchingOf("status", 900_000))).toBe("by range");
    expect(counting(query, matchingOf("status", 20_000))).toEqual({ by: "status", isLate: false });
    expect(counting({ status: "error" }, matchingOf("status", 900_000))).toEqual({ isLate: false });
  });

  it("takes the narrowest field where that is quick", () => {
    const query = { status: "error", description: "x" };
    expect(counting(query, matchingOf("status", 1_000))).toEqual({ by: "status", isLate: false });
    expect(counting(query, matchingOf("status", 1_001))).toEqual({ isLate: false });
  });
});
