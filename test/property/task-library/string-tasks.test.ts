import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";

const catalog = createTaskCatalog(taskLibrary);
const context = { now: 0, random: () => 0 };

function run(name: string, incoming: Record<string, unknown>): unknown {
  const result = catalog.find(name)?.run?.(incoming, context);
  return Object.values(result?.outgoing ?? {})[0];
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("a", "b", ".", " ", "\n") }),
);
const letters = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 3 });
const place = fc.option(fc.integer({ min: -12, max: 12 }), { nil: undefined });
const blank = fc.constantFrom("", null, undefined);
const given = (value: unknown, none: unknown) => value ?? none;

describe("a string task does what its JavaScript namesake does", () => {
  it("without further arguments", () =>
    fc.assert(
      fc.property(text, (str) => {
        expect(run("toLowerCase", { str })).toBe(str.toLowerCase());
        expect(run("toUpperCase", { str })).toBe(str.toUpperCase());
        expect(run("trim", { str })).toBe(str.trim());
        expect(run("trimStart", { str })).toBe(str.trimStart());
        expect(run("trimEnd", { str })).toBe(str.trimEnd());
        expect(run("stringLength", { str })).toBe(str.length);
        expect(run("stringValueOf", { str })).toBe(str);
      }),
    ));
  it("toLocaleLowerCase and toLocaleUpperCase, by American rules unless others are given", () =>
    fc.assert(
      fc.property(
        fc.oneof(text, fc.string({ unit: fc.constantFrom("i", "I", "ı", "İ", "ß", "Σ", "ς", "\u0307") })),
        fc.constantFrom("", null, undefined, "tr", "lt", "az", "de-DE", ["tr", "en-US"]),
        (str, locale) => {
          const rules = locale === "" || locale === null ? "en-US" : (locale ?? "en-US");
          expect(run("toLocaleLowerCase", { str, locale })).toBe(str.toLocaleLowerCase(rules));
          expect(run("toLocaleUpperCase", { str, locale })).toBe(str.toLocaleUpperCase(rules));
        },
      ),
    ));
  it("with places", () =>
    fc.assert(
      fc.property(text, place, place, blank, (str, from, to, none) => {
        expect(run("stringSlice", { str, beginIndex: given(from, none), endIndex: given(to, none) })).toBe(
          str.slice(from, to),
        );
        expect(run("substring", { str, indexStart: from ?? 0, indexEnd: given(to, none) })).toBe(
          str.substring(from ?? 0, to),
        );
        expect(run("charAt", { str, index: given(from, none) })).toBe(str.charAt(from ?? 0));
        expect(run("charCodeAt", { str, index: from ?? 0 })).toEqual(str.charCodeAt(from ?? 0));
        expect(run("codePointAt", { str, pos: given(from, none) })).toBe(str.codePointAt(from ?? 0));
      }),
    ));
  it("with a text to find", () =>
    fc.assert(
      fc.property(text, letters, place, blank, (str, part, from, none) => {
        expect(run("stringIncludes", { str, searchString: part, position: given(from, none) })).toBe(
          str.includes(part, from),
        );
        expect(run("startsWith", { str, searchString: part, position: given(from, none) })).toBe(
          str.startsWith(part, from),
        );
        expect(run("endsWith", { str, searchString: part, length: given(from, none) })).toBe(str.endsWith(part, from));
        expect(run("stringIndexOf", { str, searchValue: part, fromIndex: given(from, none) })).toBe(
          str.indexOf(part, from),
        );
        expect(run("stringLastIndexOf", { str, searchValue: part, fromIndex: given(from, none) })).toBe(
          str.lastIndexOf(part, from),
        );
      }),
    ));
  it("split, with no separator where it is empty", () =>
    fc.assert(
      fc.property(text, letters, fc.option(fc.nat(5), { nil: undefined }), blank, (str, separator, limit, none) => {
        expect(run("split", { str, separator, limit: given(limit, none) })).toEqual(
          separator === "" ? str.split(undefined as never, limit) : str.split(separator, limit),
        );
      }),
    ));
  it("repeat and padding", () =>
    fc.assert(
      fc.property(text, letters, fc.integer({ min: -5, max: 40 }), (str, pad, size) => {
        expect(run("padStart", { str, targetLength: size, padString: pad })).toBe(
          str.padStart(size, pad === "" ? " " : pad),
        );
        expect(run("padEnd", { str, targetLength: size, padString: pad })).toBe(
          str.padEnd(size, pad === "" ? " " : pad),
        );
        if (size >= 0) expect(run("repeat", { str, count: size })).toBe(str.repeat(size));
      }),
    ));
  it("stringConcat", () =>
    fc.assert(
      fc.property(text, fc.array(text), (str, stringN) => {
        expect(run("stringConcat", { str, stringN })).toBe(str.concat(...stringN));
      }),
    ));
  it("match, search and replace with generated patterns", () => {
    const atom = fc.constantFrom("a", "b", ".", "\\s", "(a)", "(b|a)", "[^b]", "$");
    const pattern = fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join(""));
    const replacement = fc
      .array(fc.constantFrom("$1", "$2", "$&", "$$", "$`", "$'", "$", "x", "$10", "$<n>", "$0"), { maxLength: 4 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, pattern, fc.constantFrom("", "g", "i", "gm"), replacement, (str, regExp, flags, newSubstr) => {
        const expression = new RegExp(regExp, flags);
        const found = str.match(expression);
        expect(run("match", { str, regExp, flags })).toEqual(found && [...found].map((group) => group ?? null));
        expect(run("match", { str, regExp: `/${regExp}/${flags}`, flags: "" })).toEqual(
          run("match", { str, regExp, flags }),
        );
        expect(run("search", { str, regexp: regExp })).toBe(str.search(new RegExp(regExp)));
        expect(run("replace", { str, regExp, flags, newSubstr })).toBe(str.replace(expression, newSubstr));
      }),
    );
  });
  it("parseInt in base 10 unless another is given, and numberToString", () =>
    fc.assert(
      fc.property(
        fc.oneof(text, fc.integer().map(String), fc.double().map(String)),
        fc.integer({ min: 2, max: 36 }),
        fc.double({ noNaN: true }),
        (str, radix, num) => {
          expect(run("parseInt", { str, radix: "" })).toEqual(Number.parseInt(str, 10));
          expect(run("parseInt", { str, radix })).toEqual(Number.parseInt(str, radix));
          expect(run("numberToString", { num, radix })).toBe(num.toString(radix));
          expect(run("numberToString", { num, radix: "" })).toBe(String(num));
        },
      ),
    ));
  it("localeCompare, as −1, 0 or 1, and normalize", () =>
    fc.assert(
      fc.property(text, text, fc.constantFrom("NFC", "NFD", "NFKC", "NFKD"), (one, other, form) => {
        expect(run("localeCompare", { referenceStr: one, compareString: other })).toBe(
          Math.sign(one.localeCompare(other, "en-US")),
        );
        expect(run("normalize", { str: one, form })).toBe(one.normalize(form));
      }),
    ));
});

describe("Base64", () => {
  it("gives every text back", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((value) => !/\p{Surrogate}/u.test(value)),
        (input) => {
          expect(run("base64ToAscii", { input: run("asciiToBase64", { str: input }) })).toBe(input);
        },
      ),
    ));
});
