import { JinjaError, typeError } from "../errors.ts";
import { Output } from "../runtime/output.ts";
import type { Statement } from "../syntax/syntax-tree.ts";
import { isTrue } from "../values/iterate.ts";
import { escapeMarkup } from "../values/markup.ts";
import { textOf } from "../values/repr.ts";
import { Markup, charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";
import { analyse, analyseTarget } from "./analyse.ts";
import { compileCall, compileDefinition, compileExpression } from "./compile-expression.ts";
import { compileFor } from "./compile-for.ts";
import { compileFromImport, compileImport, compileInclude } from "./compile-import.ts";
import { compileMacro } from "./compile-macro.ts";
import { compileTarget, compileTargetCheck } from "./compile-target.ts";
import { atLine, type Execute } from "./execute.ts";
import { exportOf } from "./export.ts";
import { conditionalFrame, innerFrame, type Frame } from "./frame.ts";
import { compileBlock, compileExtends } from "./compile-inheritance.ts";
import { compileEnter, innerScope } from "./scope.ts";

type Of<T extends Statement["type"]> = Extract<Statement, { type: T }>;

/** Statements one after the other. */
export function compileBody(statements: readonly Statement[], frame: Frame): Execute {
  const steps: Execute[] = [];
  for (const statement of statements) {
    if (statement.type === "extends" && frame.state.hasKnownExtends) {
      steps.push(extendedTwice);
      break;
    }
    steps.push(compileStatement(statement, frame));
  }
  if (steps.length === 1 && steps[0]) return steps[0];
  return (scope, output) => {
    for (const step of steps) step(scope, output);
  };
}

const extendedTwice: Execute = () => {
  throw new JinjaError("TemplateRuntimeError", "extended multiple times");
};

function compileStatement(statement: Statement, frame: Frame): Execute {
  switch (statement.type) {
    case "output":
      return compileOutput(statement, frame);
    case "for":
      return compileFor(statement, frame, compileBody);
    case "if":
      return compileIf(statement, frame);
    case "set":
      return compileSet(statement, frame);
    case "set-block":
      return compileSetBlock(statement, frame);
    case "macro":
      return compileMacroStatement(statement, frame);
    case "call-block":
      return compileCallBlock(statement, frame);
    case "filter-block":
      return compileFilterBlock(statement, frame);
    case "with":
      return compileWith(statement, frame);
    case "autoescape":
      return compileAutoescape(statement, frame);
    default:
      return compileTemplateStatement(statement, frame);
  }
}

function compileTemplateStatement(
  statement: Of<"block" | "extends" | "include" | "import" | "from-import">,
  frame: Frame,
): Execute {
  switch (statement.type) {
    case "block":
      return compileBlock(statement, frame);
    case "extends":
      return compileExtends(statement, frame);
    case "include":
      return compileInclude(statement, frame);
    case "import":
      return compileImport(statement, frame);
    case "from-import":
      return compileFromImport(statement, frame);
  }
}

function compileOutput({ parts }: Of<"output">, frame: Frame): Execute {
  if (frame.checksOutput && frame.state.hasKnownExtends) return () => undefined;
  const steps = parts.map(({ line, part }): Execute => {
    if (typeof part === "string") return (_, output) => output.write(part);
    const value = compileExpression(part, frame);
    return (scope, output) => {
      atLine(scope, line);
      const { budget, escaping } = scope.context.rendering;
      const computed = value(scope);
      output.write(escaping ? escapeMarkup(budget, computed).text : textOf(budget, computed));
    };
  });
  const { checksOutput } = frame;
  return (scope, output) => {
    if (checksOutput && scope.root.parent) return;
    for (const step of steps) step(scope, output);
  };
}

function compileIf({ branches, otherwise }: Of<"if">, frame: Frame): Execute {
  const inner = conditionalFrame(frame);
  const compiled = branches.map(({ line, test, body }) => ({
    line,
    test: compileExpression(test, inner),
    body: compileBody(body, inner),
  }));
  const rest = compileBody(otherwise, inner);
  return (scope, output) => {
    for (const { line, test, body } of compiled) {
      atLine(scope, line);
      if (isTrue(test(scope))) return body(scope, output);
    }
    return rest(scope, output);
  };
}

function compileSet({ line, target, value }: Of<"set">, frame: Frame): Execute {
  const computed = compileExpression(value, frame);
  const [check, assign] = [compileTargetCheck(target, frame), compileTarget(target, frame)];
  const exports = exportOf(target, frame);
  return (scope) => {
    atLine(scope, line);
    scope.context.rendering.budget.charge(1);
    check(scope);
    assign(scope, computed(scope));
    exports(scope);
  };
}

function compileSetBlock({ line, target, filter, body }: Of<"set-block">, frame: Frame): Execute {
  const inner = { ...innerFrame(frame), checksOutput: false };
  analyse(inner.symbols, body);
  const run = compileCaptured(body, inner);
  const filtered = compileChain(filter, inner);
  const [assign, exports] = [compileTarget(target, frame), exportOf(target, frame)];
  return (scope) => {
    const bodyScope = innerScope(scope);
    const text = run(bodyScope);
    atLine(scope, line);
    const value = filtered(bodyScope, text);
    assign(scope, scope.context.rendering.escaping && typeof value === "string" ? new Markup(value) : value);
    exports(scope);
  };
}

/** Runs statements and gives what they write. */
function compileCaptured(body: readonly Statement[], frame: Frame): (scope: Parameters<Execute>[0]) => Value {
  const [run, enter] = [compileBody(body, frame), compileEnter(frame.symbols)];
  return (scope) => {
    const { budget, escaping } = scope.context.rendering;
    const output = new Output(budget);
    enter(scope);
    run(scope, output);
    return escaping ? new Markup(output.text()) : output.text();
  };
}

/** Filters that follow each other, applied to a text. */
function compileChain(
  filter: Of<"filter-block">["filter"] | undefined,
  frame: Frame,
): (scope: Parameters<Execute>[0], text: Value) => Value {
  if (!filter) return (_, text) => text;
  const { value } = filter;
  const before = compileChain(value?.type === "filter" ? value : undefined, frame);
  const apply = compileDefinition(filter, frame, "filter");
  return (scope, text) => apply(scope, before(scope, text));
}

function compileMacroStatement({ line, macro }: Of<"macro">, frame: Frame): Execute {
  const make = compileMacro(macro, frame, compileBody);
  const target = { type: "name", name: macro.name ?? "", line } as const;
  const [assign, exports] = [compileTarget(target, frame), exportOf(target, frame)];
  return (scope) => {
    assign(scope, make(scope));
    exports(scope);
  };
}

function compileCallBlock({ line, call, macro }: Of<"call-block">, frame: Frame): Execute {
  const make = compileMacro(macro, frame, compileBody);
  const value = compileCall(call, frame, (scope) => ["caller", make(scope)]);
  return (scope, output) => {
    if (frame.checksOutput && scope.root.parent) return;
    atLine(scope, line);
    const { budget, escaping } = scope.context.rendering;
    const computed = value(scope);
    output.write(escaping ? escapeMarkup(budget, computed).text : textOf(budget, computed));
  };
}

function compileFilterBlock({ line, filter, body }: Of<"filter-block">, frame: Frame): Execute {
  const inner = innerFrame(frame);
  analyse(inner.symbols, body);
  const [run, apply] = [compileCaptured(body, inner), compileChain(filter, inner)];
  return (scope, output) => {
    const bodyScope = innerScope(scope);
    const text = run(bodyScope);
    atLine(scope, line);
    const filtered = apply(bodyScope, text);
    // Unlike `{{ … }}`, the filter of a block has to give text.
    if (!isText(filtered)) throw typeError(`sequence item: expected str instance, ${typeNameOf(filtered)} found`);
    output.write(charactersOf(filtered));
  };
}

function compileWith({ line, targets, values, body }: Of<"with">, frame: Frame): Execute {
  const computed = values.map((value) => compileExpression(value, frame));
  const inner = innerFrame(frame);
  for (const target of targets) analyseTarget(inner.symbols, target, true);
  analyse(inner.symbols, body);
  const assigns = targets.map((target) => compileTarget(target, inner));
  const [run, enter] = [compileBody(body, inner), compileEnter(inner.symbols)];
  return (scope, output) => {
    const bodyScope = innerScope(scope);
    atLine(scope, line);
    enter(bodyScope);
    for (const [index, assign] of assigns.entries()) assign(bodyScope, computed[index]?.(scope) ?? null);
    run(bodyScope, output);
  };
}

function compileAutoescape({ line, value, body }: Of<"autoescape">, frame: Frame): Execute {
  const computed = compileExpression(value, frame);
  const inner = innerFrame(frame);
  analyse(inner.symbols, body);
  const [run, enter] = [compileBody(body, inner), compileEnter(inner.symbols)];
  return (scope, output) => {
    atLine(scope, line);
    const { rendering } = scope.context;
    const before = rendering.escaping;
    const isOn = isTrue(computed(scope));
    const bodyScope = innerScope(scope);
    enter(bodyScope);
    rendering.escaping = isOn;
    run(bodyScope, output);
    rendering.escaping = before;
  };
}
