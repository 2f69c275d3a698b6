import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { validateJsonSchema, weighCheck } from "../../../src/task-library/json-schema.ts";

const draft = {
  4: "http://json-schema.org/draft-04/schema#",
  6: "http://json-schema.org/draft-06/schema#",
  7: "http://json-schema.org/draft-07/schema#",
  2019: "https://json-schema.org/draft/2019-09/schema",
  2020: "https://json-schema.org/draft/2020-12/schema",
};

/** Name, schema, values that match it, values that do not. */
const cases: readonly (readonly [string, object, unknown[], unknown[]])[] = [
  ["type", { type: ["integer", "null"] }, [1, 1.0, null], [1.5, "1", {}]],
  ["enum", { enum: [1, { a: [1] }] }, [1, { a: [1] }], ["1", { a: [2] }]],
  ["const", { const: { a: 1 } }, [{ a: 1 }], [{ a: 1, b: 2 }, 1]],
  ["bounds", { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, "x"], [0, 3]],
  ["bounds of draft 4", { $schema: draft[4], minimum: 1, exclusiveMinimum: true }, [2], [1]],
  ["multipleOf", { multipleOf: 0.01 }, [19.99, 0], [0.001]],
  ["length", { minLength: 1, maxLength: 2 }, ["a", "😀😀"], ["", "abc"]],
  ["pattern", { pattern: "^r\\d+$" }, ["r1", 5], ["r"]],
  ["format ipv4", { format: "ipv4" }, ["10.0.0.1", 3], ["10.0.0.256"]],
  ["format date-time", { format: "date-time" }, ["2024-01-01T00:00:00Z"], ["2024-13-01T00:00:00Z"]],
  ["unknown format", { format: "constructor" }, ["x"], []],
  ["required", { required: ["a", "toString"] }, [{ a: 1, toString: 1 }], [{ a: 1 }, {}]],
  [
    "additional",
    { properties: { a: {} }, patternProperties: { "^x": true }, additionalProperties: false },
    [{ a: 1, x1: 2 }],
    [{ b: 1 }],
  ],
  ["names", { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  ["dependencies", { dependencies: { a: ["b"], c: { required: ["d"] } } }, [{ a: 1, b: 1 }], [{ a: 1 }, { c: 1 }]],
  ["dependents of 2019", { $schema: draft[2019], dependentRequired: { a: ["b"] } }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  ["items", { items: { type: "string" }, minItems: 1, maxItems: 2 }, [["a"]], [[], [1], ["a", "b", "c"]]],
  ["tuple", { items: [{ type: "string" }], additionalItems: false }, [["a"], []], [[1], ["a", 1]]],
  ["tuple of 2020", { $schema: draft[2020], prefixItems: [{ type: "string" }], items: false }, [["a"]], [["a", 1]]],
  ["contains", { contains: { const: 1 } }, [[2, 1]], [[2], []]],
  ["minContains", { $schema: draft[2019], contains: { const: 1 }, minContains: 2 }, [[1, 1]], [[1]]],
  ["uniqueItems", { uniqueItems: true }, [[1, "1", { a: 1 }]], [[{ a: 1 }, { a: 1 }]]],
  ["all, any, one", { allOf: [{ minimum: 1 }], anyOf: [{ maximum: 5 }, { const: 9 }] }, [3, 9], [0, 7]],
  ["oneOf", { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [6, 5]],
  ["not", { not: { type: "string" } }, [1], ["a"]],
  ["if", { if: { minimum: 10 }, then: { multipleOf: 10 }, else: { maximum: 5 } }, [20, 3], [15, 7]],
  ["references", { $ref: "#/definitions/a", definitions: { a: { type: "string" } } }, ["x"], [1]],
  ["anchors", { $schema: draft[2020], $ref: "#b", $defs: { a: { $anchor: "b", type: "string" } } }, ["x"], [1]],
  ["trees", { properties: { next: { $ref: "#" } }, required: ["v"] }, [{ v: 1, next: { v: 2 } }], [{ v: 1, next: {} }]],
  [
    "unevaluated",
    { $schema: draft[2019], allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
];

describe("validateJsonSchema", () => {
  it.each(cases)("knows %s", (_name, schema, good, bad) => {
    for (const value of good) expect(validateJsonSchema(value, schema)).toEqual({ valid: true });
    for (const value of bad) expect(validateJsonSchema(value, schema)).toHaveProperty("errors.0.keyword");
  });

  it.each(Object.values(draft))("knows %s", ($schema) => {
    expect(validateJsonSchema(1, { $schema, type: "integer" }).valid).toBe(true);
    expect(validateJsonSchema("1", { $schema, type: "integer" }).valid).toBe(false);
  });

  it("tells every place that does not match, and by which keyword", () => {
    const schema = { properties: { a: { items: { type: "number" } } }, required: ["b"], additionalProperties: false };
    const { errors = [] } = validateJsonSchema({ a: [1, "2", "3"], c: 1 }, schema);
    expect(errors.map(({ instancePath, keyword }) => [instancePath, keyword])).toEqual([
      ["", "required"],
      ["/a/1", "type"],
      ["/a/2", "type"],
      ["", "additionalProperties"],
    ]);
    expect(validateJsonSchema(1, false)).toMatchObject({ valid: false, errors: [{ keyword: "false" }] });
  });

  it.each([
    ["an unknown draft", { $schema: "http://example.com/mine" }, /"http:\/\/example.com\/mine" are not known/u],
    ["a malformed keyword", { properties: { a: { type: "whole" } } }, /malformed at "\/properties\/a\/type"/u],
    ["another malformed keyword", { allOf: [{ minLength: -1 }] }, /malformed at "\/allOf\/0\/minLength"/u],
    ["a list", [], /malformed at ""/u],
    [
      "a reference to somewhere else",
      { $ref: "http://example.com/a.json" },
      /refers to "http:\/\/example.com\/a.json"/u,
    ],
    ["a bad pattern", { pattern: "(" }, /cannot be used: .*regular expression/u],
    ["a reference to itself", { $ref: "#" }, /for ever/u],
  ])("refuses %s", (_name, schema, message) => {
    expect(() => validateJsonSchema("x", schema)).toThrow(TaskError);
    expect(() => validateJsonSchema("x", schema)).toThrow(message);
  });

  it("refuses a reference that it would pass over", () => {
    const schema = { $schema: draft[2020], $dynamicRef: "#a", $defs: { a: { $dynamicAnchor: "a", type: "string" } } };
    expect(() => validateJsonSchema(1, schema)).toThrow("$ref in its place");
  });

  it("does not change the schema, which belongs to the job", () => {
    const schema = { $ref: "#/definitions/a", definitions: { a: {} } };
    validateJsonSchema(1, schema);
    expect(Object.getOwnPropertyNames(schema)).toEqual(["$ref", "definitions"]);
  });

  it("runs in a worker when its work has no bound", () => {
    const isHeavy = (value: unknown, schema: unknown) => weighCheck(value, schema) > 1;
    expect(isHeavy({ a: 1 }, { properties: { a: { type: "number" } } })).toBe(false);
    expect(isHeavy("a", { pattern: "(a+)+$" })).toBe(true);
    expect(isHeavy(1, { anyOf: [{ $ref: "#" }] })).toBe(true);
    expect(isHeavy(Array.from({ length: 1_000 }), {})).toBe(true);
    const nested = (depth: number): object =>
      depth === 0 ? { type: "string" } : { anyOf: [nested(depth - 1), nested(depth - 1)] };
    const many = Array.from({ length: 100 }, () => 1);
    expect(isHeavy(1, nested(5))).toBe(false);
    expect(isHeavy(many, { items: nested(5) })).toBe(true);
    expect(isHeavy(many, { items: { type: "number" } })).toBe(false);
  });

  it("says what Ajv says of draft 7", () => {
    const ajv = new Ajv({ strict: false, logger: false, validateFormats: false, allowUnionTypes: true });
    const leaf = fc.oneof(
      fc.constantFrom("integer", "number", "string", "null", "boolean", "array", "object").map((type) => ({ type })),
      fc.integer({ min: 0, max: 3 }).map((minimum) => ({ minimum })),
      fc.integer({ min: 0, max: 2 }).map((maxLength) => ({ maxLength })),
      fc.constantFrom("a", "b").map((name) => ({ required: [name] })),
      fc.jsonValue({ maxDepth: 1 }).map((value) => ({ const: value })),
      fc.boolean(),
    );
    const { schema } = fc.letrec<{ schema: boolean | object }>((tie) => ({
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        tie("schema").map((not) => ({ not })),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
        tie("schema").map((items) => ({ items })),
        tie("schema").map((contains) => ({ contains })),
        fc.tuple(tie("schema"), tie("schema")).map(([a, rest]) => ({ properties: { a }, additionalProperties: rest })),
        fc.tuple(tie("schema"), tie("schema")).map(([cond, then]) => ({ if: cond, then })),
      ),
    }));
    const name = fc.constantFrom("a", "b", "c");
    const small = fc.oneof(
      fc.integer({ min: -1, max: 4 }),
      fc.constantFrom("", "x", "xyz"),
      fc.boolean(),
      fc.constant(null),
    );
    // Objects of JSON have a prototype; to Ajv those without are never equal to a "const".
    const object = fc.dictionary(name, small, { maxKeys: 3, noNullPrototype: true });
    const value = fc.oneof(small, fc.array(small, { maxLength: 3 }), object);
    fc.assert(
      fc.property(schema, value, (given, instance) => {
        expect(validateJsonSchema(instance, given).valid).toBe(ajv.validate(given, instance));
      }),
      { numRuns: 300 },
    );
  });
});
