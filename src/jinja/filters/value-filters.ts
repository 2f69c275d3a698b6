import { JinjaError } from "../errors.ts";
import { define, optional, required } from "../runtime/define.ts";
import type { Definition } from "../runtime/runtime.ts";
import { prettyPrint } from "../text/pretty-print.ts";
import { toJson } from "../text/to-json.ts";
import { Dict } from "../values/dict.ts";
import { isTrue } from "../values/iterate.ts";
import { Undefined } from "../values/undefined.ts";
import { Markup, charactersOf, isText, orElse, type Value } from "../values/value.ts";

const standard = [optional("default_value", ""), optional("boolean", false)];

const defaultFilter = (_: unknown, value: Value, [fallback = "", boolean = false]: readonly Value[]): Value =>
  value instanceof Undefined || (isTrue(boolean) && !isTrue(value)) ? fallback : value;

/** Filters that take any value. */
export const valueFilters: readonly Definition[] = [
  define("default", standard, defaultFilter),
  define("d", standard, defaultFilter),
  define("attr", [required("name")], (runtime, value, [name = ""]) => {
    if (!isText(name)) throw new JinjaError("TypeError", "attribute name must be string");
    const owner = value instanceof Dict || !(value instanceof Undefined) ? value : undefined;
    if (owner === undefined) throw (value as Undefined).error();
    const text = charactersOf(name);
    return orElse(runtime.attributeOf(owner, text), () => new Undefined({ owner, name: text }));
  }),
  define("pprint", [], ({ budget }, value) => prettyPrint(budget, value)),
  define(
    "tojson",
    [optional("indent", null)],
    ({ budget }, value, [indent = null]) => new Markup(toJson(budget, value, indent)),
  ),
];
