import type { TSchema } from "@sinclair/typebox";

type Schema = Record<string, unknown>;

/**
 * The schema of a body with every object closed that does not say itself whether it takes further
 * members (decision 3). An object that is open stays open throughout: documents that must round-trip
 * keep unknown members at every depth.
 */
export function strictSchema(schema: TSchema): Schema {
  return rewrite(schema, true);
}

/** The schema of a query or of path parameters: what is not listed is passed over. */
export function lenientSchema(schema: TSchema): Schema {
  return rewrite(schema, false);
}

/** Unions of fixed values become an `enum`, which is checked at once and reads better in errors. */
function rewrite(schema: Schema, isClosed: boolean): Schema {
  const literals = literalOptions(schema["anyOf"]);
  if (literals) return enumOf(schema, literals);
  const rewritten: Schema = { ...schema };
  const isOpen = schema["additionalProperties"] === true;
  const rewriteChild = (child: unknown) => (isSchema(child) ? rewrite(child, isClosed && !isOpen) : child);
  for (const keyword of ["properties", "patternProperties"]) {
    if (isSchema(schema[keyword])) rewritten[keyword] = mapMembers(schema[keyword], rewriteChild);
  }
  for (const keyword of ["items", "additionalProperties", "anyOf", "oneOf", "prefixItems"]) {
    const child = schema[keyword];
    if (child !== undefined) rewritten[keyword] = Array.isArray(child) ? child.map(rewriteChild) : rewriteChild(child);
  }
  if (isClosed && isClosable(schema)) rewritten["additionalProperties"] = false;
  return rewritten;
}

/** Records name their members by pattern and are left to say for themselves what else they take. */
function isClosable(schema: Schema): boolean {
  return schema["type"] === "object" && isSchema(schema["properties"]) && schema["additionalProperties"] === undefined;
}

function mapMembers(members: Schema, map: (member: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]));
}

function literalOptions(union: unknown): Schema[] | undefined {
  if (!Array.isArray(union) || union.length === 0) return undefined;
  const options: unknown[] = union;
  return options.every((option): option is Schema => isSchema(option) && "const" in option) ? options : undefined;
}

/** The type is kept where text must become it (`order=1`); for texts the list of values says enough. */
function enumOf(schema: Schema, literals: readonly Schema[]): Schema {
  const { anyOf: _union, ...rest } = schema;
  const type = literals[0]?.["type"];
  const isConverted = type !== "string" && literals.every((literal) => literal["type"] === type);
  return {
    ...rest,
    ...(isConverted ? { type } : {}),
    enum: literals.map((literal) => literal["const"]),
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
