import { JinjaError } from "../errors.ts";
import { callDefinition } from "../runtime/define.ts";
import type { Definition, Run, Runtime } from "../runtime/runtime.ts";
import { isTrue, iterate } from "../values/iterate.ts";
import { quote } from "../values/quote.ts";
import { Undefined } from "../values/undefined.ts";
import { Iterated, charactersOf, isText, typeNameOf, type Keywords, type Value } from "../values/value.ts";
import { attributeReader } from "./attribute-path.ts";

const open = { parameters: [], takesMore: true, takesKeywords: true } as const;

/** Filters that choose among elements by a test, or apply a filter to each. */
export const selectionFilters: readonly Definition[] = [
  { name: "map", ...open, run: lazily(mapItems) },
  { name: "select", ...open, run: lazily(selecting({ isWanted: true, byAttribute: false })) },
  { name: "reject", ...open, run: lazily(selecting({ isWanted: false, byAttribute: false })) },
  { name: "selectattr", ...open, run: lazily(selecting({ isWanted: true, byAttribute: true })) },
  { name: "rejectattr", ...open, run: lazily(selecting({ isWanted: false, byAttribute: true })) },
];

interface Given {
  args: readonly Value[];
  keywords: Keywords;
}

type Items = (runtime: Runtime, value: Value, given: Given) => Generator<Value>;

/** What is wrong with the arguments shows only when the elements are asked for, as with Python's generators. */
function lazily(items: Items): Run {
  return (runtime, value, args, keywords) => new Iterated(whenTrue(runtime, value, { args, keywords }, items));
}

function* whenTrue(runtime: Runtime, value: Value, given: Given, items: Items): Generator<Value> {
  if (isTrue(value)) yield* items(runtime, value, given);
}

function* mapItems(runtime: Runtime, value: Value, { args, keywords }: Given): Generator<Value> {
  const apply = mapperOf(runtime, args, new Map(keywords));
  for (const item of iterate(value)) {
    runtime.budget.charge(1);
    yield apply(item);
  }
}

function mapperOf(runtime: Runtime, args: readonly Value[], keywords: Map<string, Value>): (item: Value) => Value {
  const attribute = keywords.get("attribute");
  if (args.length === 0 && attribute !== undefined) {
    const standard = keywords.get("default") ?? null;
    keywords.delete("attribute");
    keywords.delete("default");
    const [unknown] = keywords.keys();
    if (unknown !== undefined) throw argumentError(`Unexpected keyword argument ${quote(unknown)}`);
    return attributeReader(runtime, attribute, { standard });
  }
  const [name, ...rest] = args;
  if (name === undefined) throw argumentError("map requires a filter argument");
  const definition = definitionNamed(runtime, "filter", name);
  return (item) => callDefinition(runtime, definition, item, { args: rest, keywords });
}

function selecting({ isWanted, byAttribute }: { isWanted: boolean; byAttribute: boolean }): Items {
  return function* select(runtime, value, { args, keywords }) {
    const [attribute, ...others] = byAttribute ? args : [null, ...args];
    if (attribute === undefined) throw argumentError("Missing parameter for attribute name");
    const read = byAttribute ? attributeReader(runtime, attribute) : (item: Value) => item;
    const [name, ...rest] = others;
    const test = name === undefined ? undefined : definitionNamed(runtime, "test", name);
    for (const item of iterate(value)) {
      runtime.budget.charge(1);
      const asked = read(item);
      const answer = test ? callDefinition(runtime, test, asked, { args: rest, keywords }) : asked;
      if (isTrue(answer) === isWanted) yield item;
    }
  };
}

function definitionNamed(runtime: Runtime, kind: "filter" | "test", name: Value): Definition {
  const text = isText(name) ? charactersOf(name) : undefined;
  const found = text === undefined ? undefined : runtime[`${kind}s`].get(text);
  if (found) return found;
  if (name instanceof Undefined) throw new JinjaError("TemplateRuntimeError", `No ${kind} named Undefined.`);
  const shown = text === undefined ? typeNameOf(name) : quote(text);
  throw new JinjaError("TemplateRuntimeError", `No ${kind} named ${shown}.`);
}

function argumentError(message: string): JinjaError {
  return new JinjaError("FilterArgumentError", message);
}
