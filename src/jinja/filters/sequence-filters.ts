import { JinjaError, typeError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { define, optional, required } from "../runtime/define.ts";
import type { Definition, Runtime } from "../runtime/runtime.ts";
import { calculate } from "../values/arithmetic.ts";
import { isEqual, isOrdered, sortBy } from "../values/compare.ts";
import { Dict, DictView, keyOf } from "../values/dict.ts";
import { elementsOf, isTrue, iterate, listOf, requireSize } from "../values/iterate.ts";
import { likewise } from "../values/markup.ts";
import { requireSmallIndex } from "../values/numbers.ts";
import { findItem } from "../values/subscript.ts";
import { charactersIn } from "../values/text-units.ts";
import { Undefined } from "../values/undefined.ts";
import { Iterated, Range, Tuple, charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";
import { attributeReader, attributesReader, ignoringCase } from "./attribute-path.ts";

const caseAndAttribute = [optional("case_sensitive", false), optional("attribute", null)];
const casing = (isSensitive: Value | undefined) => (isTrue(isSensitive ?? false) ? {} : { after: ignoringCase });

/** Filters that look at the elements of a value. */
export const sequenceFilters: readonly Definition[] = [
  define("length", [], (_, value) => BigInt(requireSize(value))),
  define("count", [], (_, value) => BigInt(requireSize(value))),
  define("first", [], (_, value) => {
    const next = iterate(value)[Symbol.iterator]().next();
    return next.done ? new Undefined({ hint: "No first item, sequence was empty." }) : next.value;
  }),
  define("last", [], ({ budget }, value) => {
    const next = reversed(budget, value).next();
    return next.done ? new Undefined({ hint: "No last item, sequence was empty." }) : next.value;
  }),
  define("random", [], ({ random, budget }, value) => {
    const size = requireSize(value);
    if (size === 0) return new Undefined({ hint: "No random item, sequence was empty." });
    const item = findItem(budget, value, BigInt(Math.floor(random() * size)));
    if (item === undefined) throw typeError(`'${typeNameOf(value)}' object is not subscriptable`);
    return item;
  }),
  define("list", [], ({ budget }, value) => listOf(budget, value)),
  define("reverse", [], reverse),
  define("sort", [optional("reverse", false), ...caseAndAttribute], sort),
  define("unique", caseAndAttribute, unique),
  define("min", caseAndAttribute, (runtime, value, args) => extreme(runtime, value, args, "<")),
  define("max", caseAndAttribute, (runtime, value, args) => extreme(runtime, value, args, ">")),
  define("sum", [optional("attribute", null), optional("start", 0n)], sum),
  define("batch", [required("linecount"), optional("fill_with", null)], batch),
  define("slice", [required("slices"), optional("fill_with", null)], slice),
  define("groupby", [required("attribute"), optional("default", null), optional("case_sensitive", false)], groupBy),
  define(
    "dictsort",
    [optional("case_sensitive", false), optional("by", "key"), optional("reverse", false)],
    sortMembers,
  ),
  define("items", [], (_, value) => {
    if (value instanceof Undefined) return new Iterated([].values());
    if (!(value instanceof Dict)) throw typeError("Can only get item pairs from a mapping.");
    return new Iterated(new DictView(value, "items").values());
  }),
];

/** The elements from the last to the first. TypeError for what has no last one. */
function reversed(budget: Budget, value: Value): Iterator<Value> {
  if (value instanceof Range)
    return backwards((index) => value.start + BigInt(index) * value.step, Number(value.length));
  if (isText(value) || value instanceof Dict || value instanceof DictView) budget.charge(requireSize(value));
  const items = itemsOf(value);
  if (!items) throw typeError(`'${typeNameOf(value)}' object is not reversible`);
  return backwards((index) => items[index] ?? null, items.length);
}

function itemsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return value.items;
  if (isText(value)) return charactersIn(charactersOf(value)).map((character) => likewise(value, character));
  if (value instanceof Dict || value instanceof DictView || value instanceof Undefined) return [...iterate(value)];
  return undefined;
}

function* backwards(at: (index: number) => Value, length: number): Generator<Value> {
  for (let index = length - 1; index >= 0; index--) yield at(index);
}

function reverse({ budget }: Runtime, value: Value): Value {
  if (isText(value)) {
    const text = charactersOf(value);
    budget.chargeCharacters(text.length);
    return likewise(value, charactersIn(text).reverse().join(""));
  }
  if (value instanceof Range || itemsOf(value)) {
    const name = Array.isArray(value) ? "list_reverseiterator" : "reversed";
    return new Iterated(reversed(budget, value), name);
  }
  if (!elementsOf(value)) throw new JinjaError("FilterArgumentError", "argument must be iterable");
  return listOf(budget, value).reverse();
}

function sort(
  runtime: Runtime,
  value: Value,
  [isReversed = false, isSensitive, attribute = null]: readonly Value[],
): Value {
  const read = attributesReader(runtime, attribute, casing(isSensitive));
  return sortBy(runtime.budget, listOf(runtime.budget, value), read, isTrue(isReversed));
}

function unique(runtime: Runtime, value: Value, [isSensitive, attribute = null]: readonly Value[]): Value {
  const read = attributeReader(runtime, attribute, casing(isSensitive));
  return new Iterated(uniqueItems(runtime, value, read));
}

function* uniqueItems({ budget }: Runtime, value: Value, read: (item: Value) => Value): Generator<Value> {
  const seen = new Set<unknown>();
  for (const item of iterate(value)) {
    budget.charge(1);
    const key = keyOf(read(item));
    if (!seen.has(key)) yield item;
    seen.add(key);
  }
}

function extreme(
  runtime: Runtime,
  value: Value,
  [isSensitive, attribute = null]: readonly Value[],
  better: "<" | ">",
): Value {
  const read = attributeReader(runtime, attribute, casing(isSensitive));
  let best: { item: Value; key: Value } | undefined;
  for (const item of iterate(value)) {
    const key = read(item);
    if (!best || isOrdered(runtime.budget, key, better, best.key)) best = { item, key };
  }
  return best ? best.item : new Undefined({ hint: "No aggregated item, sequence was empty." });
}

function sum(runtime: Runtime, value: Value, [attribute = null, start = 0n]: readonly Value[]): Value {
  if (isText(start)) throw typeError("sum() can't sum strings [use ''.join(seq) instead]");
  const read = attributeReader(runtime, attribute);
  let total: Value = start;
  for (const item of iterate(value))
    total = calculate(runtime.budget, total, "+", attribute === null ? item : read(item));
  return total;
}

function batch(runtime: Runtime, value: Value, [count = null, fill = null]: readonly Value[]): Value {
  return new Iterated(batches(runtime, value, count, fill));
}

function* batches({ budget }: Runtime, value: Value, count: Value, fill: Value): Generator<Value> {
  let row: Value[] = [];
  for (const item of iterate(value)) {
    budget.charge(1);
    if (isEqual(budget, BigInt(row.length), count)) {
      yield row;
      row = [];
    }
    row.push(item);
  }
  if (row.length === 0) return;
  const missing = fill === null ? 0 : requireSmallIndex(count) - row.length;
  if (missing > 0) budget.chargeList(missing);
  for (let index = 0; index < missing; index++) row.push(fill);
  yield row;
}

function slice(runtime: Runtime, value: Value, [count = null, fill = null]: readonly Value[]): Value {
  return new Iterated(slices(runtime, value, count, fill));
}

function* slices({ budget }: Runtime, value: Value, count: Value, fill: Value): Generator<Value> {
  const items = listOf(budget, value);
  const columns = requireSmallIndex(count);
  if (columns === 0) throw new JinjaError("ZeroDivisionError", "integer division or modulo by zero");
  const each = Math.floor(items.length / columns);
  const longer = items.length - each * columns;
  let start = 0;
  for (let column = 0; column < columns; column++) {
    budget.charge(1);
    const end = start + each + (column < longer ? 1 : 0);
    const part = items.slice(start, end);
    if (fill !== null && column >= longer) part.push(fill);
    yield part;
    start = end;
  }
}

function groupBy(
  runtime: Runtime,
  value: Value,
  [attribute = null, standard = null, isSensitive]: readonly Value[],
): Value {
  const { budget } = runtime;
  const read = attributeReader(runtime, attribute, { standard, ...casing(isSensitive) });
  const shown = attributeReader(runtime, attribute, { standard });
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sortBy(budget, listOf(budget, value), read, false)) {
    const key = read(item);
    const last = groups.at(-1);
    if (last && isEqual(budget, last.key, key)) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  const names = ["grouper", "list"];
  const nameOf = (key: Value, items: Value[]) => (isTrue(isSensitive ?? false) ? key : shown(items[0] ?? null));
  return groups.map(({ key, items }) => new Tuple([nameOf(key, items), items], names));
}

function sortMembers(
  { budget }: Runtime,
  value: Value,
  [isSensitive = false, by = "key", isReversed = false]: readonly Value[],
): Value {
  const place = by === "key" ? 0 : by === "value" ? 1 : undefined;
  if (place === undefined) throw new JinjaError("FilterArgumentError", 'You can only sort by either "key" or "value"');
  if (value instanceof Undefined) throw value.error();
  if (!(value instanceof Dict))
    throw new JinjaError("AttributeError", `'${typeNameOf(value)}' object has no attribute 'items'`);
  const members = [...value.entries()].map((member) => new Tuple(member));
  const keyOfMember = (member: Value): Value => {
    const key = (member instanceof Tuple ? member.items[place] : undefined) ?? null;
    return isTrue(isSensitive) ? key : ignoringCase(key);
  };
  return sortBy(budget, members, keyOfMember, isTrue(isReversed));
}
