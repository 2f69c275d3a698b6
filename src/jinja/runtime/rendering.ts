import type { Value } from "../values/value.ts";
import type { CompiledTemplate } from "./compiled-template.ts";
import type { Runtime } from "./runtime.ts";

/** One rendering: what everything that runs in it shares. */
export interface Rendering extends Runtime {
  /** Line and template that run, for errors. */
  line: number;
  templateName: string | undefined;
  /** Is output escaped for HTML? Changed by `autoescape` blocks. */
  escaping: boolean;
  /** The global function of this name. */
  globalNamed: (name: string) => Value | undefined;
  /** The first of these templates that exists. TemplateNotFound when there is none. */
  load: (names: readonly string[]) => CompiledTemplate;
  /** Templates that were imported without context: each runs once. */
  modules: Map<CompiledTemplate, Value>;
}
