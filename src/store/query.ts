import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { all, any, not, type Condition } from "./query/condition.ts";
import { parseField } from "./query/parse-operators.ts";
import { countCondition, enter, queryLimits, refused, rootPlace, type Place } from "./query/parse-place.ts";
import { parsePath } from "./query/path.ts";

/**
 * A query in the MongoDB-style language (decision 11): member → value or operators, with `$and`,
 * `$or`, `$nor`. Dotted paths reach into documents; a path that meets an array matches when any
 * element does. Anything outside the closed list of operators is refused by `parseQuery`.
 */
export type Query = { readonly [path: string]: Json | undefined };

const combinators: Readonly<Record<string, (conditions: readonly Condition[]) => Condition>> = {
  $and: all,
  $or: any,
  $nor: (conditions) => not(any(conditions)),
};

/**
 * Reads a query into its condition. Operators: `$eq $ne $gt $gte $lt $lte $in $nin $exists $type
 * $size $all $elemMatch $not $regex` (with `$options` of i, m, s), combined by `$and $or $nor`; and one
 * that MongoDB has not: `$memberMatch`, `$elemMatch` for the values of an object under any names.
 * Anything else, or anything beyond `queryLimits`, is a PlatformError BAD_REQUEST that names the
 * place as a JSON pointer from the root of the query.
 */
export function parseQuery(query: Query): Condition {
  const place = rootPlace();
  if (!isJsonObject(query)) throw refused(place, "is not an object");
  return all(parseMembers(query, place));
}

function parseMembers(query: JsonObject, place: Place): Condition[] {
  const conditions: Condition[] = [];
  for (const [member, value] of Object.entries(query)) {
    if (value === undefined) continue;
    const at = enter(place, member);
    conditions.push(member.startsWith("$") ? parseCombinator(member, value, at) : parseMember(member, value, at));
  }
  return conditions;
}

function parseMember(member: string, value: Json, place: Place): Condition {
  return parseField(value, { path: parsePath(member, place), place, siblings: {}, parseMembers });
}

function parseCombinator(name: string, value: Json, place: Place): Condition {
  const combine = Object.hasOwn(combinators, name) ? combinators[name] : undefined;
  if (!combine) throw refused(place, `has the unknown operator "${name}"`);
  if (!Array.isArray(value) || value.length === 0) throw refused(place, `needs a filled array of queries for ${name}`);
  if (value.length > queryLimits.conditions) throw refused(place, `has more than ${queryLimits.conditions} conditions`);
  return combine(
    value.map((item, index) => {
      const at = enter(place, index);
      if (!isJsonObject(item)) throw refused(at, "needs an object here");
      countCondition(at);
      return all(parseMembers(item, at));
    }),
  );
}
