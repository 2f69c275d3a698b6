import { describe, expect, test } from "vitest";
import {
  assign,
  call,
  callForm,
  evaluate,
  fixed,
  run,
  transformation,
  unset,
  userFunction,
} from "./document-builder.ts";

const nan = call("Number.parseInt", "x");

describe("library Object", () => {
  test.each([
    ["new Object of nothing", call("Object.new Object", unset), {}],
    ["new Object of a JSON text", call("Object.new Object", '{"a":[1]}'), { a: [1] }],
    ["new Object of an object", call("Object.new Object", { a: 1 }), { a: 1 }],
    ["assign, later ones win", call("Object.assign", { a: 1, b: 1 }, { b: 2 }, null, { c: 3 }), { a: 1, b: 2, c: 3 }],
    ["deleteProperty", call("Object.deleteProperty", { a: 1, b: 2 }, "a"), { b: 2 }],
    [
      "entries",
      call("Object.entries", { b: 1, a: 2 }),
      [
        ["b", 1],
        ["a", 2],
      ],
    ],
    [
      "fromEntries",
      call("Object.fromEntries", [
        ["b", 1],
        ["a", 2],
      ]),
      { b: 1, a: 2 },
    ],
    ["getProperty takes one key, not a path", call("Object.getProperty", { "a.b": 1, a: { b: 2 } }, "a.b"), 1],
    ["getProperty of a list", call("Object.getProperty", ["x", "y"], 1), "y"],
    ["getProperty of a number", call("Object.getProperty", 5, "toFixed"), undefined],
    ["getProperty reads no prototype", call("Object.getProperty", {}, "constructor"), undefined],
    ["hasOwnProperty of null", call("Object.hasOwnProperty", { a: null }, "a"), true],
    ["hasOwnProperty of an index", call("Object.hasOwnProperty", ["x"], 1), false],
    ["keys", call("Object.keys", { b: 1, a: 2 }), ["b", "a"]],
    ["keys of a list", call("Object.keys", ["x", "y"]), ["0", "1"]],
    ["values", call("Object.values", { b: 1, a: 2 }), [1, 2]],
    ["optional chaining through all keys", call("Object.optional chaining", { a: [{ b: 5 }] }, "a", 0, "b"), 5],
    ["optional chaining stops at nothing", call("Object.optional chaining", { a: null }, "a", "b", "c"), undefined],
    ["optional chaining of nothing", call("Object.optional chaining", undefined, "a"), undefined],
    ["setProperty keeps the place of a key", call("Object.setProperty", { b: 1, a: 2 }, "b", 9), { b: 9, a: 2 }],
    ["setProperty of a list", call("Object.setProperty", [1, 2], "1", 9), [1, 9]],
    ["toString", call("Object.toString", { toString: "mine" }), "[object Object]"],
  ])("%s", (_, expression, expected) => {
    const value = evaluate(expression);
    expect(value).toEqual(expected);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
  });

  test.each([
    ["getProperty of undefined", call("Object.getProperty", undefined, "a")],
    ["setProperty of a text", call("Object.setProperty", "text", "a", 1)],
    ["new Object of a text that is no JSON", call("Object.new Object", "{a")],
    ["fromEntries of something else", call("Object.fromEntries", [1])],
    ["keys of null", call("Object.keys", null)],
  ])("%s fails", (_, expression) => {
    expect(() => evaluate(expression)).toThrow("failed in step 1 (Object.");
  });

  test.each(["__proto__", "constructor", "prototype"])("%s is a member as any other", (key) => {
    const set = evaluate(call("Object.setProperty", { a: 1 }, key, { polluted: true })) as object;
    expect(Object.keys(set)).toEqual(["a", key]);
    expect(Object.getPrototypeOf(set)).toBe(Object.prototype);
    expect(evaluate(call("Object.getProperty", call("Object.setProperty", {}, key, 5), key))).toBe(5);
    expect(Object.keys(evaluate(call("Object.fromEntries", [[key, 1]])) as object)).toEqual([key]);
    expect(
      Object.keys(evaluate(call("Object.assign", {}, JSON.parse(`{"${key}":{"polluted":true}}`))) as object),
    ).toEqual([key]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("libraries of operators", () => {
  test.each([
    ["== of number and text", call("Equality.equality", 0, "0"), true],
    ["== of number and empty text", call("Equality.equality", 0, ""), true],
    ["== of boolean and text", call("Equality.equality", true, "1"), true],
    ["== of null and undefined", call("Equality.equality", null, undefined), true],
    ["== of null and 0", call("Equality.equality", null, 0), false],
    ["== of a list and its text", call("Equality.equality", [1, 2], "1,2"), true],
    ["== of equal objects", call("Equality.equality", {}, {}), false],
    ["== of NaN", call("Equality.equality", nan, nan), false],
    ["!=", call("Equality.inequality", 1, "1"), false],
    ["=== does not convert", call("Equality.identity", 1, "1"), false],
    ["===", call("Equality.identity", "a", "a"), true],
    ["!==", call("Equality.nonidentity", 1, "1"), true],
    ["an object is not identical to its copy", call("Equality.nonidentity", { a: 1 }, { a: 1 }), true],
    ["deepEquals in any order of members", call("Equality.deepEquals", { a: 1, b: [1] }, { b: [1], a: 1 }), true],
    ["deepEquals minds the order of lists", call("Equality.deepEquals", [1, 2], [2, 1]), false],
    ["deepEquals does not convert", call("Equality.deepEquals", [1], ["1"]), false],
    ["deepEquals of NaN", call("Equality.deepEquals", nan, nan), true],
    ["an undefined member is not an absent one", call("Equality.deepEquals", { a: undefined }, {}), false],
    ["deepEquals of list and object", call("Equality.deepEquals", [], {}), false],
    ["an empty place is undefined", call("Equality.deepEquals", callForm("Array.new Array", 1, 1), [5]), false],
    [
      "deepEquals of dates",
      call("Equality.deepEquals", callForm("Date.new Date", 2, 5), callForm("Date.new Date", 2, 5)),
      true,
    ],
    [
      "deepEquals of sets",
      call("Equality.deepEquals", call("Set.new Set", [1, { a: 1 }]), call("Set.new Set", [{ a: 1 }, 1])),
      true,
    ],
    ["deepEquals of a date and its text", call("Equality.deepEquals", callForm("Date.new Date", 2, 5), "1970"), false],
    ["> converts text", call("Relational.greaterThan", 5, "0"), true],
    ["> of texts goes by characters", call("Relational.greaterThan", "10", "9"), false],
    [">=", call("Relational.greaterThanOrEqual", 1, 1), true],
    [">= by its short name", call("Relational.greaterThanEq", 1, 2), false],
    ["<", call("Relational.lessThan", 1, null), false],
    ["<=", call("Relational.lessThanOrEqual", null, 0), true],
    ["<= by its short name", call("Relational.lessThanEq", 2, 1), false],
    ["dates by their time", call("Relational.lessThan", callForm("Date.new Date", 2, 5), 6), true],
    ["nothing compares with NaN", call("Relational.lessThan", undefined, 5), false],
    ["and answers an operand", call("Logical.and", "", 1), ""],
    ["and answers the second operand", call("Logical.and", "a", 0), 0],
    ["or answers an operand", call("Logical.or", 0, "b"), "b"],
    ["not", call("Logical.not", []), false],
    ["nullish keeps false", call("Logical.nullish", false, 1), false],
    ["nullish of null", call("Logical.nullish", null, 1), 1],
    ["ternary by truthiness", call("Conditional.ternary", "0", "yes", "no"), "yes"],
    ["ternary of an empty text", call("Conditional.ternary", "", "yes", "no"), "no"],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });
});

describe("libraries Math, Number, Boolean and Null", () => {
  test.each([
    ["add of numbers", call("Math.add", 1, 2), 3],
    ["add joins when one is a text", call("Math.add", 1, "2"), "12"],
    ["add of null", call("Math.add", null, 2), 2],
    ["subtract converts", call("Math.subtract", "5", "2"), 3],
    ["multiply", call("Math.multiply", 3, 4), 12],
    ["divide by zero", call("Math.divide", 1, 0), Infinity],
    ["remainder", call("Math.remainder", 7, 4), 3],
    ["exponentiation", call("Math.exponentiation", 2, 10), 1024],
    ["pow", call("Math.pow", 2, 3), 8],
    ["abs", call("Math.abs", -2), 2],
    ["cbrt", call("Math.cbrt", 27), 3],
    ["ceil", call("Math.ceil", "1.2"), 2],
    ["exp", call("Math.exp", 0), 1],
    ["floor", call("Math.floor", -1.2), -2],
    ["log", call("Math.log", 1), 0],
    ["log10", call("Math.log10", 1000), 3],
    ["log2", call("Math.log2", 8), 3],
    ["max", call("Math.max", 1, "3", 2), 3],
    ["max leaves out what is not given at the end", call("Math.max", 1, unset), 1],
    ["min", call("Math.min", 1, 3), 1],
    ["random", call("Math.random"), 0.25],
    ["round", call("Math.round", 2.5), 3],
    ["sign", call("Math.sign", -5), -1],
    ["sqrt", call("Math.sqrt", 9), 3],
    ["trunc", call("Math.trunc", -1.9), -1],
    ["arithmetic with an object", call("Math.subtract", {}, 1), NaN],
    ["new Number of nothing", call("Number.new Number", unset), 0],
    ["new Number of a text", call("Number.new Number", "0x10"), 16],
    ["isFinite does not convert", call("Number.isFinite", "5"), false],
    ["isInteger", call("Number.isInteger", 5), true],
    ["isNaN does not convert", call("Number.isNaN", "x"), false],
    ["isNaN", call("Number.isNaN", nan), true],
    ["isSafeInteger", call("Number.isSafeInteger", 2 ** 53), false],
    ["parseFloat", call("Number.parseFloat", "1.5 kg"), 1.5],
    ["parseInt with a radix", call("Number.parseInt", "ff", 16), 255],
    ["parseInt of null", call("Number.parseInt", null), NaN],
    ["toExponential", call("Number.toExponential", 1234, 1), "1.2e+3"],
    ["toFixed", call("Number.toFixed", 1.005, "1"), "1.0"],
    ["toPrecision", call("Number.toPrecision", 123.456, 4), "123.5"],
    ["toString without a radix", call("Number.toString", 255, unset), "255"],
    ["toString with a radix", call("Number.toString", 255, 16), "ff"],
    ["valueOf", call("Number.valueOf", 5), 5],
    ["new Boolean of a text", call("Boolean.new Boolean", "0"), true],
    ["new Boolean of the empty text", call("Boolean.new Boolean", ""), false],
    ["new Boolean of nothing", call("Boolean.new Boolean", unset), false],
    ["Boolean.toString", call("Boolean.toString", true), "true"],
    ["new Null", call("Null.new Null"), null],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  test.each([
    ["toFixed of a text", call("Number.toFixed", "5"), "needs a number, not a text"],
    ["a radix out of range", call("Number.toString", 5, 99), "radix"],
    ["toString of null", call("Number.toString", null), "not null"],
  ])("%s fails", (_, expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });
});

describe("libraries JSON and WorkFlowEngine", () => {
  const label = userFunction("label", {
    incoming: ["key", "value"],
    steps: [
      { id: 1, type: "method", library: "JSON", method: "type of", args: [null] },
      { id: 2, type: "method", library: "Equality", method: "equality", args: [null, "number"] },
      { id: 3, type: "method", library: "Conditional", method: "ternary", args: [null, "n", null] },
      assign("in.value", "1:0"),
      assign("1", "2:0"),
      assign("2", "3:0"),
      assign("in.value", "3:2"),
      assign("3", "out.result"),
    ],
  });
  test.each([
    ["parse", call("JSON.parse", '{"a":[1,null]}'), { a: [1, null] }],
    ["parse of a number", call("JSON.parse", 5), 5],
    ["parse with a function", call("JSON.parse", '{"a":1,"b":"x"}', fixed("label")), { a: "n", b: "x" }],
    ["stringify is compact", call("JSON.stringify", { a: [1, undefined] }, unset, unset), '{"a":[1,null]}'],
    ["stringify with space", call("JSON.stringify", { a: 1 }, unset, 2), '{\n  "a": 1\n}'],
    [
      "stringify with the members to keep",
      call("JSON.stringify", { a: { b: 1, c: 2 }, c: 3 }, ["a", "c"]),
      '{"a":{"c":2},"c":3}',
    ],
    ["stringify keeps the elements of lists", call("JSON.stringify", { a: [1], b: 2 }, ["a"]), '{"a":[1]}'],
    ["stringify with a function", call("JSON.stringify", { a: 1 }, fixed("label")), '{"a":"n"}'],
    ["stringify of a date", call("JSON.stringify", callForm("Date.new Date", 2, 0)), '"1970-01-01T00:00:00.000Z"'],
    ["stringify of undefined", call("JSON.stringify", undefined), undefined],
    ["type of a list", call("JSON.type of", []), "object"],
    ["type of null", call("JSON.type of", null), "object"],
    ["type of a text", call("JSON.type of", "x"), "string"],
    ["type of undefined", call("JSON.type of", undefined), "undefined"],
    ["query", call("WorkFlowEngine.query", false, "list[name=b].id", { list: [{ name: "b", id: 7 }] }), 7],
    [
      "query of several",
      call("WorkFlowEngine.query", true, "list[*on=true].id", {
        list: [
          { on: true, id: 1 },
          { on: true, id: 2 },
        ],
      }),
      [1, 2],
    ],
    ["query that finds nothing", call("WorkFlowEngine.query", false, "a.b", {}), null],
    ["the empty query", call("WorkFlowEngine.query", false, "", { a: 1 }), { a: 1 }],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression, [label])).toEqual(expected);
  });

  test.each([
    ["parse of a text that is no JSON", call("JSON.parse", "{a}"), /failed in step 1 \(JSON\.parse\): .*JSON/u],
    ["a malformed query", call("WorkFlowEngine.query", false, "a[", {}), /failed in step 1 \(WorkFlowEngine\.query\)/u],
  ])("%s fails", (_, expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });

  test("a run may use a query language of its own", () => {
    const document = transformation({
      incoming: ["value"],
      outgoing: ["result"],
      steps: [
        { id: 1, type: "method", library: "WorkFlowEngine", method: "query", args: [true, "second", null] },
        assign("in.value", "1:2"),
        assign("1", "out.result"),
      ],
    });
    const query = (text: string, value: unknown) => ({ found: text === "second", value: (value as unknown[])[1] });
    expect(run(document, { value: ["a", "b"] }, {}, { query })).toEqual({ result: "b" });
  });
});
