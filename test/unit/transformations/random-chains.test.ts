import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { libraryMethods } from "../../../src/transformations/libraries/method-catalog.ts";
import { assign, callForm, documentFor, fixed, run, unset, userFunction } from "./document-builder.ts";

const functions = [
  userFunction("pick", { incoming: ["a", "b"], steps: [assign("in.b", "out.result")] }),
  userFunction("keys", {
    incoming: ["a", "b"],
    steps: [
      { id: 1, type: "method", library: "Object", method: "keys", args: [] },
      assign("in.a", "1:0"),
      assign("1", "out.result"),
    ],
  }),
];

const key = fc.constantFrom("__proto__", "constructor", "prototype", "toString", "length", "a", "0", "-1");
const leaf = fc.oneof(
  key,
  fc.string({ maxLength: 6 }),
  fc.constantFrom("g", "(a)|b", "2024-02-30", '{"__proto__":{"polluted":1}}', "[1,[2]]", "a.b[0]"),
  fc.integer({ min: -3, max: 40 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const name = fc.constantFrom(...libraryMethods);

/** Nested calls of any methods on any arguments. */
const chain = fc.letrec((tie) => ({
  call: fc
    .tuple(
      name,
      fc.array(fc.oneof({ maxDepth: 4 }, json, fc.constant(unset), tie("call")), { maxLength: 4 }),
      fc.constantFrom("pick", "keys"),
      fc.constantFrom(0, 1, 2, 3),
    )
    .map(([{ library, method, constantsFrom }, args, functionId, form]) => {
      const given = constantsFrom !== undefined && args.length > 1 ? args.with(1, fixed(functionId)) : args;
      return callForm(`${library}.${method}`, form, ...given);
    }),
})).call;

describe("any chain of methods", () => {
  test("ends in a value or a TaskError, and changes nothing but its own", { timeout: 180_000 }, () => {
    const prototypes = [Object.prototype, Array.prototype, String.prototype, Function.prototype];
    const before = prototypes.map((prototype) => Reflect.ownKeys(prototype).length);
    let [answered, refused] = [0, 0];
    fc.assert(
      fc.property(chain, (expression) => {
        const { document, incoming } = documentFor(expression, functions);
        const [copy, documentCopy] = [structuredClone(incoming), structuredClone(document)];
        try {
          const outgoing = run(document, incoming, { validateIncoming: true });
          expect(Object.keys(outgoing)).toEqual(["result"]);
          expect(() => structuredClone(outgoing)).not.toThrow();
          answered += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(TaskError);
          refused += 1;
        }
        expect(isDeepStrictEqual(incoming, copy)).toBe(true);
        expect(isDeepStrictEqual(document, documentCopy)).toBe(true);
        expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
      }),
      { numRuns: 3_000 },
    );
    expect(prototypes.map((prototype) => Reflect.ownKeys(prototype).length)).toEqual(before);
    // Both must happen often, or the property says little.
    expect(Math.min(answered, refused)).toBeGreaterThan(300);
  });
});
