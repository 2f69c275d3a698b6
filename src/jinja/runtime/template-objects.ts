import { quote } from "../values/quote.ts";
import { Undefined } from "../values/undefined.ts";
import { Callable, Markup, PythonObject, type Value } from "../values/value.ts";
import type { BlockBody } from "./compiled-template.ts";
import type { Context } from "./context.ts";
import { Output } from "./output.ts";

/** One body of a block, to be called: what `super` and `self.name` are. */
export class BlockReference extends Callable {
  readonly typeName = "BlockReference";
  readonly qualifiedName = "jinja2.runtime.BlockReference";
  readonly #name: string;
  readonly #context: Context;
  readonly #depth: number;

  constructor(name: string, context: Context, depth: number) {
    super();
    this.#name = name;
    this.#context = context;
    this.#depth = depth;
  }

  call(): Value {
    const { rendering, blocks } = this.#context;
    const output = new Output(rendering.budget);
    rendering.budget.inCall(() => blocks.get(this.#name)?.[this.#depth]?.(this.#context, output));
    return rendering.escaping ? new Markup(output.text()) : output.text();
  }

  override attribute(name: string): Value | undefined {
    return name === "super" ? blockAbove(this.#context, this.#name, this.#depth) : undefined;
  }
}

/** The body that a block of this depth replaces. */
function blockAbove(context: Context, name: string, depth: number): Value {
  const bodies = context.blocks.get(name) ?? [];
  if (depth + 1 >= bodies.length) return new Undefined({ hint: `there is no parent block called ${quote(name)}.` });
  return new BlockReference(name, context, depth + 1);
}

/** `super` inside a body of a block. */
export function superOf(context: Context, name: string, body: BlockBody): Value {
  return blockAbove(context, name, (context.blocks.get(name) ?? []).indexOf(body));
}

/** `self`: the blocks of a template by name. */
export class TemplateBlocks extends PythonObject {
  readonly typeName = "TemplateReference";
  readonly qualifiedName = "jinja2.runtime.TemplateReference";
  readonly #context: Context;

  constructor(context: Context) {
    super();
    this.#context = context;
  }

  override item(name: string): Value | undefined {
    return this.#context.blocks.has(name) ? new BlockReference(name, this.#context, 0) : undefined;
  }

  override repr(): string {
    const { templateName } = this.#context;
    return `<TemplateReference ${templateName === undefined ? "None" : quote(templateName)}>`;
  }
}

/** An imported template: its exported names are attributes, its text is what it writes. */
export class TemplateModule extends PythonObject {
  readonly typeName = "TemplateModule";
  readonly qualifiedName = "jinja2.environment.TemplateModule";
  override readonly isMarkup = true;
  readonly #context: Context;
  readonly #text: string;

  constructor(context: Context, text: string) {
    super();
    this.#context = context;
    this.#text = text;
  }

  override attribute(name: string): Value | undefined {
    return this.#context.exported.has(name) ? this.#context.vars.get(name) : undefined;
  }

  override asText(): string {
    return this.#text;
  }

  override repr(): string {
    return `<TemplateModule ${quote(this.#context.templateName ?? "")}>`;
  }
}
