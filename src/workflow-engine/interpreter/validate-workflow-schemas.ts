import { isJsonObject } from "../../core/json.ts";

/**
 * What is wrong with a literal value, as the rest of a sentence about it: its type, or a value outside the listed ones.
 * Only the top of the value is looked at; the task itself checks the rest when it runs.
 */
export function mismatchOf(value: unknown, schema: object): string | undefined {
  const types = typesOf(schema);
  if (types && !types.has(typeOf(value))) return `is ${typeOf(value)}, expected ${[...types].join(" or ")}`;
  const values = valuesOf(schema);
  if (values && !values.includes(value)) return `must be one of ${values.map((one) => JSON.stringify(one)).join(", ")}`;
  return undefined;
}

/** True when no value of the one schema can have a type of the other. */
export function areDisjoint(one: object, other: object): boolean {
  const types = typesOf(one);
  const others = typesOf(other);
  return types !== undefined && others !== undefined && ![...types].some((type) => others.has(type));
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The JSON types a schema admits; undefined when it admits any. */
function typesOf(schema: object): Set<string> | undefined {
  const { type, const: constant, enum: values } = schema as Record<string, unknown>;
  if (typeof type === "string" || Array.isArray(type)) {
    return new Set([type].flat().map((one) => (one === "integer" ? "number" : String(one))));
  }
  if (constant !== undefined) return new Set([typeOf(constant)]);
  if (Array.isArray(values)) return new Set(values.map(typeOf));
  const parts = alternativesOf(schema)?.map(typesOf);
  if (!parts || parts.includes(undefined)) return undefined;
  return new Set(parts.flatMap((part) => [...(part ?? [])]));
}

/** The only values a schema admits; undefined when it lists none. */
function valuesOf(schema: object): unknown[] | undefined {
  const { const: constant, enum: values } = schema as Record<string, unknown>;
  if (constant !== undefined) return [constant];
  if (Array.isArray(values)) return values;
  const parts = alternativesOf(schema)?.map(valuesOf);
  if (!parts || parts.includes(undefined)) return undefined;
  return parts.flatMap((part) => part ?? []);
}

function alternativesOf(schema: object): object[] | undefined {
  const { anyOf, oneOf } = schema as Record<string, unknown>;
  const parts = anyOf ?? oneOf;
  return Array.isArray(parts) && parts.every(isJsonObject) ? parts : undefined;
}
