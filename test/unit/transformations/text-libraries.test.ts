import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call, evaluate, unset } from "./document-builder.ts";

const pattern = (source: string, flags: unknown = unset) => call("RegExp.new RegExp", source, flags);

describe("library String", () => {
  test.each([
    ["new String of nothing", call("String.new String", unset), ""],
    ["new String of null", call("String.new String", null), "null"],
    ["new String of a list", call("String.new String", [1, [2], null]), "1,2,"],
    ["at from the end", call("String.at", "abc", -1), "c"],
    ["charAt", call("String.charAt", "abc", "1"), "b"],
    ["charAt out of range", call("String.charAt", "abc", 9), ""],
    ["charCodeAt", call("String.charCodeAt", "A", unset), 65],
    ["codePointAt", call("String.codePointAt", "😀", 0), 0x1f600],
    ["codePointAt out of range", call("String.codePointAt", "", 0), undefined],
    ["concat converts", call("String.concat", "a", 1, true, null, [1, 2]), "a1truenull1,2"],
    ["concat of a number", call("String.concat", 5, "x"), "5x"],
    ["endsWith in a part", call("String.endsWith", "Hello world!", "world", 11), true],
    ["fromCharCode", call("String.fromCharCode", 72, 105), "Hi"],
    ["includes", call("String.includes", "abc", "b", unset), true],
    ["includes from a place", call("String.includes", "abc", "b", 2), false],
    ["indexOf", call("String.indexOf", "abcabc", "c", 3), 5],
    ["lastIndexOf", call("String.lastIndexOf", "abcabc", "c", unset), 5],
    ["length", call("String.length", "añ😀"), 4],
    ["localeCompare", call("String.localeCompare", "a", "b"), -1],
    ["normalize", call("String.normalize", "e\u0301", unset), "é"],
    ["normalize in another form", call("String.normalize", "é", "NFD"), "e\u0301"],
    ["padEnd", call("String.padEnd", "ab", 4), "ab  "],
    ["padStart", call("String.padStart", "7", "3", "0"), "007"],
    ["repeat", call("String.repeat", "ab", 2), "abab"],
    ["slice", call("String.slice", "abcd", -2, unset), "cd"],
    ["startsWith", call("String.startsWith", "Hello World", "W", 6), true],
    ["substr", call("String.substr", "abcdef", -3, 2), "de"],
    ["substring swaps its places", call("String.substring", "abcd", 3, 1), "bc"],
    ["substring to the end", call("String.substring", "abcd", 2, unset), "cd"],
    ["toLowerCase", call("String.toLowerCase", "ÄB"), "äb"],
    ["toUpperCase", call("String.toUpperCase", "äß"), "ÄSS"],
    ["toLocaleLowerCase", call("String.toLocaleLowerCase", "AB"), "ab"],
    ["toLocaleUpperCase", call("String.toLocaleUpperCase", "ab"), "AB"],
    ["trim", call("String.trim", " \n a "), "a"],
    ["trimEnd", call("String.trimEnd", " a "), " a"],
    ["trimStart", call("String.trimStart", " a "), "a "],
    ["toString", call("String.toString", "a"), "a"],
    ["valueOf", call("String.valueOf", "a"), "a"],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  test.each([
    ["a list is no text", call("String.toLowerCase", ["A"]), "needs a text, not a list"],
    ["null is no text", call("String.split", null, ","), "needs a text, not null"],
    ["a negative count", call("String.repeat", "a", -1), "step 1 (String.repeat)"],
    ["a text beyond all bounds", call("String.repeat", "abc", 1e9), "a text may have at most"],
    ["a padding beyond all bounds", call("String.padStart", "a", 1e9), "a text may have at most"],
    ["an unknown form", call("String.normalize", "a", "NFX"), "step 1 (String.normalize)"],
  ])("%s fails", (_, expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });
});

describe("regular expressions", () => {
  test.each([
    ["exec answers whole text and groups", call("RegExp.exec", pattern("(\\d)(x)?"), "a1"), ["1", "1", undefined]],
    ["the index of a match", call("Object.getProperty", call("RegExp.exec", pattern("b"), "abc"), "index"), 1],
    [
      "a named group",
      call("Object.optional chaining", call("RegExp.exec", pattern("(?<n>\\d+)"), "a12"), "groups", "n"),
      "12",
    ],
    ["exec without a match", call("RegExp.exec", pattern("x"), "abc"), null],
    ["test", call("RegExp.test", pattern("^a", "i"), "ABC"), true],
    ["test with the pattern as a text", call("RegExp.test", "^b", "abc"), false],
    ["source", call("RegExp.source", pattern("a+")), "a+"],
    ["flags", call("RegExp.flags", pattern("a", "gi")), "gi"],
    ["toString", call("RegExp.toString", pattern("a", "g")), "/a/g"],
    ["it leaves as a text", pattern("a", "g"), "/a/g"],
    [
      "new RegExp of another with other flags",
      call("RegExp.toString", call("RegExp.new RegExp", pattern("a", "g"), "i")),
      "/a/i",
    ],
    ["match", call("String.match", "a1b22", pattern("\\d+")), ["1"]],
    ["match all", call("String.match", "a1b22", pattern("\\d+", "g")), ["1", "22"]],
    ["match nothing", call("String.match", "abc", pattern("\\d", "g")), null],
    ["match with the pattern as a text", call("String.match", "a1", "\\d"), ["1"]],
    [
      "matchAll",
      call("String.matchAll", "a1b2", pattern("[a-z](\\d)", "g")),
      [
        ["a1", "1"],
        ["b2", "2"],
      ],
    ],
    ["search", call("String.search", "abc1", pattern("\\d")), 3],
    ["search nothing", call("String.search", "abc", "\\d"), -1],
    ["replace the first text only", call("String.replace", "foo", "o", "0"), "f0o"],
    ["replace by an expression", call("String.replace", "foo", pattern("o"), "0"), "f0o"],
    ["replace all by an expression", call("String.replace", "foo", pattern("o", "g"), "0"), "f00"],
    ["replaceAll of a text", call("String.replaceAll", "a.b.c", ".", "-"), "a-b-c"],
    ["replaceAll of the empty text", call("String.replaceAll", "ab", "", "-"), "-a-b-"],
    [
      "a replacement with groups",
      call("String.replace", "John Smith", pattern("(\\w+) (\\w+)"), "$2, $1"),
      "Smith, John",
    ],
    ["a replacement with signs", call("String.replace", "abc", "b", "[$`|$&|$'|$$]"), "a[a|b|c|$]c"],
    ["a replacement with a named group", call("String.replace", "a1", pattern("(?<n>\\d)"), "<$<n>>"), "a<1>"],
    ["a replacement for a group that is not there", call("String.replace", "a", pattern("a"), "$1"), "$1"],
    ["$10 with one group", call("String.replace", "a", pattern("(a)"), "$10"), "a0"],
    ["split by a text", call("String.split", "a,b,c", ",", unset), ["a", "b", "c"]],
    ["split into characters", call("String.split", "abc", ""), ["a", "b", "c"]],
    ["split with a limit", call("String.split", "a,b,c", ",", 2), ["a", "b"]],
    ["split with the limit -1", call("String.split", "a,b,c", ",", "-1"), ["a", "b", "c"]],
    ["split without a separator", call("String.split", "a,b", unset), ["a,b"]],
    ["split by an expression", call("String.split", "a , b", pattern("\\s*,\\s*", "gm")), ["a", "b"]],
    ["split keeps groups", call("String.split", "a1b", pattern("(\\d)")), ["a", "1", "b"]],
    ["split the empty text", call("String.split", "", pattern(",")), [""]],
  ])("%s", (_, expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  test.each([
    ["a malformed pattern", pattern("("), "step 1 (RegExp.new RegExp)"],
    ["replaceAll without the flag g", call("String.replaceAll", "a", pattern("a"), "b"), "flag g"],
    [
      "a replacement that grows beyond all bounds",
      call("String.replaceAll", "ab".repeat(30_000), "b", "$`".repeat(30)),
      "at most",
    ],
    ["flags of a text", call("RegExp.flags", "a"), "needs a regular expression, not a text"],
  ])("%s fails", (_, expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });

  test("a pattern that would take for ever is stopped", () => {
    expect(() => evaluate(call("RegExp.test", pattern("^(a+)+$"), `${"a".repeat(40)}!`))).toThrow(
      "step 1 (RegExp.test)",
    );
  });

  const sources = ["a", "b*", "(a)|b", "", "[ab]", "a(?=b)", "(a)(c)?", "$", "\\b"];
  test("split, match and replace are those of JavaScript", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c", " "), { maxLength: 8 }).map((parts) => parts.join(""));
    const replacements = fc
      .array(fc.constantFrom("$", "&", "1", "2", "x", "`", "'"), { maxLength: 5 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, fc.constantFrom(...sources), replacements, (text, source, replacement) => {
        const native = new RegExp(source, "g");
        expect(evaluate(call("String.split", text, pattern(source)))).toEqual(text.split(new RegExp(source)));
        expect(evaluate(call("String.match", text, pattern(source, "g")))).toEqual(text.match(native));
        expect(evaluate(call("String.replace", text, pattern(source, "g"), replacement))).toBe(
          text.replace(native, replacement),
        );
        expect(evaluate(call("String.replaceAll", text, "a", replacement))).toBe(text.replaceAll("a", replacement));
      }),
      { numRuns: 300 },
    );
  });
});
