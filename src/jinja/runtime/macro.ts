import { typeError } from "../errors.ts";
import { Dict } from "../values/dict.ts";
import { quote } from "../values/quote.ts";
import { Undefined } from "../values/undefined.ts";
import { Callable, Markup, Tuple, type Keywords, type Value } from "../values/value.ts";
import type { Rendering } from "./rendering.ts";

/** What a macro looks like from outside. */
export interface MacroShape {
  /** Undefined for the body of a call block. */
  name: string | undefined;
  parameters: readonly string[];
  usesCaller: boolean;
  usesKeywords: boolean;
  usesMoreArgs: boolean;
}

/** The values for a macro's parameters, undefined where none is given, and for the special names it uses. */
export interface MacroArguments {
  parameters: readonly (Value | undefined)[];
  caller?: Value;
  keywords?: Value;
  moreArgs?: Value;
}

/** A macro, or the body of a call block. */
export class Macro extends Callable {
  readonly typeName = "Macro";
  readonly qualifiedName = "jinja2.runtime.Macro";
  readonly #rendering: Rendering;
  readonly #shape: MacroShape;
  readonly #run: (args: MacroArguments) => string;

  constructor(rendering: Rendering, shape: MacroShape, run: (args: MacroArguments) => string) {
    super();
    this.#rendering = rendering;
    this.#shape = shape;
    this.#run = run;
  }

  call(args: readonly Value[], keywords: Keywords): Value {
    const bound = this.#bind(args, new Map(keywords));
    const { line, templateName, escaping } = this.#rendering;
    this.#rendering.budget.charge(1 + this.#shape.parameters.length);
    const text = this.#rendering.budget.inCall(() => this.#run(bound));
    Object.assign(this.#rendering, { line, templateName });
    return escaping ? new Markup(text) : text;
  }

  override attribute(name: string): Value | undefined {
    const { name: own, parameters, usesCaller, usesKeywords, usesMoreArgs } = this.#shape;
    const attributes = new Map<string, Value>([
      ["name", own ?? null],
      ["arguments", new Tuple(parameters)],
      ["caller", usesCaller],
      ["catch_kwargs", usesKeywords],
      ["catch_varargs", usesMoreArgs],
    ]);
    return attributes.get(name);
  }

  override repr(): string {
    const { name } = this.#shape;
    return `<Macro ${name === undefined ? "anonymous" : quote(name)}>`;
  }

  #bind(args: readonly Value[], rest: Map<string, Value>): MacroArguments {
    const { parameters, usesCaller, usesKeywords, usesMoreArgs, name } = this.#shape;
    const shown = name === undefined ? "None" : quote(name);
    const given: (Value | undefined)[] = args.slice(0, parameters.length);
    for (const parameter of parameters.slice(given.length)) {
      given.push(rest.get(parameter));
      rest.delete(parameter);
    }
    const bound: MacroArguments = { parameters: given };
    if (usesCaller && !parameters.includes("caller")) {
      bound.caller = rest.get("caller") ?? new Undefined({ hint: "No caller defined" });
      rest.delete("caller");
    }
    const [unknown] = rest.keys();
    if (usesKeywords) bound.keywords = Dict.of(rest);
    else if (rest.has("caller"))
      throw typeError(
        `macro ${shown} was invoked with two values for the special caller argument. This is most likely a bug.`,
      );
    else if (unknown !== undefined) throw typeError(`macro ${shown} takes no keyword argument ${quote(unknown)}`);
    if (usesMoreArgs) bound.moreArgs = new Tuple(args.slice(parameters.length));
    else if (args.length > parameters.length)
      throw typeError(`macro ${shown} takes not more than ${parameters.length} argument(s)`);
    return bound;
  }
}
