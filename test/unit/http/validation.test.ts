import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { strictSchema } from "../../../src/http/strict-schema.ts";
import { createValidatorFactory } from "../../../src/core/validation/validator.ts";

const { forJson } = createValidatorFactory();
const find = (schema: Parameters<typeof strictSchema>[0], body: unknown) =>
  forJson({ body: strictSchema(schema) })({ body }, 0);

describe("unions in errors", () => {
  const Target = Type.Union([
    Type.Object({ type: Type.Literal("device"), name: Type.String() }),
    Type.Object({ type: Type.Literal("group"), id: Type.Integer(), note: Type.Optional(Type.String()) }),
  ]);

  test("the option that is meant is the one reported", () => {
    expect(find(Target, { type: "group", id: "x", note: 1 })).toEqual([
      { path: "/body/id", message: "must be an integer" },
      { path: "/body/note", message: "must be a string" },
    ]);
  });

  test("a union inside a union is reported at its own place", () => {
    const schema = Type.Union([Type.Object({ targets: Type.Array(Target) }), Type.String()]);
    expect(find(schema, { targets: [{ type: "device" }] })).toEqual([
      { path: "/body/targets/0/name", message: "is required" },
    ]);
    expect(find(schema, 7)).toEqual([{ path: "/body", message: "must be an object or a string" }]);
  });

  test("a value that fits none for other reasons is told so", () => {
    const schema = Type.Union([Type.String({ minLength: 3 }), Type.String({ pattern: "^x$" })]);
    expect(find(schema, "ab")).toHaveLength(1);
  });
});

describe("strictness", () => {
  test("objects are closed at every depth unless they or one around them is open", () => {
    const schema = Type.Object({
      list: Type.Array(Type.Object({ a: Type.Optional(Type.String()) })),
      open: Type.Object({ inner: Type.Object({ a: Type.Optional(Type.String()) }) }, { additionalProperties: true }),
      free: Type.Record(Type.String(), Type.Object({ a: Type.Optional(Type.String()) })),
    });
    const body = { list: [{ b: 1 }], open: { x: 1, inner: { b: 1 } }, free: { any: { b: 1 } } };
    expect(find(schema, body).map(({ path }) => path)).toEqual(["/body/list/0/b", "/body/free/any/b"]);
  });

  test("recursive schemas work, also twice in one server", () => {
    const Tree = Type.Recursive((This) => Type.Object({ name: Type.String(), children: Type.Array(This) }));
    const leaf = { name: "leaf", children: [] };
    for (const schema of [Tree, Type.Object({ tree: Tree }), Tree]) {
      const body = schema === Tree ? { name: "root", children: [leaf] } : { tree: { name: "root", children: [leaf] } };
      expect(find(schema, body)).toEqual([]);
    }
    expect(find(Tree, { name: "root", children: [{ name: 1, children: [] }] })).toEqual([
      { path: "/body/children/0/name", message: "must be a string" },
    ]);
  });

  test("intersections take the members of all their parts", () => {
    const schema = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })], {
      unevaluatedProperties: false,
    });
    expect(find(schema, { a: "1", b: "2" })).toEqual([]);
    expect(find(schema, { a: "1", b: "2", c: 3 })).toEqual([{ path: "/body/c", message: "is not allowed here" }]);
  });

  test("formats are checked", () => {
    expect(find(Type.String({ format: "date-time" }), "yesterday")).toEqual([
      { path: "/body", message: "must be a valid date-time" },
    ]);
  });
});
