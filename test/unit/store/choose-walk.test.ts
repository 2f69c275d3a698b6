import { describe, expect, it } from "vitest";
import { collectionIndexes } from "../../../src/store/indexes.ts";
import { parseFindOptions } from "../../../src/store/query/find-options.ts";
import { parseQuery } from "../../../src/store/query.ts";
import { gatheringField, isRangeCounted, isWalked } from "../../../src/store/sqlite/choose-walk.ts";

const jobs = collectionIndexes["jobs"] ?? [];
const newest = { sort: { "metrics.start_time": -1 }, limit: 25 } as const;
const of = (together: number, fewest = together) => ({ all: 1_000_000, together, fewest });

describe("a page of jobs on SQLite", () => {
  const status = parseQuery({ status: "error" });
  const walks = (matching: ReturnType<typeof of>, options: Parameters<typeof parseFindOptions>[0] = newest) =>
    isWalked(jobs, status, parseFindOptions(options), matching);

  it("is gathered from few matches, and read along the order among many", () => {
    expect([walks(of(100)), walks(of(40_000)), walks(of(900_000))]).toEqual([false, true, true]);
  });

  it("is gathered where everything is asked for, or no index has the order", () => {
    expect(walks(of(40_000), { sort: { "metrics.start_time": -1 } })).toBe(false);
    expect(walks(of(40_000), { sort: { description: 1 }, limit: 25 })).toBe(false);
  });

  it("is read from the index of its filter where that has the order as well", () => {
    expect(walks(of(900_000), { sort: { _id: 1 }, limit: 25 })).toBe(false);
  });

  it("is gathered by the field that leaves the fewest, where that is quick", () => {
    const field = (fewest: number) => gatheringField({ fewest, narrowest: "metrics.owner" });
    expect([field(0), field(5_000), field(5_001)]).toEqual(["metrics.owner", "metrics.owner", undefined]);
  });

  it("is counted by the window of time where many match the rest", () => {
    const window = parseQuery({ status: "error", "metrics.start_time": { $gte: 1, $lt: 2 } });
    expect(isRangeCounted(jobs, window, of(40_000))).toBe(true);
    expect(isRangeCounted(jobs, window, of(100))).toBe(false);
    expect(isRangeCounted(jobs, status, of(40_000))).toBe(false);
  });
});
