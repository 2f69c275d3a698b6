/**
 * Values of templates, with Python's meaning: null is None, a bigint is an int, a number is a float, an array is a
 * list. Everything else is a `PythonObject`.
 */
export type Value = null | boolean | bigint | number | string | Value[] | PythonObject;

/** Arguments given by name, in the order they were given. */
export type Keywords = ReadonlyMap<string, Value>;

/** A value that is none of the plain ones. */
export abstract class PythonObject {
  /** Name of its type as Python's messages show it. */
  abstract readonly typeName: string;

  /** An attribute that `value.name` finds, undefined where there is none. */
  attribute(_name: string): Value | undefined {
    return undefined;
  }

  /** What `value["key"]` finds, for values that are asked so. */
  item?(key: string): Value | undefined;

  /** Its elements, for values that can be passed through. */
  elements?(): Iterable<Value>;

  /** How many elements it has, for values that know. */
  elementCount?(): number;

  /** Does its text count as escaped for HTML? */
  readonly isMarkup?: boolean;

  /** What printing it gives, where that is not what `repr` gives. */
  asText?(): string;

  /** How it is shown inside lists; `show` shows a value inside it. */
  repr(_show: (value: Value) => string): string {
    return `<${this.typeName} object>`;
  }
}

/** A value that can be called. */
export abstract class Callable extends PythonObject {
  abstract call(args: readonly Value[], keywords: Keywords): Value;
}

/** Text that counts as escaped for HTML. */
export class Markup extends PythonObject {
  readonly typeName = "Markup";
  readonly qualifiedName = "markupsafe.Markup";
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }
}

/** A fixed list. The names are those of its elements, where it has any. */
export class Tuple extends PythonObject {
  readonly typeName = "tuple";
  readonly items: readonly Value[];
  readonly #names: readonly string[];

  constructor(items: readonly Value[], names: readonly string[] = []) {
    super();
    this.items = items;
    this.#names = names;
  }

  override attribute(name: string): Value | undefined {
    const at = this.#names.indexOf(name);
    return at === -1 ? undefined : this.items[at];
  }
}

/** Whole numbers from `start` up or down to before `stop`. */
export class Range extends PythonObject {
  readonly typeName = "range";
  readonly start: bigint;
  readonly stop: bigint;
  readonly step: bigint;
  readonly length: bigint;

  constructor(start: bigint, stop: bigint, step: bigint) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
    const reach = step > 0n ? stop - start : start - stop;
    const stride = step > 0n ? step : -step;
    this.length = reach <= 0n ? 0n : (reach + stride - 1n) / stride;
  }

  override attribute(name: string): Value | undefined {
    return name === "start" || name === "stop" || name === "step" ? this[name] : undefined;
  }
}

/** Values that can be passed through once, made when they are asked for. */
export class Iterated extends PythonObject {
  readonly typeName: string;
  readonly #values: Iterator<Value>;

  constructor(values: Iterator<Value>, typeName = "generator") {
    super();
    this.#values = values;
    this.typeName = typeName;
  }

  [Symbol.iterator](): Iterator<Value> {
    const values = this.#values;
    // Without `return`, so that a loop that ends early leaves the rest for the next one.
    return { next: () => values.next() };
  }
}

/** Start, stop and step between square brackets. */
export class Slice extends PythonObject {
  readonly typeName = "slice";
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;

  constructor(start: Value, stop: Value, step: Value) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

/** The value, or another one where there is none. None is a value. */
export function orElse(value: Value | undefined, make: () => Value): Value {
  return value === undefined ? make() : value;
}

/** Is it text, escaped or not? */
export function isText(value: Value): value is string | Markup {
  return typeof value === "string" || value instanceof Markup;
}

/** The characters of a text. */
export function charactersOf(value: string | Markup): string {
  return typeof value === "string" ? value : value.text;
}

/** Is it a bool, int or float? */
export function isNumber(value: Value): value is boolean | bigint | number {
  return typeof value === "bigint" || typeof value === "number" || typeof value === "boolean";
}

/** The whole number that a bool or int is; undefined for anything else. */
export function asInteger(value: Value): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  return undefined;
}

/** The name of its type as Python's messages show it. */
export function typeNameOf(value: Value): string {
  if (value === null) return "NoneType";
  if (value instanceof PythonObject) return value.typeName;
  if (Array.isArray(value)) return "list";
  const names: Record<string, string> = { boolean: "bool", bigint: "int", number: "float", string: "str" };
  return names[typeof value] ?? "object";
}
