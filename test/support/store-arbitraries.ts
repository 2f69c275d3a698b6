import fc from "fast-check";
import type { Json, JsonObject } from "../../src/core/json.ts";
import { isWellFormed } from "../../src/store/query/path.ts";
import type { Query } from "../../src/store/query.ts";

/** Few names and values, so that queries and documents meet; some of them are hostile to SQL and JSON paths. */
const hostileNames = ['x"y', "o'brien", "[0]", "größe", "\\", "__proto__", "c", "-1", "{}", "n\u0000"];
const pathName = fc.oneof(
  { weight: 6, arbitrary: fc.constant("a") },
  { weight: 4, arbitrary: fc.constant("b") },
  { weight: 3, arbitrary: fc.constant("0") },
  { weight: 2, arbitrary: fc.constant("1") },
  { weight: 2, arbitrary: fc.constantFrom(...hostileNames) },
);
const usual = fc.constantFrom<Json>(0, 1, "a", "b", null, true);
const text = fc.constantFrom(
  "",
  "a",
  "b",
  "ab",
  "A",
  "0",
  "5",
  "null",
  "[1]",
  '{"a":1}',
  "é",
  "😀",
  "\uffee",
  "x\u0000y",
  "x\u0001y",
  "\\u0000",
  "\\ud83d",
  "\ud7ff",
  "\ue000",
  "\ufffd",
  "a\n1",
  "'; --",
);
/** Halves of characters: documents may hold them, queries only within objects and arrays. */
const half = fc.constantFrom("\ud83d", "\ud83da", "\ude00");
const documentText = fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: half });
const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -2, max: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.1, 1.5, -0.5, 1e21, 2 ** 62, 2 ** 53, 5e-324, 1.7976931348623157e308) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
);
const scalar: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: usual },
  { weight: 2, arbitrary: fc.oneof(documentText, number, fc.boolean()) },
);

const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 3, arbitrary: scalar },
    { weight: 3, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    { weight: 3, arbitrary: objectOf(tie("value")) },
  ),
}));

function objectOf(member: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc
    .uniqueArray(fc.tuple(pathName, member), { minLength: 1, maxLength: 4, selector: ([name]) => name })
    .map((members) => Object.fromEntries(members));
}

/** Any document, with identifiers `d0`, `d1`, …. */
export const anyDocuments: fc.Arbitrary<JsonObject[]> = fc
  .array(objectOf(value), { minLength: 4, maxLength: 8 })
  .map((bodies) => bodies.map((body, index) => ({ _id: `d${index}`, ...body })));

const indexedValue = fc.oneof(documentText, number, fc.constant(null), fc.constant(undefined));

