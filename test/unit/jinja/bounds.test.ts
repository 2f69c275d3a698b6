import { describe, expect, test } from "vitest";
import { answerRender, createTemplateCache, defaultLimits } from "../../../src/jinja/index.ts";

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
    ["a long number", `{{ ${"9".repeat(100_000)} }}`],
    ["a long number of another base", `{{ 0x_${"f".repeat(100_000)} }}`],
    ["a long number read from a text", "{{ ('f' * 100000)|int(base=16) }}"],
    ["a long template", "{{a}}".repeat(300_000)],
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
    const problem = { kind: "LimitError", line: 1 };
    expect(render(`{{ ${"(".repeat(5_000)}1${")".repeat(5_000)} }}`)).toMatchObject({ problem });
    expect(render("{% if 1 %}".repeat(5_000))).toMatchObject({ problem });
  });
});

const templates = { none: null };

/** With the bound of renderings on the event loop: 30,000 steps stand for about 10 ms. */
const onLoop = (template: string, context: Record<string, unknown>) =>
  answerRender({ template, context, templates }, { random: () => 0, limits: { ...defaultLimits, steps: 30_000 } });
const stopped = { problem: { kind: "LimitError", message: "the template takes more than 30000 steps" } };

describe("reading a template is counted", () => {
  test.each([
    ["{{a}}", 5],
    ["{% set a = 1 %}", 5],
    ["{##}", 5],
    ["{{ [a|upper, 1] }}", 5],
    ["{% if false %}{{ a(b, c=1) }}{% endif %}", 5],
    ["{# a comment #}interface ge-0/0/0\n", 20],
  ])("token by token: %s", (part, characters) => {
    expect(onLoop(part.repeat(50_000 / characters), {})).toMatchObject(stopped);
    expect(onLoop(part.repeat(500 / characters), {})).toHaveProperty("text");
  });

  test("but text between tags costs next to nothing", () => {
    expect(onLoop(`{{ a }}${"interface ge-0/0/0\n".repeat(10_000)}`, {})).toHaveProperty("text");
  });

  test("in templates that it draws in too", () => {
    const request = { template: "{% include 'other' %}", context: {}, templates: { other: "{{a}}".repeat(10_000) } };
    const answer = answerRender(request, { random: () => 0, limits: { ...defaultLimits, steps: 30_000 } });
    expect(answer).toMatchObject({ problem: { kind: "LimitError", template: "other" } });
  });

  test("once: what was read stays read", () => {
    const cache = createTemplateCache(1_000_000);
    const request = { template: "{{a}}".repeat(2_000), context: {} };
    const render = (steps: number) =>
      answerRender(request, { random: () => 0, limits: { ...defaultLimits, steps }, cache });
    expect(render(20_000)).toHaveProperty("problem");
    expect(render(200_000)).toHaveProperty("text");
    expect(render(20_000)).toHaveProperty("text");
  });
});

describe("work that grows with a text or list is counted", () => {
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
    "x|int",
    "x|float",
    "x|int(base=16)",
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

  test.each([
    "{% include 'other' %}",
    "{% import 'other' as other with context %}",
    "{% block a scoped %}{% endblock %}",
  ])("and each name that %s hands on", (statement) => {
    const template = `{% for i in range(1000) %}${statement}{% endfor %}`;
    const answer = (names: number) => {
      const context = Object.fromEntries(Array.from({ length: names }, (_, k) => [`n${k}`, k]));
      const request = { template, context, templates: { other: "" } };
      return answerRender(request, { random: () => 0, limits: { ...defaultLimits, steps: 30_000 } });
    };
    expect(answer(5_000)).toMatchObject(stopped);
    expect(answer(5)).toEqual({ text: "" });
  });

  test.each([
    ["a character of a text with pairs", "{% set _ = t[9] %}", ""],
    ["the last of a dict", "{% set _ = d|last %}", ""],
    ["an item taken out of a dict", "{% set _ = d.copy().popitem() %}", ""],
    ["values of a call by name", "{{ m(**d) }}", "{% macro m() %}{% if kwargs %}{% endif %}{% endmacro %}"],
    ["elements of a tuple", `{% set _ = (${"1,".repeat(200)}) %}`, ""],
    ["elements of a dict", `{% set _ = {${"1:1,".repeat(200)}} %}`, ""],
    [
      "parameters of a macro",
      "{{ n() }}",
      `{% macro n(${Array.from({ length: 200 }, (_, k) => `a${k}=1`).join()}) %}{% endmacro %}`,
    ],
    ["links of a chain", `{% set _ = ${"1 and ".repeat(200)} 1 %}`, ""],
    ["parts of a joined text", `{% set _ = ${"u ~ ".repeat(200)} u %}`, ""],
    ["a template that is missing", "{% include 'none' ignore missing %}", ""],
    ["a text that is no number", "{% set _ = 'x'|int %}", ""],
    ["elements compared", "{% set _ = xs == ys %}", ""],
  ])("whatever is repeated: %s", (_, statement, before) => {
    const repeated = (times: number) => `${before}{% for i in range(${times}) %}${statement}{% endfor %}`;
    const xs = Array.from({ length: 3_000 }, (__, k) => k);
    const d = Object.fromEntries(xs.map((k) => [`k${k}`, k]));
    const context = { t: "😀".repeat(3_000), u: "", d, xs, ys: [...xs] };
    const few = answerRender({ template: repeated(3), context, templates }, { random: () => 0 });
    expect(few).toEqual({ text: "" });
    expect(onLoop(repeated(1_000), context)).toMatchObject(stopped);
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
  const names = Array.from({ length: 50_000 }, (_, k) => `a${k}=1`).join();
  test.each([
    ["blanks before a tag that strips them", `${blanks}x{%- if 1 %}{% endif %}`, blanks.length + 1],
    ["blanks inside a number", "{{ x|int }}", 1],
    ["digits that end in no number", "{{ z|float }}", 3],
    ["a call of many names", "{{ dict(b=1)|length if 1 else f(" + names + ") }}", 1],
    ["brackets inside an address", "{{ y|urlize|length }}", 6],
    ["groups of digits", "{{ '{:0400000,}'.format(1)|length }}", 6],
  ])("is matched all the same: %s", (_, template, length) => {
    const answer = render(template, {
      x: `1${blanks}x`,
      y: `${")".repeat(400_000)}x`,
      z: `${"1".repeat(400_000)}x`,
      a: "٣".repeat(400_000),
    });
    expect("text" in answer && answer.text.length).toBe(length);
  });
});

test("a format with names that do not end is refused at the first of them", () => {
  expect(render("{{ x % 1 }}", { x: "%(".repeat(200_000) })).toMatchObject({ problem: { kind: "ValueError" } });
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
