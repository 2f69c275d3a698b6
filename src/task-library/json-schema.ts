import { validate, type OutputUnit, type Schema, type SchemaDraft } from "@cfworker/json-schema";
import { shareOf } from "../core/input-size.ts";
import { isJsonObject } from "../core/json.ts";
import { TaskError } from "../core/task.ts";
import { requireSchemaShape } from "./json-schema-shape.ts";

/** One place where a value does not match; members as Ajv names them. */
export interface SchemaMismatch {
  /** JSON pointer of the place in the value. */
  instancePath: string;
  /** Place of the keyword in the schema, as the fragment of an address. */
  schemaPath: string;
  keyword: string;
  message: string;
}

export interface SchemaVerdict {
  valid: boolean;
  /** Absent when valid; 100 at most. */
  errors?: SchemaMismatch[];
}

const mostErrors = 100;

const drafts: readonly (readonly [name: RegExp, draft: SchemaDraft])[] = [
  [/draft-04/u, "4"],
  [/draft-0[67]/u, "7"],
  [/2019-09/u, "2019-09"],
  [/2020-12/u, "2020-12"],
];

/**
 * Does the value match a JSON schema of draft 4, 6, 7, 2019-09 or 2020-12? `$schema` says which; without it 7. Formats
 * count. References lead to places in the schema only. TaskError for a schema that cannot be used.
 */
export function validateJsonSchema(value: unknown, schema: unknown): SchemaVerdict {
  const draft = draftOf(schema);
  requireSchemaShape(schema);
  // The library notes addresses in the schema, which belongs to the job.
  const copy = structuredClone(schema) as Schema | boolean;
  const { valid, errors } = explained(() => validate(value, copy as Schema, draft, undefined, false));
  return valid ? { valid } : { valid, errors: mismatches(errors) };
}

function draftOf(schema: unknown): SchemaDraft {
  const $schema = isJsonObject(schema) ? schema["$schema"] : undefined;
  if ($schema === undefined) return "7";
  const name = typeof $schema === "string" ? $schema : JSON.stringify($schema);
  const found = drafts.find(([known]) => known.test(name));
  if (found) return found[1];
  throw new TaskError(`JSON schemas of "${name.slice(0, 200)}" are not known; drafts 4 to 2020-12 are`);
}

function explained<Result>(compute: () => Result): Result {
  try {
    return compute();
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "";
    const reference = /^Unresolved \$ref "(.*?)"/su.exec(message)?.[1];
    if (reference !== undefined) throw new TaskError(`The schema refers to "${reference}", which is not a place in it`);
    if (thrown instanceof RangeError) throw new TaskError("The schema and the value are nested too deep, or for ever");
    throw new TaskError(`The schema cannot be used: ${message.split("\n")[0]?.slice(0, 300)}`);
  }
}

/** Keywords that only pass on what the schemas below them found. */
const passedOn = new Set([
  "$ref",
  "$recursiveRef",
  "properties",
  "patternProperties",
  "items",
  "prefixItems",
  "allOf",
  "dependentSchemas",
]);

function mismatches(errors: readonly OutputUnit[]): SchemaMismatch[] {
  const own = errors.filter(({ keyword }) => !passedOn.has(keyword));
  // A schema that is false is told of by the keyword that holds it, where there is one.
  const told = own.filter(({ keyword }) => keyword !== "false");
  return (told.length > 0 ? told : own).slice(0, mostErrors).map(mismatch);
}

function mismatch({ instanceLocation, keywordLocation, keyword, error }: OutputUnit): SchemaMismatch {
  return { instancePath: pathOf(instanceLocation), schemaPath: keywordLocation, keyword, message: error };
}

function pathOf(location: string): string {
  return location.replace(/^#/u, "");
}

const unbounded = new Set(["$ref", "$recursiveRef", "pattern", "patternProperties", "uniqueItems", "format"]);
const smallSchema = { characters: 20_000, elements: 300 };
const smallValue = { characters: 50_000, elements: 150 };

/** Keywords whose schemas are held against a value beside others, so that each of many parts meets each of many values. */
const repeating = new Set([
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "contains",
  "propertyNames",
  "dependencies",
  "dependentSchemas",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const mostMeetings = 2_500;

/**
 * What the check takes of the time on the event loop (`Task.weigh`). Without references each part of a schema meets each part of a value once at most, which
 * takes some ten microseconds; patterns and comparisons of elements have no such bound.
 */
export function weighCheck(value: unknown, schema: unknown): number {
  const share = Math.max(shareOf(schema, smallSchema), shareOf(value, smallValue));
  if (share > 1 || hasKeyword(schema, unbounded)) return Infinity;
  const meetings = hasKeyword(schema, repeating) ? partsOf(schema) * partsOf(value) : 0;
  return Math.max(share, meetings / mostMeetings);
}

function hasKeyword(schema: unknown, keywords: ReadonlySet<string>): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(([name, value]) => keywords.has(name) || hasKeyword(value, keywords));
}

function partsOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + partsOf(part), 1);
}
