import { runLimits } from "../run-limits.ts";
import type { RegularExpressionMatch } from "../transformation-environment.ts";
import { chargeSearch, checkListLength, checkTextLength, textOf, toNumber, toText } from "./conversions.ts";
import { describeLibrary, type LibraryMethod, type MethodContext } from "./library-method.ts";
import { expressionOf, matchOf } from "./regexp-methods.ts";
import { expandReplacement, type PlacedMatch } from "./replacement-text.ts";
import { RegExpValue } from "./special-values.ts";

/** Methods of the library String that take a regular expression or a text. A replacement is a text with `$1`, `$&` and the like. */
export const stringPatternMethods: readonly LibraryMethod[] = describeLibrary("String", {
  match: {
    arguments: ["text", "regexp"],
    returns: "array or null",
    run: ([text, regexp], context) => match(textOf(text), regexp, context),
  },
  matchAll: {
    arguments: ["text", "regexp"],
    returns: "array of match arrays",
    run: ([text, regexp], context) => matchesIn(textOf(text), regexp, context).map(({ groups }) => [...groups]),
  },
  replace: {
    arguments: ["text", "search", "replacement"],
    returns: "string",
    run: ([text, search, replacement], context) =>
      replace(textOf(text), search, { replacement, context, isAll: false }),
  },
  replaceAll: {
    arguments: ["text", "search", "replacement"],
    returns: "string",
    run: ([text, search, replacement], context) => replace(textOf(text), search, { replacement, context, isAll: true }),
  },
  search: {
    arguments: ["text", "regexp"],
    returns: "number",
    run: ([text, regexp], context) => expressionOf(regexp, context).exec(textOf(text))?.index ?? -1,
  },
  split: {
    arguments: ["text", "separator?", "limit?"],
    returns: "array",
    run: ([text, separator, limit], context) => split(textOf(text), separator, { limit: limitOf(limit), context }),
  },
});

/** Every match; the length of the text is bounded, as each match is a value of its own. */
function matchesIn(text: string, regexp: unknown, context: MethodContext): RegularExpressionMatch[] {
  if (text.length > runLimits.matchedTextLength) {
    throw new RangeError(
      `a text to match in all its places may have at most ${runLimits.matchedTextLength} characters`,
    );
  }
  const matches = expressionOf(regexp, context).execAll(text);
  context.charge(matches.length * 4);
  return matches;
}

function isGlobal(regexp: unknown): boolean {
  return regexp instanceof RegExpValue && regexp.flags.includes("g");
}

function match(text: string, regexp: unknown, context: MethodContext): unknown {
  if (!isGlobal(regexp)) return matchOf(expressionOf(regexp, context), text);
  const matches = matchesIn(text, regexp, context);
  return matches.length === 0 ? null : matches.map(({ groups }) => groups[0]);
}

interface Replacement {
  replacement: unknown;
  context: MethodContext;
  isAll: boolean;
}

function replace(text: string, search: unknown, { replacement, context, isAll }: Replacement): string {
  const template = toText(replacement);
  const parts: string[] = [];
  let [length, end] = [0, 0];
  const add = (part: string): void => {
    length += part.length;
    checkTextLength(length);
    parts.push(part);
  };
  for (const found of findPlaces(text, search, { context, isAll })) {
    add(text.slice(end, found.index));
    add(expandReplacement(template, text, found));
    end = found.index + (found.groups[0]?.length ?? 0);
  }
  add(text.slice(end));
  return parts.join("");
}

function findPlaces(
  text: string,
  search: unknown,
  { context, isAll }: Omit<Replacement, "replacement">,
): PlacedMatch[] {
  if (!(search instanceof RegExpValue)) {
    chargeSearch(toText(search), text, context.charge);
    return findTexts(text, toText(search), isAll);
  }
  if (isGlobal(search)) return matchesIn(text, search, context);
  if (isAll) throw new TypeError("replaceAll needs a regular expression with the flag g");
  const first = expressionOf(search, context).exec(text);
  return first ? [first] : [];
}

function findTexts(text: string, search: string, isAll: boolean): PlacedMatch[] {
  const found: PlacedMatch[] = [];
  for (let index = text.indexOf(search); index >= 0;) {
    found.push({ index, groups: [search] });
    checkListLength(found.length);
    // The end of the text is the last place of an empty text.
    const next = index + Math.max(1, search.length);
    index = !isAll || next > text.length ? -1 : text.indexOf(search, next);
  }
  return found;
}

/** How many parts: not given means all, and so does -1, which JavaScript takes for the largest count. */
function limitOf(limit: unknown): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : toNumber(limit) >>> 0;
}

function split(
  text: string,
  separator: unknown,
  { limit, context }: { limit: number; context: MethodContext },
): unknown[] {
  if (limit === 0) return [];
  if (separator === undefined) return [text];
  if (!(separator instanceof RegExpValue)) chargeSearch(toText(separator), text, context.charge);
  const parts =
    separator instanceof RegExpValue
      ? splitByExpression(text, matchesIn(text, separator, context)).slice(0, Math.min(limit, runLimits.listLength + 1))
      : text.split(toText(separator), Math.min(limit, runLimits.listLength + 1));
  checkListLength(parts.length);
  return parts;
}

/** Parts between the matches, with the groups of each match between them; an empty match parts two characters. */
function splitByExpression(text: string, matches: readonly RegularExpressionMatch[]): unknown[] {
  if (text === "") return matches.length > 0 ? [] : [""];
  const parts: unknown[] = [];
  let start = 0;
  for (const { index, groups } of matches) {
    const end = index + (groups[0]?.length ?? 0);
    if (index >= text.length || end === start) continue;
    parts.push(text.slice(start, index), ...groups.slice(1));
    start = end;
  }
  parts.push(text.slice(start));
  return parts;
}
