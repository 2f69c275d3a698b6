import { typeError, valueError } from "../errors.ts";
import { define, optional, optionalPositional, positional, required } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { capitalize, swapCase, titleWords } from "../text/letter-case.ts";
import { linesOf, strip, wordsFromRight, wordsOf } from "../text/white-space.ts";
import { formatFields } from "../values/format-fields.ts";
import { isTrue, iterate } from "../values/iterate.ts";
import { escapeMarkup, likewise } from "../values/markup.ts";
import { requireSmallIndex } from "../values/numbers.ts";
import { Dict } from "../values/dict.ts";
import { findItem } from "../values/subscript.ts";
import { lengthOf } from "../values/text-units.ts";
import { Markup, Tuple, charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";
import { requireText } from "./text-search.ts";

/** A method without arguments that makes a text of the same kind. */
function simple(name: string, change: (text: string) => string): Definition {
  return define(name, [], (_, self) => likewise(self, change(requireText(self))));
}

/** The same for a change that goes from character to character. */
function stepping(name: string, change: (text: string) => string): Definition {
  return define(name, [], ({ budget }, self) => {
    const text = requireText(self);
    budget.chargeCharacters(text.length);
    return likewise(self, change(text));
  });
}

function stripping(name: string, sides: "both" | "left" | "right"): Definition {
  return define(name, [optionalPositional("chars", null)], ({ budget }, self, [chars = null]) => {
    const unwanted = chars === null ? null : requireText(chars, `${name} arg must be None or str`);
    budget.charge(requireText(self).length >> 2);
    return likewise(self, strip(requireText(self), unwanted, sides));
  });
}

function padding(name: string, pad: (text: string, missing: number, fill: string) => string): Definition {
  return define(name, [positional("width"), optionalPositional("fillchar", " ")], (runtime, self, args) => {
    const text = requireText(self);
    const width = requireSmallIndex(args[0] ?? null);
    const fill = requireText(args[1], "The fill character must be a unicode character");
    if (lengthOf(fill) !== 1) throw typeError("The fill character must be exactly one character long");
    const missing = width - lengthOf(text);
    if (missing <= 0) return likewise(self, text);
    runtime.budget.chargeText(width);
    return likewise(self, pad(text, missing, fill));
  });
}

/** Fills both sides; the odd one goes left of texts of odd width, as Python does it. */
export function center(text: string, missing: number, fill: string): string {
  const width = lengthOf(text) + missing;
  const left = Math.floor(missing / 2) + (missing % 2 === 1 && width % 2 === 1 ? 1 : 0);
  return fill.repeat(left) + text + fill.repeat(missing - left);
}

function removing(name: "removeprefix" | "removesuffix"): Definition {
  return define(name, [positional("affix")], (_, self, [affix]) => {
    const [text, unwanted] = [requireText(self), requireText(affix)];
    if (name === "removeprefix") return likewise(self, text.startsWith(unwanted) ? text.slice(unwanted.length) : text);
    return likewise(self, unwanted !== "" && text.endsWith(unwanted) ? text.slice(0, -unwanted.length) : text);
  });
}

const cuts = [optional("sep", null), optional("maxsplit", -1n)];

/** Methods of text that make other texts of it. */
export const textShapeMethods: readonly Definition[] = [
  simple("upper", (text) => text.toUpperCase()),
  simple("lower", (text) => text.toLowerCase()),
  simple("casefold", (text) => text.toLowerCase().replaceAll("ß", "ss")),
  simple("capitalize", capitalize),
  stepping("title", titleWords),
  stepping("swapcase", swapCase),
  stripping("strip", "both"),
  stripping("lstrip", "left"),
  stripping("rstrip", "right"),
  padding("ljust", (text, missing, fill) => text + fill.repeat(missing)),
  padding("rjust", (text, missing, fill) => fill.repeat(missing) + text),
  padding("center", center),
  removing("removeprefix"),
  removing("removesuffix"),
  define("zfill", [positional("width")], zeroFill),
  define("expandtabs", [optional("tabsize", 8n)], expandTabs),
  define("split", cuts, (runtime, self, args) => split(runtime, self, args, "left")),
  define("rsplit", cuts, (runtime, self, args) => split(runtime, self, args, "right")),
  define("splitlines", [optional("keepends", false)], (runtime, self, [keepEnds = false]) => {
    runtime.budget.charge(requireText(self).length >> 4);
    const lines = linesOf(requireText(self), isTrue(keepEnds));
    runtime.budget.chargeList(lines.length);
    return lines.map((line) => likewise(self, line));
  }),
  define("partition", [positional("sep")], (_, self, [sep]) => partition(self, sep, "first")),
  define("rpartition", [positional("sep")], (_, self, [sep]) => partition(self, sep, "last")),
  define("replace", [positional("old"), positional("new"), optionalPositional("count", -1n)], replaceMethod),
  define("join", [positional("iterable")], joinMethod),
  {
    name: "format",
    parameters: [],
    takesMore: true,
    takesKeywords: true,
    run: (runtime, self, args, keywords) => format(runtime, self, { args, keywords }),
  },
  define("format_map", [positional("mapping")], (runtime, self, [mapping = null]) => {
    if (!(mapping instanceof Dict)) throw typeError("format_map() needs a mapping");
    const keywords = new Map(
      [...mapping.entries()].flatMap(([key, value]) => (typeof key === "string" ? [[key, value] as const] : [])),
    );
    return format(runtime, self, { args: [], keywords });
  }),
  define("translate", [required("table")], translate),
];

function format(
  runtime: Runtime,
  self: Value,
  given: { args: readonly Value[]; keywords: ReadonlyMap<string, Value> },
): Value {
  const { budget, attributeOf } = runtime;
  budget.chargeCharacters(requireText(self).length);
  const source = { budget, attributeOf, isMarkup: self instanceof Markup, ...given };
  return likewise(self, formatFields(source, requireText(self)));
}

function zeroFill(runtime: Runtime, self: Value, [width = null]: readonly Value[]): Value {
  const text = requireText(self);
  const missing = requireSmallIndex(width) - lengthOf(text);
  if (missing <= 0) return likewise(self, text);
  runtime.budget.chargeText(missing + text.length);
  const sign = /^[+-]/u.exec(text)?.[0] ?? "";
  return likewise(self, sign + "0".repeat(missing) + text.slice(sign.length));
}

function expandTabs(runtime: Runtime, self: Value, [size = 8n]: readonly Value[]): Value {
  const tab = requireSmallIndex(size);
  runtime.budget.chargeCharacters(requireText(self).length);
  let column = 0;
  let result = "";
  for (const character of requireText(self)) {
    const isBreak = character === "\n" || character === "\r";
    const width = tab > 0 ? tab - (column % tab) : 0;
    const expanded =
      character === "\t" ? (runtime.budget.chargeText(width + result.length), " ".repeat(width)) : character;
    column = isBreak ? 0 : column + (character === "\t" ? width : 1);
    result += expanded;
  }
  return likewise(self, result);
}

function split(runtime: Runtime, self: Value, args: readonly Value[], side: "left" | "right"): Value {
  const [sep = null, maxsplit = -1n] = args;
  const text = requireText(self);
  const most = requireSmallIndex(maxsplit);
  runtime.budget.charge(side === "left" ? text.length >> 4 : text.length);
  const parts =
    sep === null
      ? side === "left"
        ? wordsOf(text, most)
        : wordsFromRight(text, most)
      : cut(text, requireText(sep), most, side);
  runtime.budget.chargeList(parts.length);
  return parts.map((part) => likewise(self, part));
}

function cut(text: string, sep: string, most: number, side: "left" | "right"): string[] {
  if (sep === "") throw valueError("empty separator");
  if (most < 0) return text.split(sep);
  const parts: string[] = [];
  let rest = text;
  while (parts.length < most) {
    const at = side === "left" ? rest.indexOf(sep) : rest.lastIndexOf(sep);
    if (at === -1) break;
    const [before, after] = [rest.slice(0, at), rest.slice(at + sep.length)];
    parts.push(side === "left" ? before : after);
    rest = side === "left" ? after : before;
  }
  parts.push(rest);
  return side === "left" ? parts : parts.reverse();
}

function partition(self: Value, sep: Value | undefined, which: "first" | "last"): Value {
  const [text, mark] = [requireText(self), requireText(sep)];
  if (mark === "") throw valueError("empty separator");
  const at = which === "first" ? text.indexOf(mark) : text.lastIndexOf(mark);
  const found = [text.slice(0, at), mark, text.slice(at + mark.length)];
  const parts = at === -1 ? (which === "first" ? [text, "", ""] : ["", "", text]) : found;
  return new Tuple(parts.map((part) => likewise(self, part)));
}

function replaceMethod(runtime: Runtime, self: Value, [old, replacement = "", count = -1n]: readonly Value[]): Value {
  const by = self instanceof Markup ? escapeMarkup(runtime.budget, replacement).text : requireText(replacement);
  return likewise(
    self,
    replaceText(runtime, requireText(self), { old: requireText(old), by, most: requireSmallIndex(count) }),
  );
}

/** Replaces at most so many places; negative: all. */
export function replaceText(
  runtime: Runtime,
  text: string,
  { old, by, most }: { old: string; by: string; most: number },
): string {
  runtime.budget.charge(text.length >> (old === "" ? 1 : 4));
  const pieces = old === "" ? betweenCharacters(text) : text.split(old);
  const places = most < 0 ? pieces.length - 1 : Math.min(most, pieces.length - 1);
  runtime.budget.chargeText(text.length + places * Math.max(by.length - old.length, 0));
  const head = pieces.slice(0, places + 1).join(by);
  return places === pieces.length - 1 ? head : [head, ...pieces.slice(places + 1)].join(old);
}

function betweenCharacters(text: string): string[] {
  return ["", ...Array.from(text), ""];
}

function joinMethod(runtime: Runtime, self: Value, [items = null]: readonly Value[]): Value {
  const texts: string[] = [];
  let length = 0;
  for (const item of iterate(items)) {
    if (!isText(item) && !(self instanceof Markup))
      throw typeError(`sequence item ${texts.length}: expected str instance, ${typeNameOf(item)} found`);
    const text = self instanceof Markup ? escapeMarkup(runtime.budget, item).text : charactersOf(item as string);
    runtime.budget.chargeText((length += text.length + requireText(self).length));
    texts.push(text);
  }
  return likewise(self, texts.join(requireText(self)));
}

function translate(runtime: Runtime, self: Value, [table = null]: readonly Value[]): Value {
  let result = "";
  for (const character of requireText(self)) {
    runtime.budget.charge(1);
    const by = findItem(runtime.budget, table, BigInt(character.codePointAt(0) ?? 0));
    if (typeof by === "bigint") result += String.fromCodePoint(Number(by));
    else if (by !== null) result += by === undefined ? character : requireText(by);
  }
  return likewise(self, result);
}
