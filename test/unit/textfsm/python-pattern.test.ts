import { describe, expect, it } from "vitest";
import { translatePattern } from "../../../src/textfsm/python-pattern.ts";

/** The groups of the match at the beginning of the text, or null. */
function match(pattern: string, text: string): (string | null)[] | null {
  const { source, flags } = translatePattern(pattern);
  const found = new RegExp(source, `${flags}y`).exec(text);
  return found && [...found].map((group) => group ?? null);
}

describe("a pattern of Python", () => {
  // What Python's re.match finds.
  it.each([
    ["(?P<a>\\d+)-(?P=a)", "12-12", ["12-12", "12"]],
    ["\\w+", "é_٣x", ["é_٣x"]],
    ["\\d+", "٣4", ["٣4"]],
    ["\\s+", "\u001c \u0085", ["\u001c \u0085"]],
    ["a$", "a\n", ["a"]],
    ["a$", "a\nb", null],
    ["a\\Z", "a\n", null],
    [".+", "a\r\u2028b", ["a\r\u2028b"]],
    ["(?s).+", "a\nb", ["a\nb"]],
    ["(?i)ab", "aB", ["aB"]],
    ["(?im)b$", "B\nc", ["B"]],
    ["[]a]+", "a]", ["a]"]],
    ["[^]a]+", "b-c", ["b-c"]],
    ["[a&&b]+", "&ab", ["&ab"]],
    ["[--/]+", "-./", ["-./"]],
    ["[\\w.-]+", "r1.lab-2 x", ["r1.lab-2"]],
    ["[^\\W_]+", "ab_c", ["ab"]],
    ["x{,2}y", "xxy", ["xxy"]],
    ["x{2}", "xx", ["xx"]],
    ["x{}", "x{}", ["x{}"]],
    ["x{a}", "x{a}", ["x{a}"]],
    ["a(?#a note)b", "ab", ["ab"]],
    ["(?=a)*b", "b", ["b"]],
    ["\\bfoo\\b", "foo bar", ["foo"]],
    ["\\B", "", null],
    ["\\x41\\u00e9\\U0001F600\\101\\0", "Aé😀A\0", ["Aé😀A\0"]],
    ["(a)\\1", "aa", ["aa", "a"]],
    ['\\-\\/\\ \\"\\#', '-/ "#', ['-/ "#']],
  ])("%s matches in %j what it matches there", (pattern, text, groups) => {
    expect(match(pattern, text)).toEqual(groups);
  });

  it.each(["(?P<1>a)", "[a", "\\", "\\q", "[z-a]", "\\x4", "(?(1)a)", "(?>a)", "a*+", "(?x)a", "(?i:a)"])(
    "%s is refused",
    (pattern) => {
      expect(() => translatePattern(pattern)).toThrow();
    },
  );
});
