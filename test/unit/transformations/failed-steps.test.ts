import { describe, expect, test } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { assign, call, evaluate, method, run, transformation, userFunction } from "./document-builder.ts";

describe("steps that fail", () => {
  const broken = call("JSON.parse", "{");
  test.each([
    ["the side of a ternary that is not chosen", call("Conditional.ternary", true, 1, broken), 1],
    ["the second operand of a nullish that is not asked", call("Logical.nullish", 1, broken), 1],
    ["the second operand of an and that is not asked", call("Logical.and", 0, broken), 0],
    ["the second operand of an or that is not asked", call("Logical.or", 1, broken), 1],
  ])("%s may fail", (_, expression, expected) => {
    expect(evaluate(expression)).toBe(expected);
  });

  test.each([
    ["an outgoing", broken],
    ["an argument", call("Array.push", [], broken)],
    ["the chosen side of a ternary", call("Conditional.ternary", false, 1, broken)],
    ["the condition of a ternary", call("Conditional.ternary", broken, 1, 2)],
    ["the first operand of a nullish", call("Logical.nullish", broken, 1)],
    ["the first operand of an and", call("Logical.and", broken, 1)],
    ["the first operand of an or", call("Logical.or", broken, 1)],
    ["the second operand of an or", call("Logical.or", 0, broken)],
  ])("%s that failed fails the run, naming the step", (_, expression) => {
    expect(() => evaluate(expression)).toThrow(TaskError);
    expect(() => evaluate(expression)).toThrow(/^Transformation "Sample" failed in step \d+ \(JSON\.parse\): /u);
  });

  test("a step that leads to no outgoing is not evaluated", () => {
    const document = transformation({
      outgoing: ["result"],
      steps: [method(1, "Math.random"), method(2, "String.concat", ["ok"]), assign("2", "out.result")],
    });
    const random = () => {
      throw new Error("asked");
    };
    expect(run(document, {}, {}, { random })).toEqual({ result: "ok" });
  });

  test("a failed outgoing of a function fails only what uses it", () => {
    const halves = userFunction("halves", {
      incoming: ["text"],
      outgoing: ["parsed", "length"],
      steps: [
        method(1, "JSON.parse"),
        method(2, "String.length"),
        assign("in.text", "1:0"),
        assign("in.text", "2:0"),
        assign("1", "out.parsed"),
        assign("2", "out.length"),
      ],
    });
    const document = (pointer: string) =>
      transformation({
        incoming: ["text"],
        outgoing: ["result"],
        steps: [
          { id: 1, type: "function", function: "halves", args: [null] },
          assign("in.text", "1:0"),
          assign(`1${pointer}`, "out.result"),
        ],
        functions: [halves],
      });
    expect(run(document("/length"), { text: "{" })).toEqual({ result: 1 });
    const reason = "failed in function halves caption, step 1 (JSON.parse)";
    expect(() => run(document("/parsed"), { text: "{" })).toThrow(reason);
    expect(() => run(document(""), { text: "{" })).toThrow(reason);
  });

  test("a failure inside a callback is that of the callback", () => {
    const parse = userFunction("parse", {
      incoming: ["e"],
      steps: [method(1, "JSON.parse"), assign("in.e", "1:0"), assign("1", "out.result")],
    });
    const document = transformation({
      incoming: ["list"],
      outgoing: ["result"],
      steps: [method(7, "Array.map", [null, "parse"]), assign("in.list", "7:0"), assign("7", "out.result")],
      functions: [parse],
    });
    expect(run(document, { list: ["1", "[2]"] })).toEqual({ result: [1, [2]] });
    expect(() => run(document, { list: ["1", "{"] })).toThrow("failed in function parse caption, step 1 (JSON.parse)");
  });

  test("a callback that does not use a failed constant runs", () => {
    const identity = userFunction("identity", { incoming: ["e"], steps: [assign("in.e", "out.result")] });
    const document = transformation({
      incoming: ["list"],
      outgoing: ["result"],
      steps: [
        method(1, "JSON.parse", ["{"]),
        method(2, "Array.map", [null, "identity", null]),
        assign("in.list", "2:0"),
        assign("1", "2:2"),
        assign("2", "out.result"),
      ],
      functions: [identity],
    });
    expect(run(document, { list: [1] })).toEqual({ result: [1] });
  });
});
