import { JinjaError, typeError } from "../errors.ts";
import { replaceText, center } from "../methods/text-shape.ts";
import { define, optional, required } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { capitalize } from "../text/letter-case.ts";
import { spaceClass, linesOf, strip } from "../text/white-space.ts";
import { wrapText } from "../text/wrap-text.ts";
import { isTrue, iterate, requireSize } from "../values/iterate.ts";
import { escapeMarkup, likewise } from "../values/markup.ts";
import { requireSmallIndex } from "../values/numbers.ts";
import { formatPercent } from "../values/percent-format.ts";
import { textOf } from "../values/repr.ts";
import { lengthOf, substringOf } from "../values/text-units.ts";
import { Dict } from "../values/dict.ts";
import { Undefined } from "../values/undefined.ts";
import { Markup, Tuple, charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";
import { attributeReader } from "./attribute-path.ts";

/** The value as text, which stays escaped where it is. */
function softText({ budget }: Runtime, value: Value): string | Markup {
  return isText(value) ? value : textOf(budget, value);
}

function changing(name: string, change: (text: string) => string): Definition {
  return define(name, [], (runtime, value) => {
    const text = softText(runtime, value);
    return likewise(text, change(charactersOf(text)));
  });
}

/** Filters that make texts of values. */
export const textFilters: readonly Definition[] = [
  changing("upper", (text) => text.toUpperCase()),
  changing("lower", (text) => text.toLowerCase()),
  changing("capitalize", capitalize),
  define("title", [], (runtime, value) => {
    const text = charactersOf(softText(runtime, value));
    runtime.budget.chargeCharacters(text.length);
    return titleFilter(text);
  }),
  define("string", [], (runtime, value) => softText(runtime, value)),
  define("trim", [optional("chars", null)], (runtime, value, [characters = null]) => {
    const text = softText(runtime, value);
    if (characters !== null && !isText(characters)) throw typeError("strip arg must be None or str");
    runtime.budget.charge(charactersOf(text).length >> 2);
    return likewise(text, strip(charactersOf(text), characters === null ? null : charactersOf(characters), "both"));
  }),
  define("center", [optional("width", 80n)], (runtime, value, [width = 80n]) => {
    const text = softText(runtime, value);
    const missing = requireSmallIndex(width) - lengthOf(charactersOf(text));
    if (missing <= 0) return text;
    runtime.budget.chargeText(requireSmallIndex(width));
    return likewise(text, center(charactersOf(text), missing, " "));
  }),
  define("replace", [required("old"), required("new"), optional("count", null)], replace),
  define("join", [optional("d", ""), optional("attribute", null)], join),
  define("indent", [optional("width", 4n), optional("first", false), optional("blank", false)], indent),
  define(
    "truncate",
    [optional("length", 255n), optional("killwords", false), optional("end", "..."), optional("leeway", null)],
    truncate,
  ),
  define("wordcount", [], (runtime, value) => {
    const text = charactersOf(softText(runtime, value));
    runtime.budget.charge(text.length >> 2);
    return BigInt(text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0);
  }),
  define(
    "wordwrap",
    [
      optional("width", 79n),
      optional("break_long_words", true),
      optional("wrapstring", null),
      optional("break_on_hyphens", true),
    ],
    wordWrap,
  ),
  { name: "format", parameters: [], takesMore: true, takesKeywords: true, run: format },
];

const wordEdge = new RegExp(`([-${spaceClass}({[<]+)`, "u");

/** Words after white space, `-` and opening brackets begin large, everything else is small. */
function titleFilter(text: string): string {
  return text
    .split(wordEdge)
    .map((word) => {
      const [first = ""] = word;
      return first.toUpperCase() + word.slice(first.length).toLowerCase();
    })
    .join("");
}

function replace(runtime: Runtime, value: Value, [old = "", by = "", count = null]: readonly Value[]): Value {
  const { budget } = runtime;
  const most = count === null ? -1 : requireSmallIndex(count);
  if (!runtime.isEscaping())
    return replaceText(runtime, textOf(budget, value), { old: textOf(budget, old), by: textOf(budget, by), most });
  const text =
    old instanceof Markup || (by instanceof Markup && !(value instanceof Markup))
      ? escapeMarkup(budget, value)
      : softText(runtime, value);
  const replacement = text instanceof Markup ? escapeMarkup(budget, by).text : textOf(budget, by);
  return likewise(text, replaceText(runtime, charactersOf(text), { old: textOf(budget, old), by: replacement, most }));
}

function join(runtime: Runtime, value: Value, [separator = "", attribute = null]: readonly Value[]): Value {
  const { budget } = runtime;
  const read = attributeReader(runtime, attribute);
  const items: Value[] = [];
  for (const item of iterate(value)) items.push(attribute === null ? item : read(item));
  const isMarkup = runtime.isEscaping() && [separator, ...items].some((item) => item instanceof Markup);
  const textOfItem = (item: Value) => (isMarkup ? escapeMarkup(budget, item).text : textOf(budget, item));
  const between = textOfItem(separator);
  let length = 0;
  const texts = items.map((item) => {
    const text = textOfItem(item);
    budget.chargeText((length += text.length + between.length));
    return text;
  });
  return isMarkup ? new Markup(texts.join(between)) : texts.join(between);
}

function indent(runtime: Runtime, value: Value, [width = 4n, first = false, blank = false]: readonly Value[]): Value {
  const margin = isText(width) ? charactersOf(width) : " ".repeat(Math.max(marginWidth(runtime, width), 0));
  if (value instanceof Undefined) throw value.error();
  // Python adds the line break to the list before it fails.
  if (Array.isArray(value)) throw new JinjaError("AttributeError", "'list' object has no attribute 'splitlines'");
  if (!isText(value)) throw typeError(`unsupported operand type(s) for +=: '${typeNameOf(value)}' and 'str'`);
  runtime.budget.charge(charactersOf(value).length >> 4);
  const [head = "", ...rest] = linesOf(`${charactersOf(value)}\n`);
  runtime.budget.charge(rest.length >> 2);
  runtime.budget.chargeText(charactersOf(value).length + margin.length * (rest.length + 1));
  const isBlank = isTrue(blank);
  const lines = rest.map((line) => (line === "" && !isBlank ? line : margin + line));
  const text = [head, ...lines].join("\n");
  return likewise(value, isTrue(first) ? margin + text : text);
}

function marginWidth({ budget }: Runtime, width: Value): number {
  const size = requireSmallIndex(width);
  budget.chargeText(size);
  return size;
}

function truncate(
  _: Runtime,
  value: Value,
  [length = 255n, killWords = false, end = "...", leeway = null]: readonly Value[],
): Value {
  const most = requireSmallIndex(length);
  const tolerance = leeway === null ? 5 : requireSmallIndex(leeway);
  const mark = requireMark(end);
  const kept = most - lengthOf(mark);
  if (kept < 0) throw assertion(`expected length >= ${lengthOf(mark)}, got ${most}`);
  if (tolerance < 0) throw assertion(`expected leeway >= 0, got ${tolerance}`);
  if (requireSize(value) <= most + tolerance) return value;
  if (!isText(value)) throw typeError(`can only truncate text, not ${typeNameOf(value)}`);
  const cut = substringOf(charactersOf(value), 0, kept);
  const blank = isTrue(killWords) ? -1 : cut.lastIndexOf(" ");
  return likewise(value, (blank === -1 ? cut : cut.slice(0, blank)) + mark);
}

function requireMark(end: Value): string {
  if (isText(end)) return charactersOf(end);
  throw typeError(`object of type '${typeNameOf(end)}' has no len()`);
}

function assertion(message: string): JinjaError {
  return new JinjaError("AssertionError", message);
}

function wordWrap(
  runtime: Runtime,
  value: Value,
  [width = 79n, breaksLong = true, by = null, breaksHyphens = true]: readonly Value[],
): Value {
  if (value instanceof Undefined) throw value.error();
  if (!isText(value))
    throw new JinjaError("AttributeError", `'${typeNameOf(value)}' object has no attribute 'splitlines'`);
  const between = by === null ? "\n" : textOf(runtime.budget, by);
  const options = {
    width: requireSmallIndex(width),
    breaksLongWords: isTrue(breaksLong),
    breaksOnHyphens: isTrue(breaksHyphens),
  };
  const text = charactersOf(value);
  runtime.budget.charge(text.length);
  const wrapped = linesOf(text).map((line) => wrapText(line, options).join(between));
  return likewise(value, wrapped.join(between));
}

function format(runtime: Runtime, value: Value, args: readonly Value[], keywords: ReadonlyMap<string, Value>): Value {
  if (args.length > 0 && keywords.size > 0)
    throw new JinjaError("FilterArgumentError", "can't handle positional and keyword arguments at the same time");
  const values = keywords.size > 0 ? Dict.of(keywords) : new Tuple(args);
  return formatPercent(runtime.budget, softText(runtime, value), values);
}
