import { JinjaError, typeError, valueError } from "../errors.ts";
import { define, optional, optionalPositional, positional } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { isEqual, sortBy } from "../values/compare.ts";
import { isTrue, iterate, listOf } from "../values/iterate.ts";
import { requireSmallIndex } from "../values/numbers.ts";
import { Callable, Tuple, typeNameOf, type Value } from "../values/value.ts";

/** Methods of lists. Most change the list and give None. */
export const listMethods: readonly Definition[] = [
  define("append", [positional("object")], (runtime, self, [item = null]) => {
    const list = requireList(self);
    list.push(item);
    runtime.budget.requireListLength(list.length);
    return null;
  }),
  define("extend", [positional("iterable")], (runtime, self, [items = null]) => {
    const list = requireList(self);
    const added = listOf(runtime.budget, items);
    runtime.budget.chargeList(list.length + added.length);
    for (const item of added) list.push(item);
    return null;
  }),
  define("insert", [positional("index"), positional("object")], (runtime, self, [index = null, item = null]) => {
    const list = requireList(self);
    runtime.budget.chargeList(list.length);
    list.splice(requireSmallIndex(index), 0, item);
    return null;
  }),
  define("pop", [optionalPositional("index", -1n)], (runtime, self, [index = -1n]) =>
    pop(runtime, requireList(self), index),
  ),
  define("remove", [positional("value")], (runtime, self, [value = null]) => {
    const list = requireList(self);
    const at = list.findIndex((item) => isSame(runtime, item, value));
    if (at === -1) throw valueError("list.remove(x): x not in list");
    list.splice(at, 1);
    return null;
  }),
  define("clear", [], (_, self) => {
    requireList(self).length = 0;
    return null;
  }),
  define("copy", [], (runtime, self) => listOf(runtime.budget, self)),
  define("reverse", [], (_, self) => {
    requireList(self).reverse();
    return null;
  }),
  define("sort", [{ ...optional("key", null) }, optional("reverse", false)], sort),
];

/** Methods that lists and tuples share. */
export const sequenceMethods: readonly Definition[] = [
  define("count", [positional("value")], (runtime, self, [value = null]) =>
    BigInt(itemsOf(self).filter((item) => isSame(runtime, item, value)).length),
  ),
  define(
    "index",
    [positional("value"), optionalPositional("start", 0n), optionalPositional("stop", null)],
    (runtime, self, [value = null, start = 0n, stop = null]) => {
      const items = itemsOf(self);
      const place = (index: number) => (index < 0 ? Math.max(index + items.length, 0) : index);
      const [from, to] = [
        place(requireSmallIndex(start)),
        stop === null ? items.length : place(requireSmallIndex(stop)),
      ];
      const at = items.findIndex((item, index) => index >= from && index < to && isSame(runtime, item, value));
      if (at === -1) throw valueError(`${typeNameOf(self)}.index(x): x not in ${typeNameOf(self)}`);
      return BigInt(at);
    },
  ),
];

function requireList(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  throw typeError("not a list");
}

function itemsOf(value: Value): readonly Value[] {
  return value instanceof Tuple ? value.items : requireList(value);
}

function isSame({ budget }: Runtime, left: Value, right: Value): boolean {
  return left === right || isEqual(budget, left, right);
}

function pop({ budget }: Runtime, list: Value[], index: Value): Value {
  const given = requireSmallIndex(index);
  const at = given < 0 ? given + list.length : given;
  if (list.length === 0) throw new JinjaError("IndexError", "pop from empty list");
  if (at < 0 || at >= list.length) throw new JinjaError("IndexError", "pop index out of range");
  budget.charge((list.length - at) >> 4);
  return list.splice(at, 1)[0] ?? null;
}

function sort({ budget }: Runtime, self: Value, [key = null, reverse = false]: readonly Value[]): Value {
  const list = requireList(self);
  const keyOf = (item: Value): Value => {
    if (key === null) return item;
    if (key instanceof Callable) return key.call([item], new Map());
    throw typeError(`'${typeNameOf(key)}' object is not callable`);
  };
  const sorted = sortBy(budget, list, keyOf, isTrue(reverse));
  for (const [index, item] of sorted.entries()) list[index] = item;
  return null;
}

/** Elements of any value that has some, as pairs for a dictionary. */
export function* pairsOf(runtime: Runtime, value: Value): Generator<readonly [Value, Value]> {
  let index = 0;
  for (const pair of iterate(value)) {
    const [key, member, ...more] = listOf(runtime.budget, pair);
    if (key === undefined || member === undefined || more.length > 0)
      throw valueError(`dictionary update sequence element #${index} has the wrong length; 2 is required`);
    yield [key, member];
    index += 1;
  }
}
