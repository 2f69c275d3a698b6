import { describe, expect, test } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import {
  assign,
  call,
  callForm,
  evaluate,
  fixed,
  method,
  run,
  transformation,
  userFunction,
} from "./document-builder.ts";

const list = (length: number) => Array.from({ length }, (_, index) => index);

/** Applies a function of (accumulator) again and again. */
function repeated(times: number, start: unknown, steps: readonly object[]): unknown {
  const again = userFunction("again", { incoming: ["soFar"], steps });
  return evaluate(call("Array.reduce", list(times), fixed("again"), start), [again]);
}

const paired = [
  { id: 1, type: "declaration", library: "Array", method: "new Array", args: [null, null], polymorphIndex: 0 },
  assign("in.soFar", "1:0"),
  assign("in.soFar", "1:1"),
];

describe("bounds of a run", () => {
  test("a fold over a few thousand records stays within them", () => {
    const push = userFunction("push", {
      incoming: ["soFar", "record"],
      steps: [
        method(1, "Array.push"),
        assign("in.soFar", "1:0"),
        assign("in.record", "1:1"),
        assign("1", "out.result"),
      ],
    });
    const records = list(5_000).map((id) => ({ id, name: `device ${id}` }));
    expect(evaluate(call("Array.reduce", records, fixed("push"), []), [push])).toEqual(records);
  });

  test("too many steps", { timeout: 120_000 }, () => {
    const inner = userFunction("inner", {
      incoming: ["e"],
      steps: [method(1, "Math.add", [1, 1]), assign("1", "out.result")],
    });
    const outer = userFunction("outer", {
      incoming: ["e", "i", "all"],
      steps: [
        method(1, "Array.map", [null, "inner"]),
        method(2, "Array.length"),
        assign("in.all", "1:0"),
        assign("1", "2:0"),
        assign("2", "out.result"),
      ],
    });
    expect(() => evaluate(call("Array.map", list(3_000), fixed("outer")), [inner, outer])).toThrow(
      new TaskError('Transformation "Sample" was stopped: more than 5000000 step evaluations'),
    );
  });

  test("too long, by the clock of the run", () => {
    let now = 0;
    const clock = () => {
      now += 10;
      return now;
    };
    const identity = userFunction("identity", {
      incoming: ["e"],
      steps: [method(1, "Math.add", [1, 1]), assign("1", "out.result")],
    });
    const slow = () => evaluate(call("Array.map", list(1_000_000), fixed("identity")), [identity], { now: clock });
    expect(slow).toThrow("was stopped: the run took longer than 5000 ms");
  });

  test("a function that calls itself for ever, by a step or a callback", () => {
    const endless = userFunction("endless", {
      incoming: ["e"],
      steps: [
        { id: 1, type: "function", function: "endless", args: [null] },
        assign("in.e", "1:0"),
        assign("1/result", "out.result"),
      ],
    });
    const endlessMap = userFunction("endlessMap", {
      incoming: ["e"],
      steps: [method(1, "Array.map", [[1], "endlessMap"]), assign("1", "out.result")],
    });
    const document = (id: string) =>
      transformation({
        outgoing: ["r"],
        steps: [{ id: 1, type: "function", function: id, args: [1] }, assign("1/result", "out.r")],
        functions: [endless, endlessMap],
      });
    expect(() => run(document("endless"))).toThrow("was stopped: functions call each other more than 200 deep");
    expect(() => run(document("endlessMap"))).toThrow("was stopped: functions call each other more than 200 deep");
  });

  test("texts and lists that double", () => {
    const doubledText = [
      method(1, "String.concat"),
      assign("in.soFar", "1:0"),
      assign("in.soFar", "1:1"),
      assign("1", "out.result"),
    ];
    const doubledList = [
      method(1, "Array.concat"),
      assign("in.soFar", "1:0"),
      assign("in.soFar", "1:1"),
      assign("1", "out.result"),
    ];
    expect(() => repeated(60, "ab", doubledText)).toThrow(TaskError);
    expect(() => repeated(60, [1, 2], doubledList)).toThrow("a list may have at most");
  });

  test.each<[string, () => unknown]>([
    ["as an outgoing value", () => repeated(60, "leaf", [...paired, assign("1", "out.result")])],
    [
      "as a text",
      () => repeated(60, "leaf", [...paired, method(2, "Array.join"), assign("1", "2:0"), assign("2", "out.result")]),
    ],
    ["as JSON", () => evaluate(call("JSON.stringify", doubling(60)), [pair])],
    ["flattened", () => evaluate(call("Array.flat", doubling(60), 100), [pair])],
    ["compared", () => evaluate(call("Equality.deepEquals", doubling(60), doubling(60)), [pair])],
    ["asked", () => evaluate(call("WorkFlowEngine.query", true, "[**]", doubling(60)), [pair])],
    ["added", () => evaluate(call("Math.add", doubling(60), 1), [pair])],
  ])("a small value that is endless %s", (_, attempt) => {
    expect(attempt).toThrow(TaskError);
  });

  const pair = userFunction("pair", { incoming: ["soFar"], steps: [...paired, assign("1", "out.result")] });
  const doubling = (times: number) => call("Array.reduce", list(times), fixed("pair"), "leaf");

  test.each<[string, unknown, string]>([
    ["a list of a given length", callForm("Array.new Array", 1, 1e9), "is no length of a list"],
    ["a place far away", call("Array.setIndex", [], 1e9, 1), "a list may have at most"],
    ["a list from a length", call("Array.from", { length: 1e12 }), "a list may have at most"],
    ["characters of a long text", call("String.split", "a".repeat(1_200_000), ""), "a list may have at most"],
    [
      "matches in a long text",
      call("String.match", "a".repeat(1_200_000), call("RegExp.new RegExp", "a", "g")),
      "at most",
    ],
    ["keys of a long text", call("Object.keys", "a".repeat(1_200_000)), "a list may have at most"],
  ])("%s", (_, expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });

  test("values nested deeper than the stack", () => {
    const brackets = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    expect(() => evaluate(call("JSON.parse", brackets))).toThrow("nested more than 1000 deep");
    expect(() => evaluate(call("JSON.stringify", call("JSON.parse", brackets)))).toThrow("nested too deep");
    expect(evaluate(call("Equality.equality", call("JSON.parse", brackets), 1))).toBe(false);
  });
});
