import { literal, readEscape } from "./pattern-escapes.ts";
import { PatternError, PatternSource } from "./pattern-source.ts";

/** A pattern of Python's `re` in the notation of JavaScript. */
export interface TranslatedPattern {
  source: string;
  /** Always with `v`. */
  flags: string;
}

interface Translation {
  source: PatternSource;
  isDotAll: boolean;
  isMultiline: boolean;
  /** What closes the groups that are open, the innermost last. */
  closings: string[];
}

/**
 * Translates a regular expression as Python's `re` reads it (library reference, "Regular Expression Syntax") to one
 * that matches the same. PatternError for what is malformed there, and for what JavaScript has no counterpart of:
 * possessive quantifiers, atomic groups, conditional groups and flags for a part of a pattern.
 */
export function translatePattern(pattern: string): TranslatedPattern {
  const source = new PatternSource(pattern);
  const flags = source.take(/\(\?([aiLmsux]+)\)/uy)?.[1] ?? "";
  const unknown = /[aLx]/u.exec(flags)?.[0];
  if (unknown !== undefined) throw new PatternError(`the flag ${unknown} is not supported`);
  const translation = { source, isDotAll: flags.includes("s"), isMultiline: flags.includes("m"), closings: [] };
  let translated = "";
  while (!source.isAtEnd) translated += next(translation);
  return { source: translated, flags: `v${flags.includes("i") ? "i" : ""}${flags.includes("m") ? "m" : ""}` };
}

function next(translation: Translation): string {
  const { source, closings } = translation;
  const quantifier = readQuantifier(source);
  if (quantifier !== undefined) return quantifier;
  const character = source.next();
  switch (character) {
    case "\\": {
      const { length, text } = readEscape(source.rest, false);
      source.skip(length);
      return text;
    }
    case "[":
      return readClass(source);
    case "(":
      return readGroup(translation);
    case ".":
      return anyCharacter(translation);
    case "$":
      return endOfText(translation);
    case ")":
      return closings.pop() ?? character;
    case "|":
    case "^":
      return character;
    default:
      return literal(character);
  }
}

function anyCharacter({ isDotAll }: Translation): string {
  return isDotAll ? String.raw`[\s\S]` : String.raw`[^\n]`;
}

/** Also before a line break that ends the text. */
function endOfText({ isMultiline }: Translation): string {
  return isMultiline ? String.raw`(?=\n|(?![\s\S]))` : String.raw`(?=\n?(?![\s\S]))`;
}

/** `{` that begins no quantifier is a character. */
function readQuantifier(source: PatternSource): string | undefined {
  const found = source.take(/(?:[*+?]|\{(?<least>\d*)(?<comma>,?)(?<most>\d*)\}(?<!\{\}))(?<after>[?+]?)/uy);
  if (!found) return undefined;
  const { least = "", comma = "", most = "", after = "" } = found.groups ?? {};
  if (after === "+") throw new PatternError("possessive quantifiers are not supported");
  const [sign = ""] = found[0];
  if (sign !== "{") return sign + after;
  return `{${least === "" ? "0" : least}${comma}${most}}${after}`;
}

function readGroup({ source, closings }: Translation): string {
  if (source.take(/\?#[^)]*\)/uy)) return "";
  const reference = source.take(/\?P=([^)]*)\)/uy)?.[1];
  if (reference !== undefined) return `(?:\\k<${nameOf(reference)}>)`;
  const [opening, closing] = readOpening(source);
  closings.push(closing);
  return opening;
}

function readOpening(source: PatternSource): [opening: string, closing: string] {
  const named = source.take(/\?P<([^>]*)>/uy)?.[1];
  if (named !== undefined) return [`(?<${nameOf(named)}>`, ")"];
  if (source.take(/\?:/uy)) return ["(?:", ")"];
  // A look around may be repeated, which JavaScript allows of groups alone.
  const look = source.take(/\?<?[=!]/uy)?.[0];
  if (look !== undefined) return [`(?:(${look}`, "))"];
  const unknown = source.take(/\?.?/uy)?.[0];
  if (unknown !== undefined) throw new PatternError(`groups that begin with (${unknown} are not supported`);
  return ["(", ")"];
}

function nameOf(name: string): string {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) throw new PatternError(`bad character in group name "${name}"`);
  return name;
}

/** Behind `[`. A `]` that comes first is a member. */
function readClass(source: PatternSource): string {
  const negation = source.take(/\^/uy) ? "^" : "";
  let members = source.take(/\]/uy) ? literal("]") : "";
  for (;;) {
    if (source.isAtEnd) throw new PatternError("unterminated character set");
    if (source.take(/\]/uy)) return `[${negation}${members}]`;
    members += readRange(source);
  }
}

function readRange(source: PatternSource): string {
  const from = readMember(source);
  if (!source.take(/-(?!\])/uy)) return from.text;
  if (source.isAtEnd) throw new PatternError("unterminated character set");
  const to = readMember(source);
  if (from.character === undefined || to.character === undefined) throw new PatternError("bad character range");
  if ((from.character.codePointAt(0) ?? 0) > (to.character.codePointAt(0) ?? 0))
    throw new PatternError(`bad character range ${from.character}-${to.character}`);
  return `${from.text}-${to.text}`;
}

function readMember(source: PatternSource): { text: string; character?: string } {
  const character = source.next();
  if (character !== "\\") return { text: literal(character), character };
  const escape = readEscape(source.rest, true);
  source.skip(escape.length);
  return escape;
}
