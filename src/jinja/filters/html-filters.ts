import { JinjaError, valueError } from "../errors.ts";
import { define, optional } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { stripTags } from "../text/html-text.ts";
import { linkUrls, type LinkOptions } from "../text/link-urls.ts";
import { urlQuote } from "../text/url-quote.ts";
import { wordsOf } from "../text/white-space.ts";
import { Dict } from "../values/dict.ts";
import { elementsOf, isTrue, iterate, listOf } from "../values/iterate.ts";
import { escapeMarkup } from "../values/markup.ts";
import { requireSmallIndex } from "../values/numbers.ts";
import { quote } from "../values/quote.ts";
import { textOf } from "../values/repr.ts";
import { Undefined } from "../values/undefined.ts";
import { Markup, charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";

const escape = ({ budget }: Runtime, value: Value) => escapeMarkup(budget, value);

/** Filters for HTML, XML and addresses. */
export const htmlFilters: readonly Definition[] = [
  define("e", [], escape),
  define("escape", [], escape),
  define("forceescape", [], ({ budget }, value) => escapeMarkup(budget, textOf(budget, value))),
  define("safe", [], ({ budget }, value) => new Markup(textOf(budget, value))),
  define("striptags", [], ({ budget }, value) => {
    const text = textOf(budget, value);
    budget.chargeCharacters(text.length);
    return stripTags(text);
  }),
  define("urlencode", [], urlEncode),
  define("xmlattr", [optional("autospace", true)], xmlAttributes),
  define(
    "urlize",
    [
      optional("trim_url_limit", null),
      optional("nofollow", false),
      optional("target", null),
      optional("rel", null),
      optional("extra_schemes", null),
    ],
    urlize,
  ),
];

function urlEncode({ budget }: Runtime, value: Value): Value {
  const quoted = (part: Value, forQuery: boolean) => {
    const text = textOf(budget, part);
    budget.chargeCharacters(text.length);
    return urlQuote(text, forQuery);
  };
  if (isText(value) || !elementsOf(value)) return quoted(value, false);
  const parts: string[] = [];
  for (const pair of value instanceof Dict ? value.entries() : iterate(value)) {
    const [key, member, ...more] = listOf(budget, Array.isArray(pair) ? [...pair] : pair);
    if (key === undefined || member === undefined || more.length > 0)
      throw valueError("not enough or too many values to unpack (expected 2)");
    parts.push(`${quoted(key, true)}=${quoted(member, true)}`);
  }
  return parts.join("&");
}

function xmlAttributes(runtime: Runtime, value: Value, [autospace = true]: readonly Value[]): Value {
  if (value instanceof Undefined) throw value.error();
  if (!(value instanceof Dict))
    throw new JinjaError("AttributeError", `'${typeNameOf(value)}' object has no attribute 'items'`);
  const parts: string[] = [];
  for (const [key, member] of value.entries()) {
    if (member === null || member instanceof Undefined) continue;
    if (!isText(key)) throw new JinjaError("TypeError", "expected string or bytes-like object");
    const name = charactersOf(key);
    if (/[ \t\n\r\f\v/>=]/u.test(name)) throw valueError(`Invalid character in attribute name: ${quote(name)}`);
    parts.push(`${escapeMarkup(runtime.budget, key).text}="${escapeMarkup(runtime.budget, member).text}"`);
  }
  const text = (isTrue(autospace) && parts.length > 0 ? " " : "") + parts.join(" ");
  return runtime.isEscaping() ? new Markup(text) : text;
}

function urlize(runtime: Runtime, value: Value, args: readonly Value[]): Value {
  const [limit = null, noFollow = false, target = null, rel = null, schemes = null] = args;
  const { budget } = runtime;
  const relations = new Set(rel === null ? [] : wordsOf(textOf(budget, rel), -1));
  if (isTrue(noFollow)) relations.add("nofollow");
  relations.add("noopener");
  const options: LinkOptions = {
    trimLimit: limit === null ? undefined : requireSmallIndex(limit),
    rel: [...relations].toSorted().join(" "),
    target: target === null ? undefined : textOf(budget, target),
    schemes: schemes === null ? [] : [...iterate(schemes)].map((scheme) => requireScheme(textOf(budget, scheme))),
  };
  const text = escapeMarkup(budget, value).text;
  budget.charge(text.length);
  const linked = linkUrls(text, options);
  budget.chargeText(linked.length);
  return runtime.isEscaping() ? new Markup(linked) : linked;
}

function requireScheme(scheme: string): string {
  if (/^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u.test(scheme)) return scheme;
  throw new JinjaError("FilterArgumentError", `${quote(scheme)} is not a valid URI scheme prefix.`);
}
