import { describe, expect, it } from "vitest";
import { expandArrays, substitute, variableNames } from "../../../src/command-templates/substitution.ts";

describe("variables of command templates", () => {
  it("finds names in the order of first appearance", () => {
    expect(variableNames("show <!b!> <! a !> <!b!> < !c!>")).toEqual(["b", "a"]);
  });

  it("puts scalars in as text; empty text, 0 and false are values", () => {
    expect(substitute("<!a!>|<!b!>|<!c!>", { a: "", b: 0, c: false })).toEqual({
      text: "|0|false",
      used: { a: "", b: 0, c: false },
      missing: [],
    });
  });

  it.each([[undefined], [null], [{ x: 1 }], [[{ x: 1 }]], [[]], [[["nested"]]]])("takes %j as missing", (value) => {
    expect(substitute("show <!a!>", { a: value }).missing).toEqual(["a"]);
  });

  it("does not reach into prototypes and leaves values with markers alone", () => {
    expect(substitute("<!constructor!> <!__proto__!>", {}).missing).toEqual(["constructor", "__proto__"]);
    expect(substitute("<!a!>", { a: "<!b!> $& $1", b: "no" }).text).toBe("<!b!> $& $1");
  });

  it("takes arrays element by element, in all combinations, the first varying slowest", () => {
    const expanded = expandArrays("ping <!host!> size <!size!>", { host: ["a", "b"], size: [1, 2], other: ["x"] });
    expect(expanded?.map(({ host, size }) => `${String(host)}${String(size)}`)).toEqual(["a1", "a2", "b1", "b2"]);
    expect(expanded?.[0]?.["other"]).toEqual(["x"]);
  });

  it("refuses to multiply without end", () => {
    const many = Array.from({ length: 101 }, (_, index) => index);
    expect(expandArrays("<!a!><!b!>", { a: many, b: many })).toBeUndefined();
  });
});
