import { compileTemplate } from "./compile/compile-template.ts";
import { JinjaError, TemplateNeeded } from "./errors.ts";
import { fromJson } from "./from-json.ts";
import { createGlobals } from "./globals.ts";
import { Budget, defaultLimits, type RenderLimits } from "./limits.ts";
import { attributeOf } from "./methods/attributes.ts";
import type { CompiledTemplate } from "./runtime/compiled-template.ts";
import { Context } from "./runtime/context.ts";
import { Output } from "./runtime/output.ts";
import type { Rendering } from "./runtime/rendering.ts";
import type { LexerOptions } from "./syntax/lexer.ts";
import { parseTemplate } from "./syntax/template-parser.ts";
import type { TemplateCache } from "./template-cache.ts";
import { library } from "./tests.ts";
import type { Value } from "./values/value.ts";

export type RenderOptions = LexerOptions;

/** What is to be rendered. */
export interface RenderRequest {
  /** Text of the template. */
  template: string;
  /** Its name, for messages. */
  name?: string;
  /** Values by name; JSON. */
  context: Readonly<Record<string, unknown>>;
  options?: RenderOptions;
  /** Texts of other templates by name, for `include`, `import` and `extends`. null: there is none of this name. */
  templates?: Readonly<Record<string, string | null>>;
}

/** What rendering takes from its surroundings. */
export interface RenderSurroundings {
  /** 0 ≤ x < 1. */
  random: () => number;
  limits?: RenderLimits;
  /** Keeps templates that were read, for the next time. */
  cache?: TemplateCache;
}

/**
 * Renders a template as Python's Jinja 3.1 does with its default environment. JinjaError for templates that cannot be
 * read or rendered; TemplateNeeded when another template is asked for that was not given.
 */
export function renderTemplate(request: RenderRequest, surroundings: RenderSurroundings): string {
  const { random, limits = defaultLimits } = surroundings;
  const budget = new Budget(limits);
  const load = (source: string, name: string | undefined) => read({ source, name, request, surroundings, budget });
  const rendering = newRendering(budget, random, templatesOf(request, load));
  rendering.templateName = request.name;
  try {
    const template = load(request.template, request.name);
    const output = new Output(budget);
    const given = new Map<string, Value>();
    for (const name of Object.keys(request.context)) given.set(name, fromJson(request.context[name]));
    template.root(new Context(rendering, template, given), output);
    return output.text();
  } catch (error) {
    throw withPlace(error, rendering);
  }
}

function newRendering(budget: Budget, random: () => number, load: Rendering["load"]): Rendering {
  const rendering: Rendering = {
    filters: library.filters,
    tests: library.tests,
    budget,
    random,
    load,
    line: 1,
    templateName: undefined,
    escaping: false,
    globalNamed: () => undefined,
    modules: new Map(),
    isEscaping: () => rendering.escaping,
    attributeOf: (owner, name) => attributeOf(rendering, owner, name),
  };
  rendering.globalNamed = createGlobals(rendering);
  return rendering;
}

type Load = (source: string, name: string | undefined) => CompiledTemplate;

interface Source {
  source: string;
  name: string | undefined;
  request: RenderRequest;
  surroundings: RenderSurroundings;
  budget: Budget;
}

function read({ source, name, request, surroundings, budget }: Source): CompiledTemplate {
  const { options = {} } = request;
  const compile = () => {
    budget.chargeText(source.length);
    return compileTemplate(parseTemplate(source, options, budget), name, library);
  };
  try {
    return surroundings.cache ? surroundings.cache.get({ source, name, options }, compile) : compile();
  } catch (error) {
    if (error instanceof JinjaError) error.template ??= name;
    throw error;
  }
}

function templatesOf({ templates = {} }: RenderRequest, load: Load): Rendering["load"] {
  const loaded = new Map<string, CompiledTemplate>();
  return (names) => {
    for (const name of names) {
      const known = loaded.get(name);
      if (known) return known;
      const source = Object.hasOwn(templates, name) ? templates[name] : undefined;
      if (source === undefined) throw new TemplateNeeded(name);
      if (source === null) continue;
      const template = load(source, name);
      loaded.set(name, template);
      return template;
    }
    if (names.length === 1) throw new JinjaError("TemplateNotFound", names[0] ?? "");
    if (names.length === 0)
      throw new JinjaError("TemplatesNotFound", "Tried to select from an empty list of templates.");
    throw new JinjaError("TemplatesNotFound", `none of the templates given were found: ${names.join(", ")}`);
  };
}

/** An error that says in which line of which template it arose. Too deep a recursion of ours is a limit as well. */
function withPlace(error: unknown, rendering: Rendering): unknown {
  if (error instanceof RangeError && /call stack/u.test(error.message))
    return new JinjaError("LimitError", "the template is nested too deeply", rendering.line, rendering.templateName);
  if (!(error instanceof JinjaError)) return error;
  if (error.line === undefined) {
    error.line = rendering.line;
    error.template ??= rendering.templateName;
  }
  return error;
}
