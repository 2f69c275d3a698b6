import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { PlatformError } from "../../../src/core/errors.ts";
import type { Condition } from "../../../src/store/query/condition.ts";
import { queryLimits } from "../../../src/store/query/parse-place.ts";
import { parseQuery, type Query } from "../../../src/store/query.ts";

function refusal(query: Query): PlatformError {
  try {
    parseQuery(query);
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(query)} was accepted`);
}

const nested = (levels: number): Query => (levels === 0 ? { a: 1 } : { $and: [nested(levels - 1)] });

describe("parseQuery", () => {
  it.each<[Query, string, string]>([
    [{ $where: "this.a" }, "/$where", 'unknown operator "$where"'],
    [{ $expr: {} }, "/$expr", 'unknown operator "$expr"'],
    [{ a: { $function: "x" } }, "/a/$function", 'unknown operator "$function"'],
    [{ a: { constructor: 1, $gt: 1 } }, "/a/constructor", 'mixes operators with the member "constructor"'],
    [{ a: { $gt: 1, b: 2 } }, "/a/b", 'mixes operators with the member "b"'],
    [{ a: { $toString: 1 } }, "/a/$toString", 'unknown operator "$toString"'],
    [{ $and: [] }, "/$and", "filled array"],
    [{ $or: { a: 1 } }, "/$or", "filled array"],
    [{ $nor: [{ a: 1 }, 5] }, "/$nor/1", "needs an object"],
    [{ $or: [{ "b/c~": { $gt: null } }] }, "/$or/0/b~1c~0/$gt", "can compare only"],
    [{ a: { $lt: [1] } }, "/a/$lt", "can compare only"],
    [{ a: { $in: "x" } }, "/a/$in", "needs an array"],
    [{ a: { $in: [{ $gt: 1 }] } }, "/a/$in/0", "operators inside a list"],
    [{ a: { $exists: "yes" } }, "/a/$exists", "true or false"],
    [{ a: { $type: "regex" } }, "/a/$type", "unknown $type"],
    [{ a: { $type: [] } }, "/a/$type", "at least one type"],
    [{ a: { $type: ["toString"] } }, "/a/$type", "unknown $type"],
    [{ a: { $size: -1 } }, "/a/$size", "whole number"],
    [{ a: { $size: 1.5 } }, "/a/$size", "whole number"],
    [{ a: { $all: 1 } }, "/a/$all", "needs an array"],
    [{ a: { $all: [{ $gt: 1 }] } }, "/a/$all/0", "only values and $elemMatch"],
    [{ a: { $elemMatch: 1 } }, "/a/$elemMatch", "needs an object"],
    [{ a: { $elemMatch: { $where: 1 } } }, "/a/$elemMatch/$where", "unknown operator"],
    [{ a: { $not: 1 } }, "/a/$not", "object of operators"],
    [{ a: { $not: {} } }, "/a/$not", "object of operators"],
    [{ a: { $regex: 1 } }, "/a/$regex", "needs a string"],
    [{ a: { $regex: "(" } }, "/a/$regex", "not a regular expression"],
    [{ a: { $regex: "x", $options: "g" } }, "/a/$regex", "only the letters i, m and s"],
    [{ a: { $options: "i" } }, "/a/$options", "without $regex"],
    [{ "": 1 }, "/", "empty segment"],
    [{ "a..b": 1 }, "/a..b", "empty segment"],
    [{ "a.": 1 }, "/a.", "empty segment"],
    [{ "a.$b": 1 }, "/a.$b", 'begins with "$"'],
    [{ "a\ud800": 1 }, "/a\ud800", "well-formed"],
    [{ a: "\udc00" }, "/a", "well-formed"],
  ])("refuses %j and names the place", (query, path, problem) => {
    const error = refusal(query);
    expect(error.code).toBe("BAD_REQUEST");
    expect(error.details).toHaveLength(1);
    expect(error.details[0]?.path).toBe(path);
    expect(error.message).toContain(problem);
  });

  it.each([null, [], "x", 1])("refuses %j as a query", (query: Json) => {
    expect(() => parseQuery(query as Query)).toThrow("is not an object");
  });

  it.each<[string, Query, Query]>([
    ["depth", nested(queryLimits.depth / 2 - 1), nested(queryLimits.depth / 2)],
    ["conditions", { $or: manyOf(queryLimits.conditions / 2) }, { $or: manyOf(queryLimits.conditions / 2 + 1) }],
    ["values", { a: { $in: numbers(queryLimits.listValues) } }, { a: { $in: numbers(queryLimits.listValues + 1) } }],
    ["segments", { [segments(queryLimits.pathSegments)]: 1 }, { [segments(queryLimits.pathSegments + 1)]: 1 }],
    ["array indexes", { "a.0.1.2.3": 1 }, { "a.0.1.2.3.4": 1 }],
    ["length of a path", { [letters(queryLimits.pathLength)]: 1 }, { [letters(queryLimits.pathLength + 1)]: 1 }],
    [
      "length of a $regex",
      { a: { $regex: letters(queryLimits.regexLength) } },
      { a: { $regex: letters(queryLimits.regexLength + 1) } },
    ],
  ])("limits the %s", (_name, allowed, tooMuch) => {
    expect(() => parseQuery(allowed)).not.toThrow();
    expect(refusal(tooMuch).code).toBe("BAD_REQUEST");
  });

  it("reads an object without operators as a value, also when operators lie deeper", () => {
    expect(parseQuery({ a: { b: { $gt: 1 } } })).toEqual({
      kind: "field",
      path: ["a"],
      test: { test: "oneOf", values: [{ b: { $gt: 1 } }] },
    });
  });

  it("freezes every node", () => {
    const visit = (condition: Condition): void => {
      expect(Object.isFrozen(condition)).toBe(true);
      if (condition.kind === "not") visit(condition.condition);
      else if (condition.kind === "field") {
        expect(Object.isFrozen(condition.path) && Object.isFrozen(condition.test)).toBe(true);
        if (condition.test.test === "element" || condition.test.test === "member") visit(condition.test.condition);
      } else condition.conditions.forEach(visit);
    };
    visit(
      parseQuery({
        $or: [{ a: 1 }, { b: { $not: { $elemMatch: { c: { $regex: "x" } } } } }],
        d: { $all: [1, 2] },
        e: { $memberMatch: { f: 1 } },
      }),
    );
  });
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function manyOf(count: number): Json[] {
  return numbers(count).map((a) => ({ a }));
}

function segments(count: number): string {
  return Array.from({ length: count }, () => "a").join(".");
}

function letters(count: number): string {
  return "x".repeat(count);
}
