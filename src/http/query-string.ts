import { badRequest } from "../core/errors.ts";

/** What a query or form holds: texts, lists of texts for repeated names, and one level of `name[member]`. */
export type QueryValue = string | string[] | { [member: string]: string | string[] };
export type QueryValues = Record<string, QueryValue>;

/** More than any list of the platform needs; keeps hostile queries cheap. */
const mostPairs = 1000;
const bracketed = /^([^[\]]+)\[([^[\]]*)\]$/u;
const poisonous = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Parses a query or form text. `a=1&a=2` and `a[]=1` give lists, `equals[name]=x` gives
 * `{ equals: { name: "x" } }` (spec: platform-management.md §1.2). `part` names the place in errors.
 */
export function parseQueryString(text: string, part: "/query" | "/body"): QueryValues {
  const values: QueryValues = {};
  if (text === "") return values;
  const pairs = text.split("&", mostPairs + 1);
  if (pairs.length > mostPairs) throw malformed(part, `has more than ${mostPairs} members`);
  for (const pair of pairs) {
    if (pair === "") continue;
    const equalsAt = pair.indexOf("=");
    const name = decode(equalsAt < 0 ? pair : pair.slice(0, equalsAt), part);
    put(values, name, equalsAt < 0 ? "" : decode(pair.slice(equalsAt + 1), part), part);
  }
  return values;
}

function put(values: QueryValues, name: string, text: string, part: string): void {
  const [, base = name, member] = bracketed.exec(name) ?? [];
  if (poisonous.has(base) || (member !== undefined && poisonous.has(member))) {
    throw malformed(part, `must not have a member ${name}`);
  }
  // Read as own members only: a query may well ask for `toString`.
  const before = Object.hasOwn(values, base) ? values[base] : undefined;
  if (member === undefined) values[base] = append(before, text);
  else if (member === "") values[base] = [...listOf(before), text];
  else values[base] = withMember(before, member, text);
}

function append(before: QueryValue | undefined, text: string): string | string[] {
  return before === undefined ? text : [...listOf(before), text];
}

function listOf(value: QueryValue | undefined): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  return typeof value === "string" ? [value] : Object.values(value).flat();
}

function withMember(before: QueryValue | undefined, member: string, text: string): QueryValue {
  const members = typeof before === "object" && !Array.isArray(before) ? before : {};
  members[member] = append(Object.hasOwn(members, member) ? members[member] : undefined, text);
  return members;
}

function decode(text: string, part: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw malformed(part, "is not valid percent-encoded UTF-8");
  }
}

function malformed(part: string, message: string): Error {
  return badRequest(`Invalid request: ${part} ${message}.`, [{ path: part, message }]);
}
