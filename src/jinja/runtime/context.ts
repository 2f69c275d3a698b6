import type { Value } from "../values/value.ts";
import type { BlockBody, CompiledTemplate } from "./compiled-template.ts";
import type { Rendering } from "./rendering.ts";

/** What a template sees from outside while it runs: the values given to it, and what it exports itself. */
export class Context {
  readonly rendering: Rendering;
  readonly templateName: string | undefined;
  readonly given: ReadonlyMap<string, Value>;
  readonly vars = new Map<string, Value>();
  readonly exported = new Set<string>();
  /** Bodies of each block, that of the template that was asked for first. */
  readonly blocks: Map<string, BlockBody[]>;

  constructor(rendering: Rendering, template: CompiledTemplate, given: ReadonlyMap<string, Value>) {
    this.rendering = rendering;
    this.templateName = template.name;
    this.given = given;
    this.blocks = new Map([...template.blocks].map(([name, body]) => [name, [body]]));
  }

  find(name: string): Value | undefined {
    const own = this.vars.get(name);
    if (own !== undefined) return own;
    const given = this.given.get(name);
    return given === undefined ? this.rendering.globalNamed(name) : given;
  }

  /** Everything that can be found, without the global functions, and these values. */
  allWith(locals: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> {
    this.rendering.budget.charge(this.given.size + this.vars.size + locals.size);
    return new Map([...this.given, ...this.vars, ...locals]);
  }

  /** The same template with further values: what a scoped block sees. */
  derived(locals: ReadonlyMap<string, Value>): Context {
    const template = { name: this.templateName, root: () => undefined, blocks: new Map() };
    const derived = new Context(this.rendering, template, this.allWith(locals));
    this.rendering.budget.charge(this.blocks.size);
    for (const [name, bodies] of this.blocks) derived.blocks.set(name, [...bodies]);
    return derived;
  }

  /** Blocks of a template that this one extends come after its own. */
  inherit(parent: CompiledTemplate): void {
    for (const [name, body] of parent.blocks) this.blocks.set(name, [...(this.blocks.get(name) ?? []), body]);
  }
}