/** Documents for the collection `tasks`: its indexed fields hold text, numbers or nothing. */
export const taskDocuments: fc.Arbitrary<JsonObject[]> = fc
  .array(
    fc.tuple(
      indexedValue,
      indexedValue,
      fc.oneof(
        fc.constant(null),
        documentText,
        indexedValue.map((_id) => ({ _id })),
      ),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((rows) => rows.map(([status, type, job], index) => ({ _id: `d${index}`, status, type, job })));

const anyPath = fc
  .oneof(
    { weight: 2, arbitrary: fc.array(pathName, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(pathName, { minLength: 3, maxLength: 4 }) },
  )
  .map((path) => path.join("."));
const taskPath = fc.constantFrom("status", "type", "job._id", "job", "_id");

const comparison = fc.constantFrom("$gt", "$gte", "$lt", "$lte");
const comparable = fc.oneof(text, number, fc.boolean());
const plainPattern = fc.constantFrom(
  "a",
  "^a",
  "b$",
  "^$",
  "^a$",
  "",
  "$",
  "é",
  "😀",
  "^\\[1",
  "\\\\u",
  "\\n",
  "1\\]$",
);
const pattern = fc.oneof(plainPattern, fc.constantFrom("A|5", ".", "[0-9]", "^a.", "^ab?$", "^A+", "^[^a]", "\u0000"));
const typeName = fc.constantFrom("null", "bool", "number", "string", "object", "array", "int");
const one = (name: string, operand: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  operand.map((item) => ({ [name]: item }));

/** Literals that are not read as operators. */
const literal = fc
  .oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: value })
  .filter((item) => typeof item !== "string" || isWellFormed(item));

function operatorsOver(query: fc.Arbitrary<JsonObject>, self: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc.oneof(
    { weight: 3, arbitrary: one("$eq", literal) },
    { weight: 2, arbitrary: one("$ne", literal) },
    { weight: 3, arbitrary: fc.tuple(comparison, comparable).map(([name, item]) => ({ [name]: item })) },
    { weight: 2, arbitrary: fc.tuple(comparable, comparable).map(([low, high]) => ({ $gte: low, $lt: high })) },
    { weight: 2, arbitrary: one("$in", fc.array(literal, { maxLength: 4 })) },
    { weight: 1, arbitrary: one("$nin", fc.array(literal, { maxLength: 4 })) },
    { weight: 1, arbitrary: one("$exists", fc.boolean()) },
    { weight: 1, arbitrary: one("$type", fc.oneof(typeName, fc.array(typeName, { minLength: 1, maxLength: 3 }))) },
    { weight: 1, arbitrary: one("$size", fc.nat({ max: 3 })) },
    {
      weight: 1,
      arbitrary: one("$all", fc.array(fc.oneof(literal, one("$elemMatch", fc.oneof(query, self))), { maxLength: 3 })),
    },
    { weight: 2, arbitrary: one("$elemMatch", fc.oneof(query, self)) },
    { weight: 2, arbitrary: one("$memberMatch", fc.oneof(query, self)) },
    { weight: 1, arbitrary: one("$not", self) },
    {
      weight: 1,
      arbitrary: fc.tuple(pattern, fc.constantFrom("", "i", "ms")).map(([$regex, $options]) => ({ $regex, $options })),
    },
  );
}

const foundText = fc.constantFrom(
  "",
  "a",
  "A",
  "b",
  "ab",
  "BA",
  "xab",
  "aaa",
  "É",
  "é",
  "😀",
  "x😀",
  "😀x",
  "[1",
  "[1]",
  "a\nb",
);

/** Documents for `tasks` with texts that the expressions of `patternQuery` may find. */
export const patternDocuments: fc.Arbitrary<JsonObject[]> = fc
  .array(fc.record({ status: foundText, other: fc.oneof(foundText, fc.array(foundText, { maxLength: 2 })) }), {
    minLength: 4,
    maxLength: 8,
  })
  .map((rows) => rows.map((row, index) => ({ _id: `d${index}`, ...row })));

/** Queries by expressions alone, over a field that is indexed and one that is not. */
export const patternQuery: fc.Arbitrary<Query> = fc
  .tuple(
    fc.constantFrom("status", "other"),
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.constantFrom("", "^"), foundText.map(escaped), fc.constantFrom("", "$"))
          .map((parts) => parts.join("")),
      },
      { weight: 1, arbitrary: pattern },
    ),
    fc.constantFrom("", "i", "m"),
    fc.boolean(),
  )
  .map(([path, $regex, $options, isWanted]) => ({
    [path]: isWanted ? { $regex, $options } : { $not: { $regex, $options } },
  }));

function escaped(plain: string): string {
  return plain.replaceAll(/[\\^$.*+?()[\]{}|]/gu, String.raw`\$&`);
}

function queriesOver(path: fc.Arbitrary<string>): fc.Arbitrary<Query> {
  const { query } = fc.letrec<{ query: JsonObject; operators: JsonObject; member: JsonObject }>((tie) => ({
    operators: fc.oneof(
      { maxDepth: 3, depthSize: "max" },
      { weight: 1, arbitrary: one("$eq", literal) },
      { weight: 9, arbitrary: operatorsOver(tie("query"), tie("operators")) },
    ),
    member: fc
      .tuple(path, fc.oneof({ weight: 2, arbitrary: literal }, { weight: 5, arbitrary: tie("operators") }))
      .map(([name, item]) => ({ [name]: item })),
    query: fc.oneof(
      { maxDepth: 3, depthSize: "max" },
      { weight: 6, arbitrary: tie("member") },
      { weight: 1, arbitrary: fc.tuple(tie("member"), tie("member")).map(([left, right]) => ({ ...left, ...right })) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom("$and", "$or", "$nor"), fc.array(tie("query"), { minLength: 1, maxLength: 3 }))
          .map(([name, items]) => ({ [name]: items })),
      },
    ),
  }));
  return query;
}

/** Queries over any path. */
export const anyQuery: fc.Arbitrary<Query> = queriesOver(anyPath);

/** Queries over the indexed fields of `tasks` and their surroundings. */
export const taskQuery: fc.Arbitrary<Query> = queriesOver(taskPath);

function optionsOver(path: fc.Arbitrary<string>) {
  return fc.record({
    sort: fc
      .uniqueArray(fc.tuple(path, fc.constantFrom<1 | -1>(1, -1)), { maxLength: 3, selector: ([name]) => name })
      .map((keys) => Object.fromEntries(keys)),
    skip: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 4 }) }),
    limit: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat({ max: 4 }) }),
  });
}

export const anyOptions = optionsOver(
  fc.oneof({ weight: 3, arbitrary: anyPath }, { weight: 1, arbitrary: fc.constant("_id") }),
);
export const taskOptions = optionsOver(taskPath);
