import { JinjaError, typeError, valueError } from "./errors.ts";
import { fillDict } from "./methods/dict-methods.ts";
import { byName, callDefinition, define, optional, optionalPositional, positional } from "./runtime/define.ts";
import { Namespace } from "./runtime/namespace.ts";
import { NativeFunction } from "./runtime/native-function.ts";
import type { Definition, Runtime } from "./runtime/runtime.ts";
import { loremIpsum } from "./text/lorem-ipsum.ts";
import { Dict } from "./values/dict.ts";
import { isTrue } from "./values/iterate.ts";
import { requireIndex, requireSmallIndex } from "./values/numbers.ts";
import { Callable, Markup, PythonObject, Range, type Keywords, type Value } from "./values/value.ts";

const open = { parameters: [], takesMore: true, takesKeywords: true } as const;

const definitions: readonly Definition[] = [
  {
    ...define(
      "range",
      [positional("start"), optionalPositional("stop", null), optionalPositional("step", 1n)],
      makeRange,
    ),
  },
  { name: "dict", ...open, run: makeDict },
  define("lipsum", [optional("n", 5n), optional("html", true), optional("min", 20n), optional("max", 100n)], lipsum),
  { name: "cycler", parameters: [], takesMore: true, run: (_, _self, items) => new Cycler(items) },
  define("joiner", [optional("sep", ", ")], (_, _self, [separator = ", "]) => new Joiner(separator)),
  { name: "namespace", ...open, run: makeNamespace },
];

/** A global function of Jinja, which is a type in Python where its name is one. */
class GlobalFunction extends Callable {
  readonly typeName = "type";
  readonly #runtime: Runtime;
  readonly #definition: Definition;

  constructor(runtime: Runtime, definition: Definition) {
    super();
    this.#runtime = runtime;
    this.#definition = definition;
  }

  call(args: readonly Value[], keywords: Keywords): Value {
    return callDefinition(this.#runtime, this.#definition, null, { args, keywords });
  }

  override repr(): string {
    const { name } = this.#definition;
    return `<class '${classNames[name] ?? name}'>`;
  }
}

/** Names of classes that are not those of their functions. */
const classNames: Readonly<Record<string, string>> = {
  cycler: "jinja2.utils.Cycler",
  joiner: "jinja2.utils.Joiner",
  namespace: "jinja2.utils.Namespace",
};

const definitionsByName = byName(definitions);

/**
 * What every template of a rendering finds under these names: `range`, `dict`, `lipsum`, `cycler`, `joiner`,
 * `namespace`. Each is one object, made when it is first asked for.
 */
export function createGlobals(runtime: Runtime): (name: string) => Value | undefined {
  const made = new Map<string, Value>();
  return (name) => {
    const definition = definitionsByName.get(name);
    if (!definition) return undefined;
    const found = made.get(name) ?? new GlobalFunction(runtime, definition);
    made.set(name, found);
    return found;
  };
}

function makeRange({ budget }: Runtime, _: Value, [first = null, second = null, third = 1n]: readonly Value[]): Value {
  const step = requireIndex(third);
  if (step === 0n) throw valueError("range() arg 3 must not be zero");
  const range =
    second === null
      ? new Range(0n, requireIndex(first), step)
      : new Range(requireIndex(first), requireIndex(second), step);
  if (range.length > BigInt(budget.limits.listLength)) budget.chargeList(Number(range.length));
  return range;
}

function makeDict(runtime: Runtime, _: Value, args: readonly Value[], keywords: Keywords): Value {
  const dict = new Dict();
  fillDict(runtime, dict, { args, keywords });
  return dict;
}

function makeNamespace(runtime: Runtime, self: Value, args: readonly Value[], keywords: Keywords): Value {
  const dict = makeDict(runtime, self, args, keywords);
  const attributes = dict instanceof Dict ? [...dict.entries()] : [];
  return new Namespace(
    attributes.flatMap(([name, value]) => (typeof name === "string" ? [[name, value] as const] : [])),
  );
}

function lipsum(
  { random, budget }: Runtime,
  _: Value,
  [n = 5n, html = true, min = 20n, max = 100n]: readonly Value[],
): Value {
  const [paragraphs, least, most] = [requireSmallIndex(n), requireSmallIndex(min), requireSmallIndex(max)];
  if (least >= most) throw valueError(`empty range for randrange() (${least}, ${most}, ${most - least})`);
  budget.chargeText(Math.max(paragraphs, 0) * most * 12);
  const texts = Array.from({ length: Math.max(paragraphs, 0) }, () => loremIpsum(random, least, most));
  return isTrue(html) ? new Markup(texts.map((text) => `<p>${text}</p>`).join("\n")) : texts.join("\n\n");
}

/** Goes through its values again and again. */
class Cycler extends PythonObject {
  readonly typeName = "Cycler";
  readonly qualifiedName = "jinja2.utils.Cycler";
  readonly #items: readonly Value[];
  #at = 0;

  constructor(items: readonly Value[]) {
    super();
    if (items.length === 0) throw new JinjaError("RuntimeError", "at least one item has to be provided");
    this.#items = items;
  }

  override attribute(name: string): Value | undefined {
    if (name === "current") return this.#items[this.#at];
    if (name === "next") return new NativeFunction("next", (args) => this.#next(args));
    if (name !== "reset") return undefined;
    return new NativeFunction("reset", () => {
      this.#at = 0;
      return null;
    });
  }

  #next(args: readonly Value[]): Value {
    if (args.length > 0) throw typeError("next() takes no arguments");
    const item = this.#items[this.#at] ?? null;
    this.#at = (this.#at + 1) % this.#items.length;
    return item;
  }
}

/** Gives nothing when it is first called, its separator from then on. */
class Joiner extends Callable {
  readonly typeName = "Joiner";
  readonly qualifiedName = "jinja2.utils.Joiner";
  readonly #separator: Value;
  #isUsed = false;

  constructor(separator: Value) {
    super();
    this.#separator = separator;
  }

  call(args: readonly Value[], keywords: Keywords): Value {
    if (args.length > 0 || keywords.size > 0) throw typeError("a joiner takes no arguments");
    if (this.#isUsed) return this.#separator;
    this.#isUsed = true;
    return "";
  }

  override attribute(name: string): Value | undefined {
    if (name === "sep") return this.#separator;
    return name === "used" ? this.#isUsed : undefined;
  }
}
