import type { Random } from "../fuzz/random.ts";

/** What an attacker would like to have run; each leaves a trace that the programme looks for. */
const wanted = [
  "globalThis.hostileTrace = 1",
  "process.exit(99)",
  "process.env",
  "process.mainModule.require('child_process').execSync('id')",
  "require('fs').writeFileSync('/tmp/hostile-trace','1')",
  "import('node:child_process')",
  "constructor.constructor('globalThis.hostileTrace=1')()",
  "this.constructor.constructor('return process')().exit(99)",
  "[].filter.constructor('globalThis.hostileTrace=1')()",
  "''.sub.call.call(({}).__lookupGetter__('__proto__'))",
  "Object.getPrototypeOf({}).polluted = 1",
  "__proto__.polluted",
  "constructor.prototype.polluted",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "__defineGetter__",
  "then",
  "new Proxy({}, {get(){globalThis.hostileTrace=1}})",
  "with(globalThis){hostileTrace=1}",
  "Reflect.construct(Function,['globalThis.hostileTrace=1'])()",
  "eval('globalThis.hostileTrace=1')",
  "self.__class__.__mro__[1].__subclasses__()",
  "cycler.__init__.__globals__.os.popen('id').read()",
];

/** How languages of templates, queries and scripts mark what is to be run. */
const wrappers: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\${${text}}`,
  (text) => `{{${text}}}`,
  (text) => `{% set x = ${text} %}{{x}}`,
  (text) => `<!${text}!>`,
  (text) => `<%= ${text} %>`,
  (text) => `#{${text}}`,
  (text) => `\`\${${text}}\``,
  (text) => `$var.job.${text}`,
  (text) => `[${text}]`,
  (text) => `[*${text}=1].${text}`,
  (text) => `a.${text}.b`,
  (text) => `[n~/${text}/]`,
  (text) => `:get(${text})`,
  (text) => `:select(${text},a)`,
  (text) => `{${text}}`,
  (text) => `[{${text}}]`,
  (text) => `');${text};//`,
  (text) => `";${text};//`,
  (text) => `*/${text}/*`,
  (text) => `\n${text}\n`,
  (text) => `\u0000${text}`,
  (text) => `\u202e${text}\u2028`,
  (text) => `=cmd|'${text}'!A1`,
  (text) => `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;${text}</a>`,
  (text) => `{"$ref":"${text}"}`,
  (text) => `{"__proto__":{"polluted":"${text}"}}`,
  (text) => `{"constructor":{"prototype":{"polluted":1}},"a":"${text}"}`,
  (text) => `a,${text},__proto__\n1,2,3`,
  (text) => text.repeat(20),
  (text) => encodeURIComponent(text),
  (text) => Buffer.from(text).toString("base64"),
  (text) => Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  (text) => `${"[".repeat(300)}${text}${"]".repeat(300)}`,
  (text) => `${"(".repeat(300)}${text}${")".repeat(300)}`,
  (text) => `${"{{".repeat(100)}${text}`,
  (text) => `${"a.".repeat(500)}${text}`,
  (text) => `${text}|${text}|${text}`,
  (text) => `!${text}&${text}`,
  (text) => `-1;${text}`,
];

/** Texts that try to get out of their language: every wish in every wrapper, then wrappers in wrappers. */
export function escapeInputs(count: number, random: Random): string[] {
  const plain = wanted.flatMap((wish) => wrappers.map((wrap) => wrap(wish)));
  return chosen(plain, count, () => {
    const wishes = Array.from({ length: 1 + random.below(2) }, () => random.pick(wanted)).join(random.pick(glue));
    return random.pick(wrappers)(random.pick(wrappers)(wishes)).slice(0, longestText);
  });
}

const glue = ["", ";", ".", "\n", "}}{{", "|"];
const longestText = 100_000;

/** As many as wanted: evenly taken from these, and beyond them made anew. */
function chosen(plain: readonly string[], count: number, make: () => string): string[] {
  const step = Math.max(1, plain.length / count);
  return Array.from({ length: count }, (_, place) => plain[Math.floor(place * step)] ?? make());
}

const statements = [
  "{{ a }}",
  "{% if a %}{{ a|upper }}{% endif %}",
  "{% set b = a ~ a %}",
  "{% for c in a %}{% include 'x' ignore missing %}{% endfor %}",
  "{% macro m(a, b=1) %}{{ caller() }}{% endmacro %}",
  "{{ [a, 1, {'b': a}] }}",
  "{{ a[9] ~ a % a }}",
  "{{ a|int + a|float }}",
  "{##}",
];
const surrounds: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `{% for i in range(9999) %}${text}{% endfor %}`,
  (text) => `${"{% for i in a %}".repeat(150)}${text}${"{% endfor %}".repeat(150)}`,
  (text) => `{% macro n(${"a,".repeat(5_000)}b) %}${text}{% endmacro %}{{ n() }}`,
  (text) => `{{ ${"9".repeat(50_000)} }}${text}`,
  (text) => `{{ 7 ** 99999 ** 2 }}${text}`,
];

/** Jinja2 templates that take long to read, or do much at once. */
export function longTemplates(count: number, random: Random): string[] {
  return Array.from({ length: count }, (_, place) => {
    const parts = Array.from({ length: 1 + random.below(3) }, () => random.pick(statements)).join("");
    const text = parts.repeat(Math.ceil((10 * longestText) / parts.length / 10 ** random.below(5)));
    return (surrounds[place % surrounds.length] ?? String)(text);
  });
}

const repeated = [
  "a",
  "a|a",
  "a|aa",
  "a*",
  "a+",
  "a?",
  "\\w",
  "\\w+",
  "\\d+|\\w+",
  "(?:a|b)",
  "[ab]",
  ".",
  ".*",
  "a{1,3}",
];
const quantified = ["*", "+", "{1,30}", "{2,}", "*?", "+?"];
const ends = ["$", "b$", "(?=b)", "(?<=b)$", "\\1$", "\\b!", "[^!]$"];

/** Patterns that plain backtracking takes for ever on some texts: all pairs of these parts, then two in each other. */
export function hardPatterns(count: number, random: Random): string[] {
  const plain = repeated.flatMap((inner) =>
    quantified.flatMap((outer) => ends.map((end) => `^(${inner})${outer}${end}`)),
  );
  return chosen(plain, count, () => {
    const part = (): string => `(${random.pick(repeated)})${random.pick(quantified)}`;
    return `${random.pick(["^", "", "x?"])}(${part()}${random.pick(["", "|"])}${part()})${random.pick(quantified)}${random.pick(ends)}`;
  });
}
