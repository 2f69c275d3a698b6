import { JinjaError, typeError } from "../errors.ts";
import { define, optionalPositional, positional } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { Dict, DictView } from "../values/dict.ts";
import { iterate } from "../values/iterate.ts";
import { reprOf } from "../values/repr.ts";
import { Tuple, orElse, type Keywords, type Value } from "../values/value.ts";
import { pairsOf } from "./list-methods.ts";

const withDefault = [positional("key"), optionalPositional("default", null)];

/** Methods of dictionaries. */
export const dictMethods: readonly Definition[] = [
  define("keys", [], (_, self) => new DictView(requireDict(self), "keys")),
  define("values", [], (_, self) => new DictView(requireDict(self), "values")),
  define("items", [], (_, self) => new DictView(requireDict(self), "items")),
  define("get", withDefault, (_, self, [key = null, standard = null]) =>
    orElse(requireDict(self).get(key), () => standard),
  ),
  { name: "pop", parameters: [positional("key")], takesMore: true, run: pop },
  define("popitem", [], ({ budget }, self) => {
    const dict = requireDict(self);
    budget.charge(dict.size);
    const last = [...dict.entries()].at(-1);
    if (!last) throw new JinjaError("KeyError", "'popitem(): dictionary is empty'");
    dict.delete(last[0]);
    return new Tuple(last);
  }),
  define("setdefault", withDefault, (runtime, self, [key = null, standard = null]) => {
    const dict = requireDict(self);
    const found = dict.get(key);
    if (found !== undefined) return found;
    dict.set(key, standard);
    runtime.budget.requireListLength(dict.size);
    return standard;
  }),
  { name: "update", parameters: [], takesMore: true, takesKeywords: true, run: update },
  define("clear", [], (_, self) => {
    requireDict(self).clear();
    return null;
  }),
  define("copy", [], (runtime, self) => {
    const dict = requireDict(self);
    runtime.budget.chargeList(dict.size);
    return Dict.of(dict.entries());
  }),
  define(
    "fromkeys",
    [positional("iterable"), optionalPositional("value", null)],
    (runtime, _, [keys = null, value = null]) => {
      const dict = new Dict();
      for (const key of iterate(keys)) {
        runtime.budget.charge(1);
        dict.set(key, value);
      }
      return dict;
    },
  ),
];

function requireDict(value: Value): Dict {
  if (value instanceof Dict) return value;
  throw typeError("not a dict");
}

function pop(runtime: Runtime, self: Value, args: readonly Value[]): Value {
  const dict = requireDict(self);
  const [key = null, standard] = args;
  if (args.length > 2) throw typeError(`pop expected at most 2 arguments, got ${args.length}`);
  const found = dict.get(key);
  if (found === undefined && standard === undefined) throw new JinjaError("KeyError", reprOf(runtime.budget, key));
  dict.delete(key);
  return found === undefined ? (standard ?? null) : found;
}

function update(runtime: Runtime, self: Value, args: readonly Value[], keywords: Keywords): Value {
  const dict = requireDict(self);
  fillDict(runtime, dict, { args, keywords });
  return null;
}

/** Puts into a dictionary what `dict(…)` and `update(…)` take: a mapping or pairs, and named values. */
export function fillDict(
  runtime: Runtime,
  dict: Dict,
  { args, keywords }: { args: readonly Value[]; keywords: Keywords },
): void {
  const [source, ...more] = args;
  if (more.length > 0) throw typeError(`dict expected at most 1 argument, got ${args.length}`);
  if (source !== undefined)
    for (const [key, value] of source instanceof Dict ? source.entries() : pairsOf(runtime, source)) {
      runtime.budget.charge(1);
      dict.set(key, value);
    }
  for (const [key, value] of keywords) dict.set(key, value);
  runtime.budget.chargeList(dict.size);
}
