import { PatternError } from "./pattern-source.ts";

/** Members of classes in the notation of `v`, as the language of the patterns has them for text. */
const digit = String.raw`\p{Nd}`;
const word = String.raw`\p{L}\p{N}_`;
// White space of JavaScript, and four separators and NEL beside it.
const space = String.raw`\s\x1c-\x1f\x85`;

const shorthands: Readonly<Record<string, string>> = {
  d: `[${digit}]`,
  D: `[^${digit}]`,
  w: `[${word}]`,
  W: `[^${word}]`,
  s: `[${space}]`,
  S: `[^${space}]`,
};

const places: Readonly<Record<string, string>> = {
  A: String.raw`(?<![\s\S])`,
  Z: String.raw`(?![\s\S])`,
  b: `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`,
  // Not in an empty text.
  B: `(?:(?<=[\\s\\S])|(?=[\\s\\S]))(?:(?<=[${word}])(?=[${word}])|(?<![${word}])(?![${word}]))`,
};

const controls: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** A character as it stands for itself anywhere in a pattern. */
export function literal(character: string): string {
  if (/^[A-Za-z0-9 ]$/u.test(character) || character > "\u007F") return character;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** What follows a backslash: how many characters it takes, and what it is in the other notation. */
export interface Escape {
  length: number;
  text: string;
  /** The character it stands for, where it is one: it may begin or end a range. */
  character?: string;
}

/** Reads an escape from behind its backslash. PatternError where the language has no such escape. */
export function readEscape(rest: string, isInClass: boolean): Escape {
  const [first] = rest;
  if (first === undefined) throw new PatternError("bad escape (end of pattern)");
  const shorthand = shorthands[first];
  if (shorthand !== undefined) return { length: 1, text: shorthand };
  if (!isInClass && Object.hasOwn(places, first)) return { length: 1, text: places[first] ?? "" };
  if (isInClass && first === "b") return character(1, "\b");
  const control = controls[first];
  if (control !== undefined) return character(1, String.fromCodePoint(control));
  return readNumber(rest, isInClass) ?? readPlain(first);
}

function character(length: number, value: string): Escape {
  return { length, text: literal(value), character: value };
}

function readNumber(rest: string, isInClass: boolean): Escape | undefined {
  const [first = ""] = rest;
  const hexLength = hexLengths[first];
  if (hexLength !== undefined) {
    const digits = rest.slice(1, 1 + hexLength);
    if (digits.length < hexLength || !/^[\da-fA-F]+$/u.test(digits))
      throw new PatternError(`incomplete escape \\${first}${digits}`);
    return character(1 + hexLength, String.fromCodePoint(Number.parseInt(digits, 16)));
  }
  const octal = /^(?:0[0-7]{0,2}|[1-7][0-7]{2})/u.exec(rest)?.[0];
  if (octal !== undefined) return character(octal.length, String.fromCodePoint(Number.parseInt(octal, 8)));
  const reference = isInClass ? undefined : /^[1-9]\d?/u.exec(rest)?.[0];
  return reference === undefined ? undefined : { length: reference.length, text: `(?:\\${reference})` };
}

function readPlain(first: string): Escape {
  if (/[A-Za-z0-9]/u.test(first)) throw new PatternError(`bad escape \\${first}`);
  const [whole = first] = first;
  return character(whole.length, whole);
}
