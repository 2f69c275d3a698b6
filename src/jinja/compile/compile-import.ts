import { JinjaError } from "../errors.ts";
import type { CompiledTemplate } from "../runtime/compiled-template.ts";
import { Context } from "../runtime/context.ts";
import { Output } from "../runtime/output.ts";
import type { Rendering } from "../runtime/rendering.ts";
import { TemplateModule } from "../runtime/template-objects.ts";
import { requireTemplateName, requireTemplateNames } from "../runtime/template-name.ts";
import type { FromImport, Import, Include } from "../syntax/syntax-tree.ts";
import { textOf } from "../values/repr.ts";
import { Undefined } from "../values/undefined.ts";
import { PythonObject, orElse, type Value } from "../values/value.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileTarget } from "./compile-target.ts";
import { atLine, type Execute } from "./execute.ts";
import type { Frame } from "./frame.ts";
import { compileLocals } from "./locals.ts";
import type { Scope } from "./scope.ts";

/** `include`: another template in this place. */
export function compileInclude({ line, template, ignoreMissing, withContext }: Include, frame: Frame): Execute {
  const name = compileExpression(template, frame);
  const locals = compileLocals(frame);
  const { checksOutput, state } = frame;
  return (scope, output) => {
    atLine(scope, line);
    const included = loadIncluded(scope.context.rendering, requireTemplateNames(name(scope)), ignoreMissing);
    if (!included || (checksOutput && (state.hasKnownExtends || scope.root.parent))) return;
    const { rendering } = scope.context;
    if (withContext) runTemplate(rendering, included, { given: scope.context.allWith(locals(scope)), output });
    else output.write(textOf(rendering.budget, moduleOf(rendering, included)));
    atLine(scope, line);
  };
}

function loadIncluded(
  rendering: Rendering,
  names: readonly string[],
  ignoreMissing: boolean,
): CompiledTemplate | undefined {
  try {
    return rendering.load(names);
  } catch (error) {
    const isMissing = error instanceof JinjaError && /^Templates?NotFound$/u.test(error.kind);
    if (!isMissing || !ignoreMissing) throw error;
    rendering.budget.chargeError();
    return undefined;
  }
}

/** Runs a template inside another one, and gives the context it ran in. */
function runTemplate(
  rendering: Rendering,
  template: CompiledTemplate,
  { given, output }: { given: ReadonlyMap<string, Value>; output: Output },
): Context {
  const context = new Context(rendering, template, given);
  const { escaping } = rendering;
  rendering.escaping = false;
  rendering.budget.inCall(() => template.root(context, output));
  rendering.escaping = escaping;
  return context;
}

function makeModule(
  rendering: Rendering,
  template: CompiledTemplate,
  given: ReadonlyMap<string, Value>,
): TemplateModule {
  const output = new Output(rendering.budget);
  const context = runTemplate(rendering, template, { given, output });
  return new TemplateModule(context, output.text());
}

/** A template that sees nothing of who imports it runs once. */
function moduleOf(rendering: Rendering, template: CompiledTemplate): Value {
  const known = rendering.modules.get(template);
  if (known) return known;
  const made = makeModule(rendering, template, new Map());
  rendering.modules.set(template, made);
  return made;
}

function compileModule({ line, template, withContext }: Import | FromImport, frame: Frame): (scope: Scope) => Value {
  const name = compileExpression(template, frame);
  const locals = compileLocals(frame);
  return (scope) => {
    atLine(scope, line);
    const { rendering } = scope.context;
    const imported = rendering.load([requireTemplateName(name(scope))]);
    const made = withContext
      ? makeModule(rendering, imported, scope.context.allWith(locals(scope)))
      : moduleOf(rendering, imported);
    atLine(scope, line);
    return made;
  };
}

/** `import`: the exported names of another template as attributes of one name. */
export function compileImport(statement: Import, frame: Frame): Execute {
  const { target, line } = statement;
  const module = compileModule(statement, frame);
  const assign = compileTarget({ type: "name", name: target, line }, frame);
  return (scope) => {
    const value = module(scope);
    assign(scope, value);
    if (!frame.isTop) return;
    scope.context.vars.set(target, value);
    scope.context.exported.delete(target);
  };
}

/** `from … import`: exported names of another template as names of this one. */
export function compileFromImport(statement: FromImport, frame: Frame): Execute {
  const { names, line } = statement;
  const module = compileModule(statement, frame);
  const assigns = names.map(([, alias]) => compileTarget({ type: "name", name: alias, line }, frame));
  const place = `line ${line}${frame.state.name === undefined ? "" : ` in '${frame.state.name}'`}`;
  return (scope) => {
    const imported = module(scope);
    for (const [index, [name, alias]] of names.entries()) {
      const found = imported instanceof PythonObject ? imported.attribute(name) : undefined;
      const value = orElse(found, () => new Undefined({ hint: notExported(imported, place, name) }));
      assigns[index]?.(scope, value);
      if (!frame.isTop) continue;
      scope.context.vars.set(alias, value);
      scope.context.exported.delete(alias);
    }
  };
}

function notExported(imported: Value, place: string, name: string): string {
  const shown = imported instanceof TemplateModule ? imported.repr().slice("<TemplateModule ".length, -1) : "''";
  return `the template ${shown} (imported on ${place}) does not export the requested name '${name}'`;
}
