import { describe, expect, it } from "vitest";
import { nearNames } from "../../../src/core/near-names.ts";

const known = ["arrayConcat", "arrayLength", "stringConcat", "stringLength", "push", "pop", "query"];

describe("near names", () => {
  it.each([
    ["arrayLenght", ["arrayLength"]],
    ["ARRAYLENGTH", ["arrayLength"]],
    ["concat", ["arrayConcat", "stringConcat"]],
    ["psh", ["push"]],
    ["querry", ["query"]],
    ["po", ["pop"]],
    ["zzzz", []],
    ["", []],
  ])("of %j are %j", (name, near) => expect(nearNames(name, known)).toEqual(near));

  it("are so many at most, the nearest first", () => {
    expect(nearNames("stringlengt", known, 1)).toEqual(["stringLength"]);
    expect(nearNames("a".repeat(100_000), known)).toEqual([]);
  });
});
