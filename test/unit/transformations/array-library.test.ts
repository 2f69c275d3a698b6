import { describe, expect, test } from "vitest";
import { assign, call, callForm, evaluate, fixed, unset, userFunction } from "./document-builder.ts";

const failing =
  (expression: unknown, functions: readonly object[] = []) =>
  () =>
    evaluate(expression, functions);

describe("library Array", () => {
  test.each([
    ["a list is spread, a value appended", call("Array.concat", [1], [2, 3], 4), [1, 2, 3, 4]],
    ["nested lists stay when concatenated", call("Array.concat", [1], [[2]]), [1, [2]]],
    ["at counts from the end", call("Array.at", ["a", "b"], -1), "b"],
    ["copyWithin", call("Array.copyWithin", ["a", "b", "c", "d"], 2, 0, 2), ["a", "b", "a", "b"]],
    ["copyWithin without end", call("Array.copyWithin", [1, 2, 3], 1, unset, unset), [1, 1, 2]],
    ["fill everything when range is not given", call("Array.fill", [1, 2], "x", unset, unset), ["x", "x"]],
    ["fill a range given as text", call("Array.fill", [1, 2, 3], 0, "1", "2"), [1, 0, 3]],
    ["flat by one level", call("Array.flat", [1, [2, [3]]]), [1, 2, [3]]],
    ["flat by two levels", call("Array.flat", [1, [2, [3]]], 2), [1, 2, 3]],
    ["from a list", call("Array.from", [1, 2]), [1, 2]],
    ["from a text", call("Array.from", "añb"), ["a", "ñ", "b"]],
    ["from something with a length", call("Array.from", { length: 2, 0: "x" }), ["x", undefined]],
    ["from an object without length", call("Array.from", { a: 1 }), []],
    ["index as a number", call("Array.getIndex", ["a", "b"], 1), "b"],
    ["index as a text", call("Array.getIndex", ["a", "b"], "1"), "b"],
    ["index out of range", call("Array.getIndex", ["a"], 5), undefined],
    ["a method of lists is no element", call("Array.getIndex", ["a"], "map"), undefined],
    ["includes a value", call("Array.includes", [1, 2], 2), true],
    ["includes does not convert", call("Array.includes", [1, 2], "2"), false],
    [
      "includes finds NaN",
      call("Array.includes", call("Array.concat", [], call("Number.parseInt", "x")), call("Number.parseInt", "x")),
      true,
    ],
    ["includes from a place", call("Array.includes", [1, 2], 1, 1), false],
    ["includes in a text", call("Array.includes", "abc", "b"), true],
    ["no object is the same", call("Array.includes", [{ a: 1 }], { a: 1 }), false],
    ["indexOf", call("Array.indexOf", ["a", "b", "a"], "a", 1), 2],
    ["indexOf what is not there", call("Array.indexOf", ["a"], "x"), -1],
    ["lastIndexOf", call("Array.lastIndexOf", ["a", "b", "a"], "a", unset), 2],
    ["lastIndexOf up to a place", call("Array.lastIndexOf", ["a", "b", "a"], "a", 1), 0],
    ["isArray of a list", call("Array.isArray", []), true],
    ["isArray of an object", call("Array.isArray", { length: 0 }), false],
    ["join with commas", call("Array.join", [1, null, "x"], unset), "1,,x"],
    ["join with the empty text", call("Array.join", [1, 2], ""), "12"],
    [
      "join shows lists and objects as text",
      call("Array.join", [[1, [2]], { a: 1 }, true], " "),
      "1,2 [object Object] true",
    ],
    ["length of a list", call("Array.length", [1, 2]), 2],
    ["length of a text", call("Array.length", "abc"), 3],
    ["length of an object without it", call("Array.length", { a: 1 }), undefined],
    ["of", call("Array.of", 1, "a"), [1, "a"]],
    ["pop answers value and rest", call("Array.pop", [1, 2]), { value: 2, array: [1] }],
    ["pop of nothing", call("Array.pop", []), { value: undefined, array: [] }],
    ["push answers the list, not its length", call("Array.push", [1], [2], 3), [1, [2], 3]],
    ["push of nothing is a copy", call("Array.push", [1], unset), [1]],
    ["reverse", call("Array.reverse", [1, 2, 3]), [3, 2, 1]],
    ["setIndex", call("Array.setIndex", ["a", "b"], "1", "x"), ["a", "x"]],
    ["setIndex with a name changes nothing", call("Array.setIndex", ["a"], "name", "x"), ["a"]],
    ["shift answers value and rest", call("Array.shift", [1, 2]), { value: 1, array: [2] }],
    ["slice from the end", call("Array.slice", [1, 2, 3], -2, unset), [2, 3]],
    ["splice answers rest and removed", call("Array.splice", [9, 8, 7], 1, 1), { array: [9, 7], spliced: [8] }],
    ["splice beyond the end", call("Array.splice", [9], 5, 1), { array: [9], spliced: [] }],
    ["splice puts elements in", call("Array.splice", [1, 4], 1, 0, 2, 3), { array: [1, 2, 3, 4], spliced: [] }],
    ["toString", call("Array.toString", [1, [2, 3]]), "1,2,3"],
    ["unshift", call("Array.unshift", [3], 1, [2]), [1, [2], 3]],
    ["sort by text", call("Array.sort", [10, 9, 1, null], unset), [1, 10, 9, null]],
    ["sort puts undefined last", call("Array.sort", [undefined, "b", "a"]), ["a", "b", undefined]],
    ["new Array of elements", callForm("Array.new Array", 0, 1, [2]), [1, [2]]],
    ["new Array keeps places that are not given", callForm("Array.new Array", 0, 1, unset), [1, undefined]],
    ["new Array of nothing", callForm("Array.new Array", 0, unset), []],
    ["one number is an element", callForm("Array.new Array", 0, 3), [3]],
    ["new Array of a length, filled", call("Array.fill", callForm("Array.new Array", 1, "2"), "x"), ["x", "x"]],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  test.each([
    ["Array.map of a text", call("Array.map", "abc", fixed("double"))],
    ["Array.concat of nothing", call("Array.concat", null, [1])],
    ["Array.join of an object", call("Array.join", { a: 1 })],
    ["Array.getIndex of null", call("Array.getIndex", null, 0)],
    ["a list of a negative length", callForm("Array.new Array", 1, -1)],
    ["a list of a length that is no number", callForm("Array.new Array", 1, "many")],
    ["Array.map without a function", call("Array.map", [1], unset)],
    ["folding nothing without a beginning", call("Array.reduce", [], fixed("sum"))],
  ])("%s fails", (_, expression) => {
    expect(failing(expression, [double, sum])).toThrow(/^Transformation "Sample" failed in step 1/u);
  });
});

const double = userFunction("double", {
  incoming: ["element"],
  steps: [
    { id: 1, type: "method", library: "Math", method: "multiply", args: [null, 2] },
    assign("in.element", "1:0"),
    assign("1", "out.result"),
  ],
});
const sum = userFunction("sum", {
  incoming: ["soFar", "value"],
  steps: [
    { id: 1, type: "method", library: "Math", method: "add", args: [] },
    assign("in.soFar", "1:0"),
    assign("in.value", "1:1"),
    assign("1", "out.result"),
  ],
});
const join = userFunction("join", {
  incoming: ["soFar", "value"],
  steps: [
    { id: 1, type: "method", library: "String", method: "concat", args: [] },
    assign("in.soFar", "1:0"),
    assign("in.value", "1:1"),
    assign("1", "out.result"),
  ],
});
const exceeds = userFunction("exceeds", {
  incoming: ["element", "index", "array", "limit"],
  steps: [
    { id: 1, type: "method", library: "Relational", method: "greaterThan", args: [] },
    assign("in.element", "1:0"),
    assign("in.limit", "1:1"),
    assign("1", "out.result"),
  ],
});
const difference = userFunction("difference", {
  incoming: ["first", "second"],
  steps: [
    { id: 1, type: "method", library: "Math", method: "subtract", args: [] },
    assign("in.first", "1:0"),
    assign("in.second", "1:1"),
    assign("1", "out.result"),
  ],
});
const positions = userFunction("positions", {
  incoming: ["element", "index", "array"],
  steps: [
    { id: 1, type: "template", library: "String", method: "templateLiteral", template: "${a}${b}${c}", args: [] },
    assign("in.element", "1:0"),
    assign("in.index", "1:1"),
    assign("in.array", "1:2"),
    assign("1", "out.result"),
  ],
});
const twice = userFunction("twice", {
  incoming: ["element"],
  steps: [
    { id: 1, type: "declaration", library: "Array", method: "new Array", args: [null, null], polymorphIndex: 0 },
    assign("in.element", "1:0"),
    assign("in.element", "1:1"),
    assign("1", "out.result"),
  ],
});

describe("Array methods with functions", () => {
  const functions = [double, sum, join, exceeds, difference, positions, twice];
  test.each([
    ["map", call("Array.map", [1, 2], fixed("double")), [2, 4]],
    ["map passes element, index and list", call("Array.map", ["x", "y"], fixed("positions")), ["x0x,y", "y1x,y"]],
    [
      "map passes over places that were never filled",
      call("Array.length", call("Array.map", callForm("Array.new Array", 1, 2), fixed("double"))),
      2,
    ],
    ["flatMap flattens one level", call("Array.flatMap", [1, [2]], fixed("twice")), [1, 1, [2], [2]]],
    ["filter with a constant", call("Array.filter", [1, 5, 3], fixed("exceeds"), 2), [5, 3]],
    ["find", call("Array.find", [1, 5, 3], fixed("exceeds"), 2), 5],
    ["find nothing", call("Array.find", [1], fixed("exceeds"), 2), undefined],
    ["findIndex", call("Array.findIndex", [1, 5], fixed("exceeds"), 2), 1],
    ["findLast", call("Array.findLast", [5, 3, 1], fixed("exceeds"), 2), 3],
    ["findLastIndex", call("Array.findLastIndex", [5, 3, 1], fixed("exceeds"), 2), 1],
    ["some", call("Array.some", [1, 5], fixed("exceeds"), 2), true],
    ["every", call("Array.every", [1, 5], fixed("exceeds"), 2), false],
    ["reduce with a beginning", call("Array.reduce", [1, 2, 3], fixed("sum"), 10), 16],
    ["reduce without a beginning", call("Array.reduce", [1, 2, 3], fixed("sum"), unset), 6],
    ["reduce of nothing", call("Array.reduce", [], fixed("sum"), 10), 10],
    ["reduceRight", call("Array.reduceRight", ["a", "b"], fixed("join"), "-"), "-ba"],
    ["sort by a function", call("Array.sort", [10, 9, 1], fixed("difference")), [1, 9, 10]],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression, functions)).toEqual(expected);
  });
});

describe("library Set", () => {
  const set = (...values: unknown[]) => call("Set.new Set", values);
  test.each([
    ["keeps each value once", call("Array.from", set(1, "1", 1, null, null)), [1, "1", null]],
    ["keeps every object", call("Array.from", set({ a: 1 }, { a: 1 })), [{ a: 1 }, { a: 1 }]],
    ["of nothing", call("Array.from", call("Set.new Set", unset)), []],
    ["of a text", call("Array.from", call("Set.new Set", "aba")), ["a", "b"]],
    ["leaves as a list", set(1, 1), [1]],
    ["size", call("Set.size", set(1, 2, 2)), 2],
    ["has", call("Set.has", set(1, 2), 2), true],
    ["has no object", call("Set.has", set({ a: 1 }), { a: 1 }), false],
    ["add", call("Set.add", set(1), 2), [1, 2]],
    ["delete", call("Set.delete", set(1, 2), 1), [2]],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  test("an object that occurs twice through one list is still two objects", () => {
    const pair = call("Array.fill", callForm("Array.new Array", 1, 2), { a: 1 });
    expect(evaluate(call("Set.size", call("Set.new Set", pair)))).toBe(2);
  });
});
