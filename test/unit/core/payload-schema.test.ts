import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePayloadSchema, PayloadSchemaError } from "../../../src/core/validation/payload-schema.ts";
import { compileEventSchema } from "../../../src/workflow-engine/interpreter/event-filter.ts";

const plain = (source: string) => new RegExp(source, "u");

describe("a schema of payloads", () => {
  it("decides what matches", () => {
    const schema = {
      type: "object",
      required: ["site"],
      properties: {
        site: { type: "string", pattern: "^[a-z]+$" },
        ports: { type: "array", items: { type: "integer" } },
      },
    };
    const check = compilePayloadSchema(schema, plain);
    expect(check({ site: "berlin", ports: [1, 2] })).toBe(true);
    for (const wrong of [{}, { site: "B1" }, { site: "x", ports: ["1"] }, "text", null])
      expect(check(wrong)).toBe(false);
  });

  it.each([
    ["text", "an object"],
    [[], "an object"],
    [null, "an object"],
    [{ type: "nothing" }, "type"],
    [{ type: 3 }, "type"],
    [{ required: "site" }, "required"],
    [{ properties: 3 }, "properties"],
    [{ items: 3 }, "items"],
    [{ maximum: "1);process.exit(1)//" }, "maximum"],
    [{ pattern: "(" }, "xpression"],
    [{ properties: { a: { $ref: "#" } } }, "$ref"],
    [{ uniqueItems: true }, "uniqueItems"],
    [{ description: "x".repeat(20_000) }, "16384"],
  ])("that cannot be used is refused: %j", (schema, text) => {
    expect(() => compilePayloadSchema(schema, plain)).toThrow(PayloadSchemaError);
    expect(() => compilePayloadSchema(schema, plain)).toThrow(text);
  });

  it("with a hostile pattern comes to an end", () => {
    const check = compileEventSchema({ type: "string", pattern: "^(a+)+$" });
    expect(check("aaaa")).toBe(true);
    expect(() => check(`${"a".repeat(50_000)}b`)).not.toThrow(RangeError);
  });

  it("is refused as such, whatever JSON it is, or decides", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom("type", "items", "properties", "anyOf", "const"),
        (value, keyword) => {
          try {
            expect(typeof compilePayloadSchema({ [keyword]: value }, plain)({ a: 1 })).toBe("boolean");
          } catch (thrown) {
            expect(thrown).toBeInstanceOf(PayloadSchemaError);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
