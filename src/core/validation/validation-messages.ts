import type { ErrorObject } from "ajv";
import type { ErrorDetail } from "../errors.ts";
import { pointerToken } from "../json-pointer.ts";

type Parameters = Readonly<Record<string, unknown>>;

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

const messages: Readonly<Record<string, (parameters: Parameters) => string>> = {
  required: () => "is required",
  additionalProperties: () => "is not allowed here",
  unevaluatedProperties: () => "is not allowed here",
  type: ({ type }) => `must be ${typeWords(type)}`,
  enum: ({ allowedValues }) => `must be one of ${listWords(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: ({ limit }) => `must have at most ${limit} characters`,
  minItems: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} items`),
  maxItems: ({ limit }) => `must have at most ${limit} items`,
  uniqueItems: ({ i, j }) => `must not have the same item twice (items ${j} and ${i})`,
  minProperties: ({ limit }) => (limit === 1 ? "must not be empty" : `must have at least ${limit} members`),
  maxProperties: ({ limit }) => `must have at most ${limit} members`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be greater than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  format: ({ format }) => `must be a valid ${format}`,
  not: () => "has a value that is not allowed",
};

/** A validation error in plain words, at the place it concerns: a missing or surplus member is named itself. */
export function describeError(error: ErrorObject): ErrorDetail {
  const parameters: Parameters = error.params;
  const member = parameters["missingProperty"] ?? parameters["additionalProperty"] ?? parameters["unevaluatedProperty"];
  const path = typeof member === "string" ? `${error.instancePath}/${pointerToken(member)}` : error.instancePath;
  const message = messages[error.keyword]?.(parameters) ?? error.message ?? "is not valid";
  return { path, message };
}

/** What a value may be when it fits no option of a union for its very type. */
export function describeTypes(types: readonly string[]): string {
  return `must be ${typeWords(types)}`;
}

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((name) => typeNames[String(name)] ?? String(name)).join(" or ");
}

function listWords(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : "";
}
