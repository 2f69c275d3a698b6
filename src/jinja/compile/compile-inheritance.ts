import { JinjaError, assertionError } from "../errors.ts";
import { requireTemplateName } from "../runtime/template-name.ts";
import type { Statement } from "../syntax/syntax-tree.ts";
import { compileExpression } from "./compile-expression.ts";
import { atLine, type Execute } from "./execute.ts";
import type { Frame } from "./frame.ts";
import { compileLocals } from "./locals.ts";

/** The place of a block: runs the body that counts, which may be that of a template that extends this one. */
export function compileBlock(
  { line, name, isScoped, isRequired }: Extract<Statement, { type: "block" }>,
  frame: Frame,
): Execute {
  const { state, isTop } = frame;
  if (isTop && state.hasKnownExtends) return () => undefined;
  const checksParent = isTop && state.extendsCount > 0;
  const locals = isScoped ? compileLocals(frame) : undefined;
  return (scope, output) => {
    if (checksParent && scope.root.parent) return;
    const { context } = scope;
    const bodies = context.blocks.get(name) ?? [];
    if (isRequired && bodies.length <= 1) {
      atLine(scope, line);
      throw new JinjaError("TemplateRuntimeError", `Required block '${name}' not found`);
    }
    const seen = locals ? context.derived(locals(scope)) : context;
    context.rendering.budget.inCall(() => bodies[0]?.(seen, output));
  };
}

/** `extends`: from here on the other template gives the text, and this one its blocks. */
export function compileExtends({ line, template }: Extract<Statement, { type: "extends" }>, frame: Frame): Execute {
  if (!frame.isTop) throw assertionError("cannot use extend from a non top-level scope", line);
  const name = compileExpression(template, frame);
  if (frame.isRoot) frame.state.hasKnownExtends = true;
  frame.state.extendsCount += 1;
  return (scope) => {
    atLine(scope, line);
    if (scope.root.parent) throw new JinjaError("TemplateRuntimeError", "extended multiple times");
    const { context } = scope;
    const parent = context.rendering.load([requireTemplateName(name(scope))]);
    context.inherit(parent);
    scope.root.parent = parent;
  };
}
