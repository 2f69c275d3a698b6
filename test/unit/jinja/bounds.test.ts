import { describe, expect, test } from "vitest";
import { answerRender, defaultLimits } from "../../../src/jinja/index.ts";

const surroundings = { random: () => 0 };
const render = (template: string, context: Record<string, unknown> = {}) =>
  answerRender({ template, context }, surroundings);

describe("a template that would take too much", () => {
  test.each([
    [
      "a text that doubles",
      "{% set ns = namespace(s='ab') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    ],
    ["a repeated text", "{{ 'x' * 100000000000 }}"],
    ["a repeated list", "{{ [1] * 100000000000 }}"],
    ["a long range as a list", "{{ range(100000000000)|list }}"],
    [
      "loops in each other",
      "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}x{% endfor %}{% endfor %}{% endfor %}",
    ],
    ["a macro that calls itself", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"],
    ["a large power", "{{ 9 ** 99999 }}"],
    ["a wide field", "{{ '%99999999999d' % 1 }}"],
    ["a wide format", "{{ '{:99999999999}'.format(1) }}"],
    ["a wide margin", "{{ 'x'.center(99999999999) }}"],
    ["replacements", "{{ ('x' * 1000000)|replace('x', 'y' * 1000000) }}"],
    [
      "a list that holds itself twice, again and again",
      "{% set ns = namespace(l=[]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
    ],
  ])("ends with the bound it met: %s", (_, template) => {
    expect(render(template)).toMatchObject({ problem: { kind: "LimitError" } });
  });

  test("is refused when its expressions are too deep in each other", () => {
    expect(render(`{{ ${"(".repeat(5_000)}1${")".repeat(5_000)} }}`)).toMatchObject({ problem: { line: 1 } });
  });
});

describe("work that grows with a text or list is counted", () => {
  /** With the bound of renderings on the event loop: 30,000 steps stand for about 10 ms. */
  const onLoop = (template: string, context: Record<string, unknown>) =>
    answerRender({ template, context }, { random: () => 0, limits: { ...defaultLimits, steps: 30_000 } });
  const stopped = { problem: { kind: "LimitError", message: "the template takes more than 30000 steps" } };

  test.each([
    "x|title|length",
    "x.title()|length",
    "x.swapcase()|length",
    "x.isprintable()",
    "x is upper",
    "x|reverse|length",
    "x[::-1]|length",
    "x.rsplit(none, 1)|length",
    "x.expandtabs()|length",
    "x.format()|length",
    "x|striptags|length",
    "x|urlencode|length",
    "x|urlize|length",
    "x|wordwrap|length",
    "(x ~ 'é')|tojson|length",
    "(x ~ 'é')|pprint|length",
    "[x ~ 'é']|string|length",
  ])("each character of %s is a step", (expression) => {
    expect(onLoop(`{{ ${expression} }}`, { x: "ab ".repeat(12_000) })).toMatchObject(stopped);
    expect(onLoop(`{{ ${expression} }}`, { x: "ab ".repeat(1_000) })).toHaveProperty("text");
  });

  test.each(["'z' in x", "x == y", "x < y", "x|length", "x.find('z')", "x|upper", "x.count('z')"])(
    "a long text that is looked at again and again costs: %s",
    (expression) => {
      const template = `{% for i in range(500) %}{% set _ = ${expression} %}{% endfor %}`;
      expect(onLoop(template, { x: "a".repeat(150_000), y: "a".repeat(150_000) })).toMatchObject(stopped);
      expect(onLoop(template, { x: "a", y: "a" })).toEqual({ text: "" });
    },
  );

  test.each([
    "xs|sort",
    "xs|unique|list",
    "xs|groupby(0)",
    "xs|tojson",
    "xs|pprint",
    "xs|map('string')|list",
    "xs * 9",
  ])("so does each element: %s", (expression) => {
    const listOfLength = (length: number) => Array.from({ length }, (_, k) => `${(k * 7919) % length}`);
    expect(onLoop(`{% set _ = ${expression} %}`, { xs: listOfLength(20_000) })).toMatchObject(stopped);
    expect(onLoop(`{% set _ = ${expression} %}`, { xs: listOfLength(200) })).toEqual({ text: "" });
  });

  test.each(["'%.190000f' % 1.5", "'{:.190000e}'.format(1.5)", "'%.199999g' % 1.5"])(
    "and each digit: %s",
    (expression) => {
      expect(onLoop(`{{ ${expression} }}`, {})).toMatchObject(stopped);
    },
  );
});

describe("a text made to be slow to match", () => {
  // Each took time with the square of its length; at this length that is far beyond the time a test has.
  const blanks = " ".repeat(400_000);
  test.each([
    ["blanks before a tag that strips them", `${blanks}x{%- if 1 %}{% endif %}`, blanks.length + 1],
    ["blanks inside a number", "{{ x|int }}", 1],
    ["brackets inside an address", "{{ y|urlize|length }}", 6],
    ["groups of digits", "{{ '{:0400000,}'.format(1)|length }}", 6],
  ])("is matched all the same: %s", (_, template, length) => {
    const answer = render(template, { x: `1${blanks}x`, y: `${")".repeat(400_000)}x` });
    expect("text" in answer && answer.text.length).toBe(length);
  });
});

describe("what lies outside of a template", () => {
  test.each([
    "x.constructor",
    "x['constructor']",
    "x.__proto__",
    "x['__proto__']",
    "x.__class__",
    "xs.constructor",
    "xs.map",
    "s.constructor",
    "s['__proto__']",
    "n.toFixed",
    "x.toString",
    "x.hasOwnProperty",
    "range.constructor",
    "namespace().constructor",
    "cycler(1).constructor",
    "constructor",
    "globalThis",
    "process",
    "self",
  ])("is not reached by %s", (path) => {
    const answer = render(`{{ ${path} is defined }}`, { x: {}, xs: [], s: "", n: 1 });
    expect(answer).toEqual({ text: path === "self" ? "True" : "False" });
  });

  test.each([
    "x.constructor.constructor('return 1')()",
    "''.constructor",
    "().__class__.__bases__[0]",
    "''.__class__.mro()",
  ])("is an error or nothing: %s", (path) => {
    const answer = render(`{{ ${path} }}`, { x: {} });
    expect("problem" in answer || ("text" in answer && answer.text === "")).toBe(true);
  });

  test("a member named like one of JavaScript's own is data like any other", () => {
    const context = JSON.parse('{"x": {"__proto__": 1, "constructor": 2}}') as Record<string, unknown>;
    expect(render("{{ x.__proto__ }}{{ x['constructor'] }}{{ x }}", context)).toEqual({
      text: "12{'__proto__': 1, 'constructor': 2}",
    });
  });
});
