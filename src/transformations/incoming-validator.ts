import { Ajv, type ValidateFunction } from "ajv";
import { HeavyWorkError } from "../core/heavy-work.ts";
import { isJsonObject } from "../core/json.ts";
import { TaskError } from "../core/task.ts";
import { isObject } from "./libraries/conversions.ts";
import { deepEquals } from "./libraries/deep-equals.ts";
import { RunBudget } from "./run-limits.ts";
import type { TransformationEnvironment } from "./transformation-environment.ts";
import type { TransformationSlot } from "./transformation-schema.ts";

/** Checks incoming values against their schemas. TaskError that names the incoming and the place in it. */
export type IncomingValidator = (incoming: readonly unknown[]) => void;

/**
 * Compiles the schemas of all incoming values, JSON schema draft 07 without `format` (an annotation there).
 * A value that is undefined is not checked. Each validation is bounded as a run is: patterns run in the engine of
 * the environment, and following references and comparing elements counts.
 */
export function createIncomingValidator(
  slots: readonly TransformationSlot[],
  environment: TransformationEnvironment,
): IncomingValidator {
  const start = () => new RunBudget(environment);
  let budget = start();
  const ajv = createAjv(environment, () => budget);
  const checks = slots.map((slot) => ({ name: slot.$id, check: compileSchema(ajv, slot) }));
  return (incoming) => {
    budget = start();
    for (const [index, { name, check }] of checks.entries()) {
      const problem = incoming[index] === undefined ? undefined : findProblem(check, incoming[index]);
      if (problem !== undefined) throw new TaskError(`Validation of incoming "${name}" failed: ${problem}`);
    }
  };
}

function createAjv(environment: TransformationEnvironment, budget: () => RunBudget): Ajv {
  const ajv = new Ajv({
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    unicodeRegExp: false,
    ownProperties: true,
    addUsedSchema: false,
    code: { regExp: Object.assign(boundedPatterns(environment, budget), { code: "" }) },
  });
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    error: { message: "must NOT have duplicate items" },
    validate: (isUnique: unknown, list: readonly unknown[]) => isUnique !== true || areUnique(list, budget()),
  });
  // Stands beside every reference: only through references can a small schema take for ever.
  ajv.addKeyword({
    keyword: countedKeyword,
    validate() {
      budget().countStep();
      return true;
    },
  });
  return ajv;
}

const countedKeyword = "isCounted";

function boundedPatterns(environment: TransformationEnvironment, budget: () => RunBudget) {
  return (pattern: string, flags: string) => {
    const expression = environment.compileRegularExpression(pattern, flags);
    return {
      test(text: string): boolean {
        budget().checkTime();
        return expression.test(text);
      },
    };
  };
}

/** Compares every two elements by what they hold. */
function areUnique(list: readonly unknown[], budget: RunBudget): boolean {
  const primitives = new Set(list.filter((element) => !isObject(element)));
  const objects = list.filter(isObject);
  if (primitives.size + objects.length < list.length) return false;
  return objects.every((one, index) =>
    objects.slice(index + 1).every((other) => !deepEquals(one, other, (cells) => budget.charge(cells))),
  );
}

function compileSchema(ajv: Ajv, slot: TransformationSlot): ValidateFunction {
  try {
    return ajv.compile(withoutIds(slot));
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it is malformed";
    throw new TaskError(`The schema of incoming "${slot.$id}" cannot be used: ${reason}`);
  }
}

/** What is wrong with a value; also that a check gave up, on a pattern or on a value nested too deep. */
function findProblem(check: ValidateFunction, value: unknown): string | undefined {
  try {
    if (check(value)) return undefined;
  } catch (error) {
    if (error instanceof HeavyWorkError) throw error;
    return error instanceof Error ? error.message : "it cannot be checked";
  }
  const [first] = check.errors ?? [];
  return `${first?.instancePath === "" ? "the value" : first?.instancePath} ${first?.message ?? "is not valid"}`;
}

const schemaLists = new Set(["allOf", "anyOf", "oneOf"]);
const schemaMaps = new Set(["properties", "patternProperties", "definitions", "$defs", "dependencies"]);
const schemas = new Set([
  "items",
  "additionalItems",
  "additionalProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);

/** In these documents `$id` is the name of a value and may repeat; to a validator it would be an address. */
function withoutIds(schema: unknown): Record<string, unknown> {
  if (!isJsonObject(schema)) return {};
  const cleaned: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword !== "$id" && keyword !== "$schema") cleaned[keyword] = cleanKeyword(keyword, value);
  }
  if (Object.hasOwn(cleaned, "$ref")) cleaned[countedKeyword] = true;
  return cleaned;
}

function cleanKeyword(keyword: string, value: unknown): unknown {
  if (schemas.has(keyword) || schemaLists.has(keyword))
    return Array.isArray(value) ? value.map(cleanSchema) : cleanSchema(value);
  if (!schemaMaps.has(keyword) || !isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, cleanSchema(schema)]));
}

// A schema may also be true or false; a list here is one of property names.
function cleanSchema(schema: unknown): unknown {
  return isJsonObject(schema) ? withoutIds(schema) : schema;
}
