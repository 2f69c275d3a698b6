import { describe, expect, test } from "vitest";
import { assign, method, run, transformation, userFunction } from "./document-builder.ts";

describe("functions", () => {
  const pair = userFunction("pair.jst", {
    incoming: ["left", "right"],
    outgoing: ["joined", "length"],
    steps: [
      method(1, "String.concat"),
      method(2, "String.length"),
      assign("in.left", "1:0"),
      assign("in.right", "1:1"),
      assign("1", "2:0"),
      assign("1", "out.joined"),
      assign("2", "out.length"),
    ],
  });
  const caller = (args: unknown[], functions: object[] = [pair]) =>
    transformation({
      incoming: ["a"],
      outgoing: ["joined", "length", "all"],
      steps: [
        { id: 1, type: "function", function: "pair.jst", args },
        assign("in.a", "1:0"),
        assign("1/joined", "out.joined"),
        assign("1/length", "out.length"),
        assign("1", "out.all"),
      ],
      functions,
    });

  test("arguments by position, a map of outgoing values back", () => {
    expect(run(caller(["", "-z"]), { a: "a" })).toEqual({
      joined: "a-z",
      length: 3,
      all: { joined: "a-z", length: 3 },
    });
  });

  test("the empty text of a function step is not given", () => {
    expect(run(caller(["", ""]), { a: "a" })["joined"]).toBe("aundefined");
  });

  test("functions are found by id in the innermost list that has it, the first of several", () => {
    const constant = (id: string, value: string, more: object = {}) => ({
      ...userFunction(id, { steps: [method(1, "String.concat", [value]), assign("1", "out.result")] }),
      ...more,
    });
    const outer = userFunction("outer", {
      steps: [
        { id: 1, type: "function", function: "who", args: [] },
        { id: 2, type: "function", function: "only-outside", args: [] },
        method(3, "String.concat", []),
        assign("1/result", "3:0"),
        assign("2/result", "3:1"),
        assign("3", "out.result"),
      ],
      functions: [constant("who", "inside, ")],
    });
    const document = transformation({
      outgoing: ["result", "own"],
      steps: [
        { id: 1, type: "function", function: "outer", args: [] },
        { id: 2, type: "function", function: "who", args: [] },
        assign("1/result", "out.result"),
        assign("2/result", "out.own"),
      ],
      functions: [
        outer,
        constant("who", "outside"),
        constant("who", "too late"),
        constant("only-outside", "from outside"),
      ],
    });
    expect(run(document)).toEqual({ result: "inside, from outside", own: "outside" });
  });

  test("a function without a list of functions is one without functions", () => {
    const { functions: _, ...bare } = pair as Record<string, unknown>;
    expect(run(caller(["", "!"], [bare]), { a: "a" })["joined"]).toBe("a!");
  });

  test("the first outgoing is the result of a callback, whatever its name", () => {
    const first = userFunction("first", {
      incoming: ["e"],
      outgoing: ["newValue", "other"],
      steps: [assign("in.e/id", "out.newValue"), assign("in.e", "out.other")],
    });
    const document = transformation({
      incoming: ["list"],
      outgoing: ["ids"],
      steps: [method(1, "Array.map", [null, "first"]), assign("in.list", "1:0"), assign("1", "out.ids")],
      functions: [first],
    });
    expect(run(document, { list: [{ id: 1 }, { id: 2 }] })).toEqual({ ids: [1, 2] });
  });

  test("constants of legacy callbacks come together in thisArg", () => {
    const legacy = (properties: object, pointers: [string, string]) =>
      transformation({
        incoming: ["list", "prefix", "suffix"],
        outgoing: ["result"],
        steps: [
          method(1, "Array.map", [null, "wrap", null, null]),
          assign("in.list", "1:0"),
          assign("in.prefix", "1:2"),
          assign("in.suffix", "1:3"),
          assign("1", "out.result"),
        ],
        functions: [
          userFunction("wrap", {
            incoming: [
              "currentValue",
              "index",
              "array",
              { $id: "thisArg", type: "object", isContext: true, properties },
            ],
            steps: [
              method(1, "String.concat", []),
              assign(`in.thisArg/${pointers[0]}`, "1:0"),
              assign("in.currentValue", "1:1"),
              assign(`in.thisArg/${pointers[1]}`, "1:2"),
              assign("1", "out.result"),
            ],
          }),
        ],
      });
    const incoming = { list: ["a", "b"], prefix: "<", suffix: ">" };
    expect(run(legacy({ "1_the suffix": {}, "0_prefix": {} }, ["0_prefix", "1_the suffix"]), incoming)).toEqual({
      result: ["<a>", "<b>"],
    });
    expect(run(legacy({ prefix: {}, suffix: {} }, ["prefix", "suffix"]), incoming)).toEqual({ result: ["<a>", "<b>"] });
  });
});
