import { Ajv2019, type AnySchemaObject } from "ajv/dist/2019.js";

/** Does the value match? */
export type PayloadCheck = (value: unknown) => boolean;

/** Compiles a pattern of a schema to something that always comes to an end; throws when it is malformed. */
export type CompilePattern = (source: string) => { test(text: string): boolean };

/** A schema of a user that cannot be used; the message tells why. */
export class PayloadSchemaError extends Error {
  override readonly name = "PayloadSchemaError";
}

/** Characters of a schema as JSON, at most. */
export const largestPayloadSchema = 16_384;

// References may make a small schema an endless one; unique items are compared each with each.
const refusedKeywords = new Set(["$ref", "$dynamicRef", "$recursiveRef", "uniqueItems", "$async", "$data"]);

// The keywords check their own values; to hold the schema against its meta-schema as well takes thirty times as long.
const settings = { strict: false, validateFormats: false, logger: false, meta: false, validateSchema: false } as const;

/**
 * Compiles a JSON schema (draft 2019-09) that a user wrote. It is bounded: its size, its patterns, and the
 * keywords whose work has no bound are refused. `format` is a note, as the standard has it.
 */
export function compilePayloadSchema(schema: unknown, compilePattern: CompilePattern): PayloadCheck {
  requireBounded(schema);
  const regExp = Object.assign((source: string) => compilePattern(source), { code: "boundedPattern" });
  const ajv = new Ajv2019({ ...settings, code: { regExp } });
  try {
    const check = ajv.compile(schema as AnySchemaObject | boolean);
    return (value) => check(value) === true;
  } catch (thrown) {
    throw new PayloadSchemaError(thrown instanceof Error ? thrown.message.slice(0, 300) : "the schema is malformed");
  }
}

function requireBounded(schema: unknown): void {
  const isSchema = typeof schema === "boolean" || (typeof schema === "object" && schema !== null);
  if (!isSchema || Array.isArray(schema)) throw new PayloadSchemaError("a JSON schema is an object");
  const text = JSON.stringify(schema, (name, value: unknown) => {
    if (refusedKeywords.has(name) && value !== false) throw new PayloadSchemaError(`"${name}" is not supported here`);
    return value;
  });
  if (text.length > largestPayloadSchema) {
    throw new PayloadSchemaError(`the schema has more than ${largestPayloadSchema} characters`);
  }
}
