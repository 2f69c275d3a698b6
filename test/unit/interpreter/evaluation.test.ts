import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { evaluate, evaluateGroups } from "../../../src/workflow-engine/interpreter/evaluation.ts";

const loose = { isStrict: false };
const strict = { isStrict: true };

/** Which of the six comparisons hold. */
function comparisons(left: unknown, right: unknown, mode = loose): string {
  const operators = ["==", "!=", "<", "<=", ">", ">="];
  return operators.filter((operator) => evaluate({ operand_1: left, operator, operand_2: right }, mode)).join(" ");
}

describe("an evaluation", () => {
  const equal = "== <= >=";
  const less = "!= < <=";
  const greater = "!= > >=";

  it.each<[left: unknown, right: unknown, holding: string]>([
    [1, 1, equal],
    [1, 2, less],
    [2, 1, greater],
    ["500", 500, equal],
    ["500", "500.0", equal],
    [500, "500", equal],
    ["9", "10", less],
    [9, "10", less],
    ["abc", "abd", less],
    ["up", "up", equal],
    ["up", "UP", greater],
    ["2024-02-01", "2024-01-31", greater],
    ["1.2.3", "1.2.3", equal],
    ["007", "7", less],
    ["", "", equal],
    ["", 0, "!="],
    [0, "", "!="],
    ["abc", 5, "!="],
    [5, "abc", "!="],
    [true, "true", equal],
    ["true", true, equal],
    ["true", "yes", "!="],
    [true, false, greater],
    [null, null, "=="],
    [undefined, null, "=="],
    ["null", null, "=="],
    [null, "null", "=="],
    [null, 0, "!="],
    [0, null, "!="],
    [null, "", "!="],
    [Number.NaN, Number.NaN, "!="],
    [1, Number.NaN, "!="],
    [[], 1, "!= < <="],
    [[{}], 1, "!= <= >="],
    [[1, 2], [1, 2], equal],
    [[1, 2], "[1,2]", "=="],
    ['{"a":1}', { a: 1 }, "=="],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, "=="],
    [{ a: 1 }, { a: 2 }, "!="],
    [{ a: 1 }, [1], "!="],
    [{}, null, "!="],
    [[1, 2, 3], 2, "!= > >="],
    ["{broken", "{broken", equal],
  ])("of %j with %j holds for: %s", (left, right, holding) => {
    expect(comparisons(left, right)).toBe(holding);
  });

  it.each<[left: unknown, right: unknown, holding: string]>([
    ["500", 500, "!="],
    ["9", "10", greater],
    [true, "true", "!="],
    [1, 1, equal],
    ["null", null, "!="],
    [[1], [1], equal],
    [[1], ["1"], "!= <= >="],
    [[], 1, "!= < <="],
  ])("converts nothing with strict types: %j with %j holds for: %s", (left, right, holding) => {
    expect(comparisons(left, right, strict)).toBe(holding);
  });

  it.each<[left: unknown, right: unknown, isContained: boolean]>([
    ["interface is up", "is up$", true],
    ["interface is up", "down|up", true],
    ["interface is up", "^up", false],
    ["12345", 234, true],
    [12345, "^12", true],
    ["a C++ program", "C++", true],
    ["a C program", "C++", false],
    ["['x']", "(", false],
    [["a", "b"], "b", true],
    [["a", "b"], "c", false],
    [[1, 2], "2", true],
    [[{ id: 1 }], { id: 1 }, true],
    [[], null, false],
    [{ id: null }, "id", true],
    [{ id: 1 }, "name", false],
    [{}, "toString", false],
    [{ 5: 1 }, 5, true],
    [null, "x", false],
    [true, "true", false],
  ])("%j contains %j: %s", (left, right, isContained) => {
    expect(evaluate({ operand_1: left, operator: "contains", operand_2: right }, loose)).toBe(isContained);
    expect(evaluate({ operand_1: left, operator: "!contains", operand_2: right }, loose)).toBe(!isContained);
  });

  it("looks for members of a list without conversion where types are strict", () => {
    expect(evaluate({ operand_1: [1, 2], operator: "contains", operand_2: "2" }, strict)).toBe(false);
    expect(evaluate({ operand_1: 12, operator: "contains", operand_2: "1" }, strict)).toBe(false);
  });

  it.each(["===", "", "equals", "CONTAINS", undefined, null, 5])(
    "with the unknown operator %j is false",
    (operator) => {
      expect(evaluate({ operand_1: 1, operator, operand_2: 1 }, loose)).toBe(false);
    },
  );

  it("applies a query to each operand first", () => {
    const job = { loop: [{ status: "FAILED" }, { status: "OK" }], limit: { max: 1 } };
    const evaluation = { operand_1: job, query: "loop[*status=FAILED]", operand_2: job, rightQuery: "limit.max" };
    expect(evaluate({ ...evaluation, operator: "<=" }, loose)).toBe(true);
    expect(evaluate({ ...evaluation, operator: ">" }, loose)).toBe(false);
    expect(evaluate({ operand_1: job, query: "missing", operator: "==", operand_2: null }, loose)).toBe(true);
    expect(evaluate({ operand_1: 5, query: "", operator: "==", operand_2: 5, rightQuery: null }, loose)).toBe(true);
  });

  it("refuses a malformed query, and gives up on a hostile pattern", () => {
    expect(() => evaluate({ operand_1: {}, query: "a[", operator: "==", operand_2: 1 }, loose)).toThrow(TaskError);
    expect(() => evaluate({ operand_1: {}, query: 5, operator: "==", operand_2: 1 }, loose)).toThrow(/must be a text/u);
    const text = `${"a".repeat(80)}!`;
    expect(() => evaluate({ operand_1: text, operator: "contains", operand_2: "^(a+)+$" }, loose)).toThrow(
      /takes too long/u,
    );
  });
});

describe("groups of evaluations", () => {
  const yes = { operand_1: 1, operator: "==", operand_2: 1 };
  const no = { operand_1: 1, operator: "==", operand_2: 2 };
  const group = (all_true_flag: boolean, ...evaluations: object[]) => ({ all_true_flag, evaluations });

  it.each([
    [true, [group(true, yes, yes), group(false, no, yes)], true],
    [true, [group(true, yes, no), group(true, yes)], false],
    [false, [group(true, yes, no), group(true, yes)], true],
    [false, [group(true, yes, no), group(false, no, no)], false],
    [false, [group(false, no, yes)], true],
    [true, [], true],
    [false, [], false],
  ])("with all_true_flag %s", (isAllTrue, groups, expected) => {
    expect(evaluateGroups({ groups, isAllTrue })).toBe(expected);
  });

  it("asks no more than it needs", () => {
    const malformed = { operand_1: {}, query: "a[", operator: "==", operand_2: 1 };
    expect(evaluateGroups({ groups: [group(false, yes, malformed)], isAllTrue: false })).toBe(true);
  });

  it("passes strictness on", () => {
    const groups = [group(true, { operand_1: "1", operator: "==", operand_2: 1 })];
    expect(evaluateGroups({ groups, isAllTrue: true, isStrict: true })).toBe(false);
    expect(evaluateGroups({ groups, isAllTrue: true })).toBe(true);
  });
});
