import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { compileRegularExpression } from "../../../src/workflow-engine/interpreter/regular-expression.ts";

// Long enough that no pattern with a choice is left to the platform's RegExp.
const padding = "\n".repeat(1500);

function platformMatches(source: string, flags: string, text: string): (string | undefined)[][] {
  const expression = new RegExp(source, `${flags}g`);
  return [...text.matchAll(expression)].map((match) => [String(match.index), ...match]);
}

function ownMatches(source: string, flags: string, text: string): (string | undefined)[][] {
  const matches = compileRegularExpression(source, flags).execAll(text);
  return matches.map((match) => [String(match.index), ...match.groups]);
}

describe("a regular expression of a user", () => {
  const samples: [source: string, flags: string, text: string][] = [
    [
      "interface (\\S+)\\n(?:\\s+.*\\n)*?\\s+ip address (?<address>[\\d.]+)",
      "",
      "interface Gi0/1\n desc x\n ip address 10.0.0.1\n",
    ],
    ["^(a+)+$", "m", "aaa\naab\naaaa"],
    ["(?<=\\$)\\d+(\\.\\d*)?", "", "cost $42.10 or $7"],
    ["(?<!\\$)\\b\\d+", "", "cost $42 or 17"],
    ["(?<=(\\d+)(\\d+))$", "", "1053"],
    ["(?=(a+))a*b\\1", "", "baaabac"],
    ["(z)((a+)?(b+)?(c))*", "", "zaacbbbcac"],
    ["(?:a|ab)(?:c|bcd)(?:d*)", "", "abcd"],
    ["(a*)*", "", "b"],
    ["(?:a*?)*?b", "", "aab"],
    ["\\bfoo\\B", "i", "foo FOOD food"],
    ["[^]+?x", "", "a\nbx"],
    ["[\\]a-c\\\\]{2,3}", "", "]a\\bcab"],
    ["a{,2}|b{2}", "", "a{,2} bbb"],
    ["\\u{1F600}+.", "u", "😀😀😀x"],
    ["(?<=😀)x{1,2}", "u", "😀xx"],
    ["\\p{Lu}+", "u", "abÄÖc"],
    ["(ab)\\1+", "i", "abABab"],
    ["\\1(a)", "", "aa"],
    ["\\k<n>(?<n>x)", "", "xx"],
    ["\\101\\8\\cZ|\\c*", "", "A8\u001a\\c"],
    ["(?!a|b).", "s", "ab\nc"],
    ["x*", "", "axxb"],
    ["(?:)*", "", "ab"],
    ["ß|k", "iu", "ẞ\u212a"],
  ];

  it.each(samples)("/%s/%s matches as the language defines", (source, flags, text) => {
    for (const subject of [text, text + padding, padding + text]) {
      expect(ownMatches(source, flags, subject)).toEqual(platformMatches(source, flags, subject));
    }
  });

  it("agrees with the platform's RegExp on generated patterns", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "\\w",
      "\\b",
      "^",
      "$",
      "(a)",
      "(?:b|ab)",
      "(?:(a|b)*)",
      "\\1",
      "(?=a)",
      "(?!b)",
      "(?<=a)",
      "(?<!b)",
    );
    const piece = fc
      .tuple(atom, fc.constantFrom("", "", "*", "+", "?", "*?", "+?", "{2}", "{1,2}"))
      .map(([text, sign]) => (canRepeat(text) ? text + sign : text));
    const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(""));
    const whole = fc.oneof(
      pattern,
      fc.tuple(pattern, pattern).map(([left, right]) => `(${left}|${right})*`),
      pattern.map((text) => `(?:${text}){1,3}`),
    );
    const text = fc.string({ unit: fc.constantFrom("a", "b", "A", "\n"), maxLength: 8 });
    fc.assert(
      fc.property(whole, fc.constantFrom("", "i", "m", "s", "u"), text, (source, flags, subject) => {
        fc.pre(!flags.includes("u") || /\((?!\?)/u.test(source) || !source.includes("\\1"));
        const longer = subject + "\n".repeat(150);
        const own = unlessTooLong(() => ownMatches(`${source}(?:|x*y*z*)`, flags, longer));
        // Some generated patterns blow up on these texts: giving up on them is what the engine is for.
        fc.pre(own !== undefined);
        expect(own?.slice(0, 6)).toEqual(platformMatches(`${source}(?:|x*y*z*)`, flags, longer).slice(0, 6));
      }),
      { numRuns: 1500 },
    );
  });

  it("names what is wrong with a malformed pattern", () => {
    expect(() => compileRegularExpression("(")).toThrow(TaskError);
    expect(() => compileRegularExpression("a", "q")).toThrow(/flags/u);
    expect(() => compileRegularExpression("a".repeat(5001))).toThrow(/longer/u);
    expect(() => compileRegularExpression(`${"(".repeat(201)}${")".repeat(201)}`)).toThrow(/deeper/u);
    expect(() => compileRegularExpression("(?:(?:a{999}){999})+").test("a".repeat(9))).toThrow(/repeats too much/u);
  });

  it.each([
    ["^(a+)+$", `${"a".repeat(60)}!`],
    ["(a|a)*b", "a".repeat(80)],
    ["(?:a?){40}a{40}", "a".repeat(39)],
    ["(.*)*=(.*)*=(.*)*!", "=".repeat(400)],
    ["\\s*\\s*\\s*x", " ".repeat(5000)],
    ["(x+x+)+y", "x".repeat(60)],
  ])("gives up on /%s/ instead of hanging", (source, text) => {
    const startedAt = performance.now();
    expect(() => compileRegularExpression(source).test(text)).toThrow(/takes too/u);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it("searches a long configuration text", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `interface Gi0/${index} is up, line protocol is up`);
    const expression = compileRegularExpression("^interface (\\S+) is (?:up|down), .* protocol is (\\w+)$", "m");
    expect(expression.execAll(lines.join("\n"))).toHaveLength(20_000);
  });
});

function canRepeat(atom: string): boolean {
  return !["^", "$", "\\b", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)"].includes(atom);
}

/** The value, or undefined when the engine gave up on the pattern. */
function unlessTooLong<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TaskError && error.message.includes("takes too long")) return undefined;
    throw error;
  }
}
