import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonSyntax, JsonSyntaxError } from "../../../src/core/json-syntax.ts";

const runs = Number(process.env["PROPERTY_RUNS"] ?? 3_000);

/** Cuts a text at places that are given as parts of its length. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...places.map((place) => Math.floor(place * text.length)), text.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
}

function isAccepted(pieces: readonly string[]): boolean {
  const syntax = new JsonSyntax();
  try {
    for (const piece of pieces) syntax.write(piece);
    syntax.end();
    return true;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return false;
    throw error;
  }
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
/** Texts that are nearly JSON: many of its words in any order. */
const wordy = fc
  .array(
    fc.constantFrom(
      ...Array.from('[]{}:,-+.eE019 \n\t\r\\"/u'),
      '"a"',
      '"\\u00e9\\n"',
      '"\u0001"',
      "true",
      "null",
      "fals",
      "-0",
      "1.5e-3",
      "é😀",
      "\u00a0",
    ),
    { maxLength: 9 },
  )
  .map((words) => words.join(""));
const valid = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t", "\r\n"))
  .map(([value, space]) => JSON.stringify(value, undefined, space));
/** JSON with a character removed, doubled or replaced. */
const broken = fc
  .tuple(valid, fc.nat(), fc.constantFrom("", "\u0000", '"', "\\", ",", "]", "}", "0", "x", "-"))
  .map(([text, at, mark]) => {
    const place = at % text.length;
    return text.slice(0, place) + mark + text.slice(place + 1);
  });

describe("the check of JSON text in pieces", () => {
  it("accepts what JSON.parse accepts, and nothing else, however the text is cut", () => {
    fc.assert(
      fc.property(fc.oneof(valid, broken, wordy), places, (text, at) => {
        expect([text, isAccepted(cut(text, at))]).toEqual([text, isParsed(text)]);
      }),
      { numRuns: runs },
    );
  });

  it("says what cannot follow, and after how many characters of all pieces", () => {
    const syntax = new JsonSyntax();
    syntax.write('{"a": [1, 2');
    expect(() => syntax.write(" 3]}")).toThrow('The text is not JSON: "3" after 12 characters');
    const short = new JsonSyntax();
    short.write("[1");
    expect(() => short.end()).toThrow("The text ends too early, after 2 characters");
  });

  it("takes 500 levels and no more, whatever the length", () => {
    expect(isAccepted(["[".repeat(500), "]".repeat(500)])).toBe(true);
    expect(() => new JsonSyntax().write("[".repeat(501))).toThrow("nested deeper than 500 levels");
  });
});
