import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileTransformation } from "../../../src/transformations/compile-transformation.ts";
import { libraryMethods } from "../../../src/transformations/libraries/method-catalog.ts";
import { assign, run, transformation, userFunction } from "./document-builder.ts";

const problemsOf = (document: unknown) =>
  compileTransformation(document).errors.map(({ code, path }) => `${code} ${path}`);
const concat = { id: 1, type: "method", library: "String", method: "concat", args: ["x"] };

describe("problems of a document", () => {
  test.each<[string, unknown, string[]]>([
    ["nothing", undefined, ["INVALID_DOCUMENT "]],
    ["a list", [], ["INVALID_DOCUMENT "]],
    [
      "lists that are none",
      { name: "X", incoming: {}, steps: 5 },
      ["INVALID_DOCUMENT /incoming", "INVALID_DOCUMENT /steps"],
    ],
    ["functions that are no list", { name: "X", functions: "f" }, ["INVALID_DOCUMENT /functions"]],
    ["a slot without a name", transformation({ outgoing: [{ type: "string" }] }), ["INVALID_DOCUMENT /outgoing/0"]],
    ["incoming twice", transformation({ incoming: ["a", "b", "a"] }), ["DUPLICATE_INCOMING /incoming/2/$id"]],
    ["outgoing twice", transformation({ outgoing: ["a", "a"] }), ["DUPLICATE_OUTGOING /outgoing/1/$id"]],
    ["a step twice", transformation({ steps: [concat, concat] }), ["DUPLICATE_STEP /steps/1"]],
    ["a step that is none", transformation({ steps: [{ id: 1, type: "loop" }] }), ["INVALID_STEP /steps/0/type"]],
    [
      "a step without arguments",
      transformation({ steps: [{ id: 1, type: "template", template: "x" }] }),
      ["INVALID_STEP /steps/0/args"],
    ],
    [
      "an unknown method",
      transformation({ steps: [{ ...concat, method: "shout" }] }),
      ["UNKNOWN_METHOD /steps/0/method"],
    ],
    [
      "a method of objects in JavaScript",
      transformation({ steps: [{ ...concat, method: "constructor" }] }),
      ["UNKNOWN_METHOD /steps/0/method"],
    ],
    [
      "a declaration called as a method",
      transformation({ steps: [{ ...concat, method: "new String" }] }),
      ["UNKNOWN_METHOD /steps/0/method"],
    ],
    [
      "an unknown context",
      transformation({ steps: [{ id: 1, type: "context", method: "while", args: [] }] }),
      ["UNKNOWN_METHOD /steps/0/method"],
    ],
    [
      "a function step without its function",
      transformation({ steps: [{ id: 1, type: "function", function: "f", args: [] }] }),
      ["UNKNOWN_FUNCTION /steps/0/function"],
    ],
    [
      "a callback without its function",
      transformation({ steps: [{ ...concat, library: "Array", method: "map", args: [null, "f"] }] }),
      ["UNKNOWN_FUNCTION /steps/0/args/1"],
    ],
    [
      "a wire from a missing step",
      transformation({ outgoing: ["a"], steps: [assign("9", "out.a")] }),
      ["UNKNOWN_STEP /steps/0/from/name"],
    ],
    [
      "a wire from a missing incoming",
      transformation({ outgoing: ["a"], steps: [assign("in.x", "out.a")] }),
      ["UNKNOWN_INCOMING /steps/0/from/name"],
    ],
    [
      "a wire to a missing step",
      transformation({ incoming: ["a"], steps: [assign("in.a", "9:0")] }),
      ["UNKNOWN_STEP /steps/0/to/name"],
    ],
    [
      "a wire to a missing outgoing",
      transformation({ incoming: ["a"], steps: [assign("in.a", "out.x")] }),
      ["UNKNOWN_OUTGOING /steps/0/to/name"],
    ],
    [
      "a wire to no argument",
      transformation({ incoming: ["a"], steps: [concat, assign("in.a", "1/value")] }),
      ["INVALID_POINTER /steps/1/to/ptr"],
    ],
    [
      "a wire to an argument far away",
      transformation({ incoming: ["a"], steps: [concat, assign("in.a", "1:5000")] }),
      ["INVALID_POINTER /steps/1/to/ptr"],
    ],
    [
      "a branch of no context",
      transformation({ steps: [{ ...concat, context: "#/7[1]" }] }),
      ["UNKNOWN_CONTEXT /steps/0/context"],
    ],
    [
      "a branch of another step",
      transformation({ steps: [concat, { ...concat, id: 2, context: "#/1[1]" }] }),
      ["UNKNOWN_CONTEXT /steps/1/context"],
    ],
    ["a step that feeds itself", transformation({ steps: [concat, assign("1", "1:0")] }), ["CYCLE /steps/0"]],
    [
      "steps in a ring",
      transformation({
        steps: [
          concat,
          { ...concat, id: 2 },
          { ...concat, id: 3 },
          assign("1", "2:0"),
          assign("2", "1:0"),
          assign("2", "3:0"),
        ],
      }),
      ["CYCLE /steps/1", "CYCLE /steps/0"],
    ],
    [
      "a function twice",
      transformation({ functions: [userFunction("f", {}), userFunction("f", {})] }),
      ["DUPLICATE_FUNCTION /functions/1"],
    ],
    [
      "a name of functions twice",
      transformation({ functions: [userFunction("f", {}), { ...userFunction("g", {}), name: "f caption" }] }),
      ["DUPLICATE_FUNCTION /functions/1"],
    ],
    [
      "a function without a name",
      transformation({ functions: [{ ...userFunction("f", {}), name: " " }] }),
      ["MISSING_FUNCTION_NAME /functions/0"],
    ],
    [
      "a problem inside a function",
      transformation({ functions: [userFunction("f", { steps: [{ ...concat, method: "shout" }] })] }),
      ["UNKNOWN_METHOD /functions/0/steps/0/method"],
    ],
  ])("%s", (_, document, expected) => {
    expect(problemsOf(document).toSorted()).toEqual(expected.toSorted());
  });

  test("functions nested too deep", () => {
    let nested = userFunction("f0", {});
    for (let level = 1; level <= 25; level += 1) nested = userFunction(`f${level}`, { functions: [nested] });
    expect(problemsOf(transformation({ functions: [nested] }))).toEqual([
      `FUNCTIONS_TOO_DEEP ${"/functions/0".repeat(21)}`,
    ]);
  });

  test("a missing list of functions is only a warning", () => {
    const compiled = compileTransformation({ name: "X", incoming: [], outgoing: [], steps: [] });
    expect(compiled.errors).toEqual([]);
    expect(compiled.warnings.map(({ code, path }) => `${code} ${path}`)).toEqual(["NO_FUNCTIONS_LIST /functions"]);
  });

  test("what is wrong fails a run only where the run needs it", () => {
    const steps = [
      concat,
      { ...concat, id: 2, method: "shout" },
      { ...concat, id: 3 },
      assign("3", "3:0"),
      assign("1", "out.good"),
    ];
    expect(run(transformation({ outgoing: ["good"], steps }))).toEqual({ good: "x" });
    for (const [id, problem] of [
      [2, "There is no method String.shout"],
      [3, "The step needs its own value"],
    ]) {
      const document = transformation({ outgoing: ["good", "bad"], steps: [...steps, assign(String(id), "out.bad")] });
      expect(() => run(document)).toThrow(`failed in step ${id} (String.${id === 2 ? "shout" : "concat"}): ${problem}`);
    }
    const dangling = transformation({ outgoing: ["bad"], steps: [assign("9", "out.bad")] });
    expect(() => run(dangling)).toThrow('Transformation "Sample" failed in a wire: There is no step 9');
  });

  test("a chain of steps longer than the stack", () => {
    const count = 20_000;
    const steps = Array.from({ length: count }, (_, index) => [
      { id: index + 1, type: "method", library: "Math", method: "add", args: [null, 1] },
      assign(index + 2 > count ? "in.n" : String(index + 2), `${index + 1}:0`),
    ]).flat();
    expect(
      run(transformation({ incoming: ["n"], outgoing: ["r"], steps: [...steps, assign("1", "out.r")] }), { n: 0 }),
    ).toEqual({ r: count });
  });

  test("whatever it is given, compiling answers", () => {
    const step = fc.oneof(
      fc.anything(),
      fc.record({
        id: fc.oneof(fc.nat(5), fc.string()),
        type: fc.constantFrom("assign", "method", "template", "function", "context", "declaration"),
        library: fc.constantFrom("Array", "String", "__proto__"),
        method: fc.constantFrom("map", "concat", "new Array", "toString", "switch"),
        function: fc.constantFrom("f", "g"),
        template: fc.string(),
        args: fc.array(fc.anything(), { maxLength: 3 }),
        context: fc.constantFrom("#", "#/1[0]", "nowhere", "#/1[0]/2[1]"),
        from: fc.record({
          location: fc.constantFrom("incoming", "method"),
          name: fc.nat(5),
          ptr: fc.constantFrom("", "/return", "/x"),
        }),
        to: fc.record({
          location: fc.constantFrom("outgoing", "method"),
          name: fc.nat(5),
          ptr: fc.constantFrom("", "/args/0/value", "/x"),
        }),
      }),
    );
    const slot = fc.oneof(
      fc.anything(),
      fc.record({ $id: fc.constantFrom("0", "1", "thisArg"), isContext: fc.boolean() }),
    );
    const body = { incoming: fc.array(slot), outgoing: fc.array(slot), steps: fc.array(step) };
    const document = fc.record({
      ...body,
      functions: fc.array(fc.oneof(fc.anything(), fc.record({ ...body, id: fc.constantFrom("f", "g") }))),
    });
    fc.assert(
      fc.property(fc.oneof(document, fc.anything()), (given) => {
        const compiled = compileTransformation(given);
        expect(compiled.plan !== undefined || compiled.errors.length > 0).toBe(true);
        for (const { message, path } of compiled.errors)
          expect([typeof message, path === "" || path.startsWith("/")]).toEqual(["string", true]);
      }),
    );
  });
});

describe("catalog of methods", () => {
  test("every entry has a name of its own, a signature and a result", () => {
    const names = libraryMethods.map(
      ({ library, method, polymorphIndex }) => `${library}.${method}#${polymorphIndex ?? ""}`,
    );
    expect(new Set(names).size).toBe(names.length);
    for (const method of libraryMethods) {
      expect(method.returns).not.toBe("");
      for (const argument of method.arguments) expect(argument).toMatch(/^[a-zA-Z]+(?: or [a-z]+)?(?:\?|\.\.\.)?$/u);
    }
  });
});
