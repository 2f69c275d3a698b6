import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPage, selectFilterList } from "../../../src/core/list-query.ts";
import { compareText } from "../../../src/store/query/compare-text.ts";
import { hasRegex } from "../../../src/store/query/condition.ts";
import { certainStart, plainTextOf, textAfter, type PlainText } from "../../../src/store/query/plain-text.ts";
import { parseQuery, type Query } from "../../../src/store/query.ts";

const special = ["ß", "ſ", "\u212a", "é", "😀", "\ud83d", "\ud7ff", "\ue000", "漢"];
const characters = fc.constantFrom(...Array.from("aAbkKs1.-[]/\\^$ \n"), ...special);
const text = fc.string({ unit: characters, maxLength: 4 });
const flags = fc.constantFrom("", "i", "m", "s", "im");
const escaped = (plain: string): string => plain.replaceAll(/[\\^$.*+?()[\]{}|]/gu, "\\$&");

describe("expressions that are plain texts", () => {
  const finds = ({ text, isAtStart, isAtEnd, ignoresCase }: PlainText, value: string): boolean => {
    const whole = ignoresCase ? value.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase()) : value;
    if (isAtStart) return isAtEnd ? whole === text : whole.startsWith(text);
    return isAtEnd ? whole.endsWith(text) : whole.includes(text);
  };

  it("find what the expressions find", () => {
    let plain = 0;
    fc.assert(
      fc.property(
        fc.constantFrom("", "^"),
        text.map(escaped),
        fc.constantFrom("", "$"),
        flags,
        fc.tuple(text, text, text),
        (start, body, end, flags, around) => {
          const expression = new RegExp(start + body + end, flags);
          const wanted = plainTextOf(expression);
          if (!wanted) return;
          plain += 1;
          for (const value of [around.join(""), around[0] + wanted.text + around[1], wanted.text.toUpperCase()])
            expect([value, finds(wanted, value)]).toEqual([value, expression.test(value)]);
        },
      ),
      { numRuns: 5000 },
    );
    expect(plain).toBeGreaterThan(1500);
  });

  it.each<[string, string, PlainText | undefined]>([
    ["", "", { text: "", isAtStart: false, isAtEnd: false, ignoresCase: false }],
    ["core-1", "i", { text: "core-1", isAtStart: false, isAtEnd: false, ignoresCase: true }],
    ["^10\\.0\\.0\\.1$", "", { text: "10.0.0.1", isAtStart: true, isAtEnd: true, ignoresCase: false }],
    ["10", "i", { text: "10", isAtStart: false, isAtEnd: false, ignoresCase: false }],
    ["a\\nb\\/", "m", { text: "a\nb/", isAtStart: false, isAtEnd: false, ignoresCase: false }],
    ["größe", "", { text: "größe", isAtStart: false, isAtEnd: false, ignoresCase: false }],
    ["größe", "i", undefined],
    ["^a", "m", undefined],
    ["a.b", "", undefined],
    ["a|b", "", undefined],
    ["\\d", "", undefined],
    ["a\\$", "", { text: "a$", isAtStart: false, isAtEnd: false, ignoresCase: false }],
    ["\\bcore", "", undefined],
    ["\\u0041", "", undefined],
    ["\ud83d", "", undefined],
    ["x\u0000", "", undefined],
  ])("reads /%s/%s", (source, flags, wanted) => {
    expect(plainTextOf(new RegExp(source, flags))).toEqual(wanted);
  });

  it("leave no letter out: characters beyond ASCII that the flag i folds have a case of their own", () => {
    const upper = (unit: number): string => {
      const letter = String.fromCharCode(unit);
      const folded = letter.toUpperCase();
      return folded.length > 1 || (unit > 127 && folded.charCodeAt(0) < 128) ? letter : folded;
    };
    const folded = Array.from({ length: 0x1_00_00 }, (_, unit) => unit).filter((unit) => {
      const target = upper(unit).charCodeAt(0);
      return target !== unit && target > 127;
    });
    expect(folded.length).toBeGreaterThan(1000);
    for (const unit of folded) {
      for (const letter of [String.fromCharCode(unit), upper(unit)])
        expect([letter, plainTextOf(new RegExp(letter, "i"))]).toEqual([letter, undefined]);
    }
  });

  it("are what the filters of lists make of plain words", async () => {
    const queries: Query[] = [];
    const source = {
      find: async (_collection: string, query: Query) => {
        queries.push(query);
        return [];
      },
      count: async () => 0,
    };
    for (const word of ["core-1", "10.0.0.1", "a (b) [c]{2} $^|?*+\\", "line\nline/", "漢字"]) {
      const filters = { contains: { name: word }, "starts-with": { name: word }, "ends-with": { name: word } };
      await findPage(source, "devices", selectFilterList(filters));
    }
    expect(queries).toHaveLength(5);
    for (const query of queries) expect([query, hasRegex(parseQuery(query))]).toEqual([query, false]);
    expect(hasRegex(parseQuery({ name: { $regex: "core-\\d" } }))).toBe(true);
  });
});

describe("the certain start of an expression", () => {
  it("begins every text the expression finds", () => {
    const part = fc.oneof(
      { weight: 3, arbitrary: characters.map(escaped) },
      { weight: 1, arbitrary: fc.constantFrom("?", "*", "{0}", "a|b", "(a)?", "[^b]", ".", "$") },
    );
    let certain = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), flags, fc.array(text, { maxLength: 5 }), (parts, flags, values) => {
        const source = `^${parts.join("")}`;
        const expression = compiled(source, flags);
        if (!expression) return;
        const start = certainStart(expression);
        if (start !== "") certain += 1;
        for (const value of [...values, ...values.map((value) => start.slice(0, -1) + value), parts.join("")])
          if (expression.test(value)) expect([source, value.slice(0, start.length)]).toEqual([source, start]);
      }),
      { numRuns: 5000 },
    );
    expect(certain).toBeGreaterThan(500);
  });

  it.each([
    ["^edge-\\d+$", "", "edge-"],
    ["^ab?c", "", "a"],
    ["^a+", "", ""],
    ["^core|edge", "", ""],
    ["^core", "i", ""],
    ["core", "", ""],
  ])("of /%s/%s is %j", (source, flags, start) => {
    expect(certainStart(new RegExp(source, flags))).toBe(start);
  });
});

describe("the text after all that begin alike", () => {
  it("comes after them and before everything else", () => {
    const wellFormed = text.filter((item) => !/\p{Surrogate}|\ud7ff/u.test(item));
    fc.assert(
      fc.property(wellFormed, text, (start, other) => {
        const end = textAfter(start);
        const isWithin = compareText(other, start) >= 0 && (end === undefined || compareText(other, end) < 0);
        expect([start, other, isWithin]).toEqual([start, other, other.startsWith(start)]);
        if (end !== undefined) expect(compareText(start + other, end)).toBeLessThan(0);
      }),
      { numRuns: 3000 },
    );
    expect(textAfter("a\u{10ffff}")).toBe("b");
    expect(textAfter("\u{10ffff}")).toBeUndefined();
    expect(textAfter("")).toBeUndefined();
  });
});

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
