import { isJsonObject } from "../core/json.ts";
import { pointerToken } from "../core/json-pointer.ts";
import { TaskError } from "../core/task.ts";

type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === "number";
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isText: Check = (value) => typeof value === "string";
const isBoolean: Check = (value) => typeof value === "boolean";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isSchema: Check = (value) => isJsonObject(value) || isBoolean(value);
const isSchemas: Check = (value) => Array.isArray(value) && value.length > 0;
const typeNames = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
const isTypeName: Check = (value) => typeof value === "string" && typeNames.has(value);

interface Shape {
  expected: string;
  check: Check;
}

const count = { expected: "a whole number from 0 on", check: isCount };
const number = { expected: "a number", check: isNumber };
const text = { expected: "text", check: isText };
const boolean = { expected: "true or false", check: isBoolean };
const texts = { expected: "an array of texts", check: isTexts };
const schema = { expected: "a schema", check: isSchema };
const schemaList = { expected: "a list of schemas", check: isSchemas };
const schemaMap = { expected: "an object of schemas", check: isJsonObject };
// Draft 4 has a boolean there, which makes `minimum` and `maximum` strict.
const bound: Shape = { expected: "a number", check: (value) => isNumber(value) || isBoolean(value) };

/** What the value of a keyword must be; keywords of all drafts together. */
const shapes: Readonly<Record<string, Shape>> = {
  type: {
    expected: `one or more of ${[...typeNames].join(", ")}`,
    check: (value) => isTypeName(value) || (Array.isArray(value) && value.length > 0 && value.every(isTypeName)),
  },
  enum: { expected: "a list", check: Array.isArray },
  required: texts,
  properties: schemaMap,
  patternProperties: schemaMap,
  additionalProperties: schema,
  unevaluatedProperties: schema,
  propertyNames: schema,
  minProperties: count,
  maxProperties: count,
  dependencies: { expected: "an object", check: isJsonObject },
  dependentRequired: { expected: "an object", check: isJsonObject },
  dependentSchemas: schemaMap,
  items: { expected: "a schema or a list of schemas", check: (value) => isSchema(value) || Array.isArray(value) },
  prefixItems: schemaList,
  additionalItems: schema,
  unevaluatedItems: schema,
  contains: schema,
  minContains: count,
  maxContains: count,
  minItems: count,
  maxItems: count,
  uniqueItems: boolean,
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: { expected: "a number above 0", check: (value) => isNumber(value) && Number(value) > 0 },
  minLength: count,
  maxLength: count,
  pattern: text,
  format: text,
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  not: schema,
  if: schema,
  then: schema,
  else: schema,
  $ref: text,
  $anchor: text,
  $dynamicRef: { expected: "$ref in its place, as it is not supported", check: () => false },
  definitions: schemaMap,
  $defs: schemaMap,
};

const schemaMaps = new Set(["properties", "patternProperties", "dependentSchemas", "definitions", "$defs"]);
const schemaPlaces = new Set(
  Object.entries(shapes).flatMap(([keyword, shape]) => (shape === schema || shape === schemaList ? [keyword] : [])),
).add("items");

/** Checks that every keyword of a JSON schema has a value of its kind. TaskError that names the first which has not. */
export function requireSchemaShape(given: unknown, pointer = ""): void {
  if (typeof given === "boolean") return;
  if (!isJsonObject(given)) throw malformed(pointer, schema.expected);
  for (const [keyword, value] of Object.entries(given)) {
    const shape = Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined;
    const place = `${pointer}/${pointerToken(keyword)}`;
    if (shape && !shape.check(value)) throw malformed(place, shape.expected);
    if (schemaMaps.has(keyword)) requireEach(Object.entries(value as object), place);
    else if (schemaPlaces.has(keyword) && Array.isArray(value)) requireEach(Object.entries(value), place);
    else if (schemaPlaces.has(keyword)) requireSchemaShape(value, place);
  }
}

function requireEach(schemas: readonly (readonly [string, unknown])[], place: string): void {
  for (const [name, value] of schemas) requireSchemaShape(value, `${place}/${pointerToken(name)}`);
}

function malformed(pointer: string, expected: string): TaskError {
  return new TaskError(`The schema is malformed at "${pointer}": expected ${expected}`);
}
