import { typeError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { isEqual } from "../values/compare.ts";
import { sizeOf } from "../values/iterate.ts";
import { Undefined } from "../values/undefined.ts";
import { Callable, Tuple, type Keywords, type Value } from "../values/value.ts";
import { NativeFunction } from "./native-function.ts";

interface LoopSource {
  budget: Budget;
  elements: Iterator<Value>;
  /** What the elements come from, where it knows its length. */
  iterable: Value | undefined;
  depth0: number;
  /** Runs the loop once more over other elements; absent unless the loop is recursive. */
  recurse?: (iterable: Value, depth0: number) => Value;
}

/** `loop`: what a loop knows of itself. */
export class LoopContext extends Callable {
  readonly typeName = "LoopContext";
  readonly qualifiedName = "jinja2.runtime.LoopContext";
  readonly #source: LoopSource;
  #elements: Iterator<Value>;
  #index0 = -1;
  #length: number | undefined;
  #after: { value: Value } | "end" | undefined;
  #current: Value | undefined;
  #before: Value | undefined;
  #lastChanged: readonly Value[] | undefined;

  constructor(source: LoopSource) {
    super();
    this.#source = source;
    this.#elements = source.elements;
  }

  /** The next element; undefined at the end. */
  advance(): Value | undefined {
    const next = this.#peek();
    if (next === "end") return undefined;
    this.#after = undefined;
    this.#index0 += 1;
    this.#before = this.#current;
    this.#current = next.value;
    return next.value;
  }

  override call(args: readonly Value[], keywords: Keywords): Value {
    const { recurse, depth0 } = this.#source;
    if (!recurse) throw typeError("The loop must have the 'recursive' marker to be called recursively.");
    const [iterable] = args;
    if (iterable === undefined || args.length > 1 || keywords.size > 0)
      throw typeError("loop() takes exactly one argument");
    return recurse(iterable, depth0 + 1);
  }

  override elementCount(): number {
    return this.#count();
  }

  override attribute(name: string): Value | undefined {
    const read = attributes[name];
    return read?.(this);
  }

  override repr(): string {
    return `<LoopContext ${this.index0 + 1}/${this.#count()}>`;
  }

  get index0(): number {
    return this.#index0;
  }

  get depth0(): number {
    return this.#source.depth0;
  }

  #count(): number {
    this.#length ??= this.#source.iterable === undefined ? undefined : sizeOf(this.#source.iterable);
    if (this.#length !== undefined) return this.#length;
    const next = this.#peek();
    const rest: Value[] = [];
    for (let element = this.#elements.next(); !element.done; element = this.#elements.next()) {
      this.#source.budget.charge(1);
      rest.push(element.value);
    }
    this.#elements = rest[Symbol.iterator]();
    this.#length = this.#index0 + 1 + rest.length + (next === "end" ? 0 : 1);
    return this.#length;
  }

  #peek(): { value: Value } | "end" {
    if (this.#after !== undefined) return this.#after;
    const next = this.#elements.next();
    this.#after = next.done ? "end" : { value: next.value };
    return this.#after;
  }

  get isLast(): boolean {
    return this.#peek() === "end";
  }

  get previous(): Value {
    return this.#index0 === 0 ? new Undefined({ hint: "there is no previous item" }) : (this.#before ?? null);
  }

  get following(): Value {
    const next = this.#peek();
    return next === "end" ? new Undefined({ hint: "there is no next item" }) : next.value;
  }

  cycle(args: readonly Value[]): Value {
    if (args.length === 0) throw typeError("no items for cycling given");
    return args[this.#index0 % args.length] ?? null;
  }

  changed(args: readonly Value[]): boolean {
    const before = this.#lastChanged;
    this.#lastChanged = args;
    return !before || !isEqual(this.#source.budget, new Tuple(before), new Tuple(args));
  }
}

const attributes: Readonly<Record<string, (loop: LoopContext) => Value>> = {
  __proto__: null as never,
  length: (loop) => BigInt(loop.elementCount()),
  index: (loop) => BigInt(loop.index0 + 1),
  index0: (loop) => BigInt(loop.index0),
  revindex: (loop) => BigInt(loop.elementCount() - loop.index0),
  revindex0: (loop) => BigInt(loop.elementCount() - loop.index0 - 1),
  first: (loop) => loop.index0 === 0,
  last: (loop) => loop.isLast,
  previtem: (loop) => loop.previous,
  nextitem: (loop) => loop.following,
  depth: (loop) => BigInt(loop.depth0 + 1),
  depth0: (loop) => BigInt(loop.depth0),
  cycle: (loop) => new NativeFunction("cycle", (args) => loop.cycle(args)),
  changed: (loop) => new NativeFunction("changed", (args) => loop.changed(args)),
};
