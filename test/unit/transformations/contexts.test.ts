import { describe, expect, test } from "vitest";
import { assign, method, run, transformation, userFunction } from "./document-builder.ts";

describe("contexts", () => {
  const sized = transformation({
    incoming: ["kind"],
    outgoing: ["text", "always"],
    steps: [
      {
        id: 5,
        type: "context",
        library: "Conditional",
        method: "switch",
        args: [null],
        return: ["small", "large"],
        context: "#",
      },
      assign("in.kind", "5:0"),
      method(1, "String.concat", ["a small one"], { context: "#/5[1]" }),
      method(2, "String.concat", ["a large one"], { context: "#/5[2]" }),
      method(3, "String.concat", ["neither"], { context: "#/5[0]" }),
      assign("1", "out.text", "#/5[1]"),
      assign("2", "out.text", "#/5[2]"),
      assign("3", "out.text", "#/5[0]"),
      {
        type: "assign",
        from: { location: "context", name: 5, ptr: "/return/case_1" },
        to: { location: "method", name: 1, ptr: "/context" },
        context: "#/5[1]",
      },
      assign("in.kind", "out.always"),
    ],
  });

  test.each([
    ["small", "a small one"],
    ["large", "a large one"],
    ["other", "neither"],
    [1, "neither"],
  ])("switch of %j", (kind, text) => {
    expect(run(sized, { kind })).toEqual({ text, always: kind });
  });

  const nested = transformation({
    incoming: ["outer", "inner", "list"],
    outgoing: ["result"],
    steps: [
      { id: 1, type: "context", library: "Conditional", method: "if...else", args: [null] },
      { id: 14, type: "context", library: "Conditional", method: "if...else", args: [null], context: "#/1[1]" },
      assign("in.outer", "1:0"),
      assign("in.inner", "14:0", "#/1[1]"),
      method(2, "String.concat", ["if"], { context: "#/1[0]" }),
      method(3, "String.concat", ["else if"], { context: "#/1[1]/14[0]" }),
      method(4, "Array.getIndex", [], { context: "#/1[1]/14[1]" }),
      assign("in.list", "4:0"),
      assign("2", "out.result", "#/1[0]"),
      assign("3", "out.result", "#/1[1]/14[0]"),
      assign("4", "out.result", "#/1[1]/14[1]"),
    ],
  });

  test("if...else, one inside the other", () => {
    expect(run(nested, { outer: 1, inner: true })).toEqual({ result: "if" });
    expect(run(nested, { outer: 0, inner: true })).toEqual({ result: "else if" });
  });

  test("what fails in a branch that is not taken does not matter", () => {
    expect(run(nested, { outer: true })).toEqual({ result: "if" });
    expect(() => run(nested, { outer: false, inner: false, list: null })).toThrow("step 4 (Array.getIndex)");
  });

  test("a step after the branches takes the argument of the one that is taken", () => {
    const document = transformation({
      incoming: ["flag"],
      outgoing: ["result"],
      steps: [
        { id: 1, type: "context", library: "Conditional", method: "if...else", args: [null] },
        assign("in.flag", "1:0"),
        method(2, "String.concat", ["yes"], { context: "#/1[0]" }),
        method(3, "String.concat", ["no"], { context: "#/1[1]" }),
        method(4, "String.toUpperCase"),
        assign("2", "4:0"),
        assign("3", "4:0"),
        assign("4", "out.result"),
      ],
    });
    expect([run(document, { flag: true }), run(document, { flag: false })]).toEqual([
      { result: "YES" },
      { result: "NO" },
    ]);
  });

  test("a context that fails fails what depends on its choice", () => {
    const document = transformation({
      incoming: ["text"],
      outgoing: ["result", "other"],
      steps: [
        method(1, "JSON.parse"),
        { id: 2, type: "context", library: "Conditional", method: "switch", args: [null], return: ["a"] },
        assign("in.text", "1:0"),
        assign("1", "2:0"),
        assign("in.text", "out.result", "#/2[1]"),
      ],
    });
    expect(run(document, { text: '"a"' })).toEqual({ result: '"a"', other: undefined });
    expect(() => run(document, { text: "{" })).toThrow("step 1 (JSON.parse)");
  });

  test("a function that calls itself ends by a branch", () => {
    const countdown = userFunction("countdown", {
      incoming: ["n"],
      steps: [
        method(1, "Relational.greaterThan", [null, 0]),
        { id: 2, type: "context", library: "Conditional", method: "if...else", args: [null] },
        method(3, "Math.subtract", [null, 1], { context: "#/2[0]" }),
        { id: 4, type: "function", function: "countdown", args: [null], context: "#/2[0]" },
        method(5, "Math.add", [null, null], { context: "#/2[0]" }),
        assign("in.n", "1:0"),
        assign("1", "2:0"),
        assign("in.n", "3:0"),
        assign("3", "4:0"),
        assign("4/result", "5:0"),
        assign("in.n", "5:1"),
        assign("5", "out.result", "#/2[0]"),
        assign("in.n", "out.result", "#/2[1]"),
      ],
    });
    const document = transformation({
      incoming: ["n"],
      outgoing: ["sum"],
      steps: [
        { id: 1, type: "function", function: "countdown", args: [null] },
        assign("in.n", "1:0"),
        assign("1/result", "out.sum"),
      ],
      functions: [countdown],
    });
    expect(run(document, { n: 10 })).toEqual({ sum: 55 });
    expect(() => run(document, { n: 1000 })).toThrow("functions call each other more than 200 deep");
  });
});
