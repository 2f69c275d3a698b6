import { checkTextLength, kindOf, toText } from "./conversions.ts";
import type { RegularExpression, RegularExpressionMatch } from "../transformation-environment.ts";
import { describeLibrary, type LibraryMethod, type MethodContext } from "./library-method.ts";
import { RegExpValue } from "./special-values.ts";

/** Library RegExp. In the place of a regular expression a text is taken as its pattern. */
export const regExpMethods: readonly LibraryMethod[] = describeLibrary("RegExp", {
  "new RegExp": {
    arguments: ["pattern?", "flags?"],
    returns: "RegExp",
    run: ([pattern, flags], context) => newRegExp(pattern, flags, context),
  },
  exec: {
    arguments: ["regexp", "text"],
    returns: "match array or null",
    run: ([regexp, text], context) => matchOf(expressionOf(regexp, context), toText(text)),
  },
  flags: { arguments: ["regexp"], returns: "string", run: ([regexp]) => regExpOf(regexp).flags },
  source: { arguments: ["regexp"], returns: "string", run: ([regexp]) => regExpOf(regexp).source },
  test: {
    arguments: ["regexp", "text"],
    returns: "boolean",
    run: ([regexp, text], context) => expressionOf(regexp, context).test(toText(text)),
  },
  toString: {
    arguments: ["regexp"],
    returns: "string",
    run: ([regexp]: readonly unknown[]) => regExpOf(regexp).toString(),
  },
});

function newRegExp(pattern: unknown, flags: unknown, context: MethodContext): RegExpValue {
  const source = pattern instanceof RegExpValue ? pattern.source : toText(pattern ?? "");
  const ownFlags = pattern instanceof RegExpValue ? pattern.flags : "";
  const value = new RegExpValue(source, flags === undefined || flags === null ? ownFlags : toText(flags));
  // Compiled at once, so that a malformed pattern fails here and not where it is used.
  context.regularExpression(value.source, value.flags);
  return value;
}

function regExpOf(value: unknown): RegExpValue {
  if (value instanceof RegExpValue) return value;
  throw new TypeError(`needs a regular expression, not ${kindOf(value)}`);
}

/** The regular expression itself, or the one whose pattern the text is. */
export function expressionOf(value: unknown, context: MethodContext): RegularExpression {
  return value instanceof RegExpValue
    ? context.regularExpression(value.source, value.flags)
    : context.regularExpression(toText(value ?? "(?:)"), "");
}

/** The match array of JavaScript: whole text and groups, with the members `index` and `input`. */
export function matchOf(expression: RegularExpression, text: string): unknown {
  checkTextLength(text.length);
  const match = expression.exec(text);
  return match
    ? Object.assign([...match.groups], { index: match.index, input: text, groups: namedGroups(match) })
    : null;
}

function namedGroups({ groups, names }: RegularExpressionMatch): Record<string, unknown> | undefined {
  if (names.size === 0) return undefined;
  return Object.fromEntries([...names].map(([name, place]) => [name, groups[place]]));
}
