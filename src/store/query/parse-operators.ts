import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { all, any, field, not, type Comparison, type Condition, type JsonType, type Path } from "./condition.ts";
import { countCondition, enter, queryLimits, refused, type Place } from "./parse-place.ts";
import { isWellFormed } from "./path.ts";

/** What an operator is applied to: its path, where it stands, its neighbours, and how a whole query is read (for `$elemMatch` and `$memberMatch`). */
export interface OperatorContext {
  path: Path;
  place: Place;
  siblings: JsonObject;
  parseMembers(query: JsonObject, place: Place): Condition[];
}

type OperatorParser = (operand: Json, context: OperatorContext) => Condition;

const operators: Readonly<Record<string, OperatorParser>> = {
  $eq: (operand, { path, place }) => field(path, { test: "oneOf", values: [literal(operand, place)] }),
  $ne: (operand, { path, place }) => not(field(path, { test: "oneOf", values: [literal(operand, place)] })),
  $in: (operand, { path, place }) => field(path, { test: "oneOf", values: literals(operand, place) }),
  $nin: (operand, { path, place }) => not(field(path, { test: "oneOf", values: literals(operand, place) })),
  $gt: comparing(">"),
  $gte: comparing(">="),
  $lt: comparing("<"),
  $lte: comparing("<="),
  $exists: parseExists,
  $type: (operand, { path, place }) => field(path, { test: "type", types: parseTypes(operand, place) }),
  $size: parseSize,
  $all: parseAll,
  $elemMatch: matching("element"),
  $memberMatch: matching("member"),
  $not: parseNot,
  $regex: parseRegex,
  $options: parseOptions,
};

const typeNames: Readonly<Record<string, JsonType>> = {
  null: "null",
  bool: "bool",
  string: "string",
  object: "object",
  array: "array",
  number: "number",
  // JSON has one type of number.
  double: "number",
  int: "number",
  long: "number",
  decimal: "number",
};

const regexOptions = /^[ims]*$/u;

/** The condition on one member of a query: a value to be equal to, or an object of operators. */
export function parseField(value: Json, context: OperatorContext): Condition {
  if (isOperatorObject(value)) return all(parseOperators(value, context));
  countCondition(context.place);
  return field(context.path, { test: "oneOf", values: [literal(value, context.place)] });
}

function isOperatorObject(value: Json): value is JsonObject {
  return isJsonObject(value) && Object.keys(value).some((name) => name.startsWith("$"));
}

function parseOperators(value: JsonObject, context: OperatorContext): Condition[] {
  const conditions: Condition[] = [];
  for (const [name, operand] of Object.entries(value)) {
    if (operand === undefined) continue;
    const place = enter(context.place, name);
    const parse = Object.hasOwn(operators, name) ? operators[name] : undefined;
    if (!parse)
      throw refused(
        place,
        name.startsWith("$") ? `has the unknown operator "${name}"` : `mixes operators with the member "${name}"`,
      );
    countCondition(place);
    conditions.push(parse(operand, { ...context, place, siblings: value }));
  }
  return conditions;
}

function literal(value: Json, place: Place): Json {
  if (typeof value === "string" && !isWellFormed(value))
    throw refused(place, "has text that is not well-formed Unicode");
  return value;
}

function list(operand: Json, place: Place): Json[] {
  if (!Array.isArray(operand)) throw refused(place, "needs an array here");
  if (operand.length > queryLimits.listValues)
    throw refused(place, `has more than ${queryLimits.listValues} values here`);
  return operand;
}

function literals(operand: Json, place: Place): Json[] {
  return list(operand, place).map((value, index) => {
    const at = enter(place, index);
    if (isOperatorObject(value)) throw refused(at, "has operators inside a list of values");
    return literal(value, at);
  });
}

function comparing(comparison: Comparison): OperatorParser {
  return (operand, { path, place }) => {
    const value = literal(operand, place);
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      throw refused(place, "can compare only with a string, a number or a boolean");
    }
    return field(path, { test: "compare", comparison, value });
  };
}

function parseExists(operand: Json, { path, place }: OperatorContext): Condition {
  const exists = field(path, { test: "exists" });
  if (operand === true || operand === 1) return exists;
  if (operand === false || operand === 0) return not(exists);
  throw refused(place, "needs true or false for $exists");
}

function parseTypes(operand: Json, place: Place): JsonType[] {
  const names = Array.isArray(operand) ? list(operand, place) : [operand];
  if (names.length === 0) throw refused(place, "needs at least one type for $type");
  return names.map((name) => {
    const type = typeof name === "string" && Object.hasOwn(typeNames, name) ? typeNames[name] : undefined;
    if (!type) throw refused(place, `has an unknown $type; known are ${Object.keys(typeNames).join(", ")}`);
    return type;
  });
}

function parseSize(operand: Json, { path, place }: OperatorContext): Condition {
  if (typeof operand !== "number" || !Number.isSafeInteger(operand) || operand < 0)
    throw refused(place, "needs a whole number from 0 for $size");
  return field(path, { test: "size", size: operand });
}

function parseAll(operand: Json, context: OperatorContext): Condition {
  const values = list(operand, context.place);
  // As in MongoDB, a list of nothing is contained in nothing.
  if (values.length === 0) return any([]);
  return all(
    values.map((value, index) => {
      const place = enter(context.place, index);
      if (isOperatorObject(value) && Object.keys(value).join() !== "$elemMatch")
        throw refused(place, "allows only values and $elemMatch in $all");
      return parseField(value, { ...context, place });
    }),
  );
}

/** Operators on the elements of an array or on the values of an object, or a query on those of them that are objects. */
function matching(test: "element" | "member"): OperatorParser {
  const name = test === "element" ? "$elemMatch" : "$memberMatch";
  return (operand, context) => {
    const { path, place } = context;
    if (!isJsonObject(operand)) throw refused(place, `needs an object for ${name}`);
    const isOnValues = Object.keys(operand).some((name) => Object.hasOwn(operators, name));
    const conditions = isOnValues
      ? parseOperators(operand, { ...context, path: [] })
      : [field([], { test: "type", types: ["object"] }), ...context.parseMembers(operand, place)];
    return field(path, { test, condition: all(conditions) });
  };
}

function parseNot(operand: Json, context: OperatorContext): Condition {
  if (!isOperatorObject(operand)) throw refused(context.place, "needs an object of operators for $not");
  return not(all(parseOperators(operand, context)));
}

function parseRegex(operand: Json, { path, place, siblings }: OperatorContext): Condition {
  const options = siblings["$options"] ?? "";
  if (typeof operand !== "string") throw refused(place, "needs a string for $regex");
  if (operand.length > queryLimits.regexLength)
    throw refused(place, `has a $regex of more than ${queryLimits.regexLength} characters`);
  if (typeof options !== "string" || !regexOptions.test(options))
    throw refused(place, "allows only the letters i, m and s in $options");
  return field(path, { test: "regex", expression: compileRegex(operand, [...new Set(options)].join(""), place) });
}

function compileRegex(pattern: string, flags: string, place: Place): RegExp {
  try {
    return Object.freeze(new RegExp(pattern, flags));
  } catch {
    throw refused(place, "has a $regex that is not a regular expression");
  }
}

/** `$options` is read with its `$regex`; alone it means nothing. */
function parseOptions(_operand: Json, { place, siblings }: OperatorContext): Condition {
  if (siblings["$regex"] === undefined) throw refused(place, "has $options without $regex");
  return all([]);
}
