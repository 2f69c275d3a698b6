import { typeError } from "../errors.ts";
import { Callable, type Keywords, type Value } from "../values/value.ts";

/** A function of ours that takes arguments in order only. */
export class NativeFunction extends Callable {
  readonly typeName = "function";
  readonly #name: string;
  readonly #run: (args: readonly Value[]) => Value;

  constructor(name: string, run: (args: readonly Value[]) => Value) {
    super();
    this.#name = name;
    this.#run = run;
  }

  call(args: readonly Value[], keywords: Keywords): Value {
    if (keywords.size > 0) throw typeError(`${this.#name}() takes no keyword arguments`);
    return this.#run(args);
  }

  override repr(): string {
    return `<function ${this.#name}>`;
  }
}
