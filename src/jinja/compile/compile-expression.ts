import { callDefinition } from "../runtime/define.ts";
import { callValue, getAttribute, getItem } from "../runtime/lookup.ts";
import type { Definition } from "../runtime/runtime.ts";
import { JinjaError } from "../errors.ts";
import type { CallExpression, Expression, NameExpression } from "../syntax/syntax-tree.ts";
import { calculate, signed } from "../values/arithmetic.ts";
import { Dict } from "../values/dict.ts";
import { isTrue } from "../values/iterate.ts";
import { escapeMarkup } from "../values/markup.ts";
import { textOf } from "../values/repr.ts";
import { Undefined } from "../values/undefined.ts";
import { Markup, Slice, Tuple, orElse, type Value } from "../values/value.ts";
import { compileArguments, type GivenArguments } from "./compile-arguments.ts";
import { compileComparison } from "./compile-comparison.ts";
import { conditionalFrame, type Frame } from "./frame.ts";
import { scopeAt, type Evaluate, type Scope } from "./scope.ts";

/** Makes a function that computes the expression. TemplateAssertionError for filters and tests that do not exist. */
export function compileExpression(expression: Expression, frame: Frame): Evaluate {
  switch (expression.type) {
    case "constant": {
      const { value } = expression;
      return () => value;
    }
    case "name":
      return compileName(expression, frame);
    case "attribute": {
      const [owner, { name }] = [compileExpression(expression.owner, frame), expression];
      return (scope) => getAttribute(scope.context.rendering, owner(scope), name);
    }
    case "item": {
      const [owner, key] = [compileExpression(expression.owner, frame), compileExpression(expression.key, frame)];
      return (scope) => getItem(scope.context.rendering, owner(scope), key(scope));
    }
    case "call":
      return compileCall(expression, frame);
    case "filter":
      return compileDefined(expression, frame, "filter");
    case "test":
      return compileDefined(expression, frame, "test");
    case "tuple":
    case "list":
    case "dict":
    case "slice":
      return compileDisplay(expression, frame);
    default:
      return compileOperation(expression, frame);
  }
}

function compileName({ name }: NameExpression, frame: Frame): Evaluate {
  const place = frame.symbols.find(name);
  const missing = () => new Undefined({ name });
  if (!place) return (scope) => orElse(scope.context.find(name), missing);
  const { hops, slot } = place;
  if (hops === 0) return (scope) => orElse(scope.slots[slot], missing);
  if (hops === 1) return (scope) => orElse(scope.parent?.slots[slot], missing);
  return (scope) => orElse(scopeAt(scope, hops)?.slots[slot], missing);
}

type Display = Extract<Expression, { type: "tuple" | "list" | "dict" | "slice" }>;

function compileDisplay(expression: Display, frame: Frame): Evaluate {
  const compile = (part: Expression | undefined): Evaluate => (part ? compileExpression(part, frame) : () => null);
  if (expression.type === "dict") {
    const members = expression.members.map(([key, value]) => [compile(key), compile(value)] as const);
    return (scope) => {
      scope.context.rendering.budget.charge(members.length);
      return Dict.of(members.map(([key, value]) => [key(scope), value(scope)] as const));
    };
  }
  if (expression.type === "slice") {
    const [start, stop, step] = [compile(expression.start), compile(expression.stop), compile(expression.step)];
    return (scope) => new Slice(start(scope), stop(scope), step(scope));
  }
  const parts = expression.items.map(compile);
  const items = (scope: Scope): Value[] => {
    scope.context.rendering.budget.charge(parts.length);
    return parts.map((part) => part(scope));
  };
  return expression.type === "list" ? items : (scope) => new Tuple(items(scope));
}

/** A call; `forwarded` are named arguments that come with it from elsewhere. */
export function compileCall(
  expression: CallExpression,
  frame: Frame,
  forwarded?: (scope: Scope) => readonly [string, Value],
): Evaluate {
  const callee = compileExpression(expression.callee, frame);
  const given = compileArguments(expression, frame, compileExpression);
  return (scope) => {
    const called = callee(scope);
    const { args, keywords } = given(scope);
    scope.context.rendering.budget.charge(1);
    return callValue(called, args, forwarded ? new Map([...keywords, forwarded(scope)]) : keywords);
  };
}

type Defined = Extract<Expression, { type: "filter" | "test" }>;

function compileDefined(expression: Defined, frame: Frame, kind: "filter" | "test"): Evaluate {
  const { name, line } = expression;
  const value = expression.value ? compileExpression(expression.value, frame) : undefined;
  const apply = compileDefinition(expression, frame, kind);
  if (!value) throw new JinjaError("TemplateSyntaxError", `${kind} ${name} has no value`, line);
  return (scope) => apply(scope, value(scope));
}

/** A filter or test that is applied to a value. */
export function compileDefinition(
  expression: Defined,
  frame: Frame,
  kind: "filter" | "test",
): (scope: Scope, value: Value) => Value {
  const { name, line } = expression;
  const definition = frame.state[`${kind}s`].get(name);
  const given: GivenArguments = compileArguments(expression, frame, compileExpression);
  if (!definition) {
    if (!frame.isConditional) throw new JinjaError("TemplateAssertionError", `No ${kind} named '${name}'.`, line);
    return () => {
      throw new JinjaError("TemplateRuntimeError", `No ${kind} named '${name}' found.`);
    };
  }
  return (scope, value) =>
    callDefinition(scope.context.rendering, definition satisfies Definition, value, given(scope));
}

type Operation = Exclude<Expression, Display | Defined | { type: "constant" | "name" | "attribute" | "item" | "call" }>;

function compileOperation(expression: Operation, frame: Frame): Evaluate {
  const compile = (part: Expression): Evaluate => compileExpression(part, frame);
  switch (expression.type) {
    case "unary": {
      const [value, { operator }] = [compile(expression.value), expression];
      const operate = (operand: Value) => (operator === "not" ? !isTrue(operand) : signed(operand, operator));
      return (scope) => {
        scope.context.rendering.budget.charge(1);
        return operate(value(scope));
      };
    }
    case "binary": {
      const [left, right, { operator }] = [compile(expression.left), compile(expression.right), expression];
      return (scope) => calculate(scope.context.rendering.budget, left(scope), operator, right(scope));
    }
    case "logic": {
      const [left, right, isAnd] = [compile(expression.left), compile(expression.right), expression.operator === "and"];
      return (scope) => {
        scope.context.rendering.budget.charge(1);
        const value = left(scope);
        return isTrue(value) === isAnd ? right(scope) : value;
      };
    }
    case "concat":
      return compileConcat(expression.parts.map(compile));
    case "compare":
      return compileComparison(expression, compile);
    case "condition":
      return compileCondition(expression, frame);
  }
}

function compileConcat(parts: readonly Evaluate[]): Evaluate {
  return (scope) => {
    const { budget, escaping } = scope.context.rendering;
    budget.charge(parts.length);
    const values = parts.map((part) => part(scope));
    const isMarkup = escaping && values.some((value) => value instanceof Markup);
    let text = "";
    for (const value of values) {
      text += isMarkup ? escapeMarkup(budget, value).text : textOf(budget, value);
      budget.chargeText(text.length);
    }
    return isMarkup ? new Markup(text) : text;
  };
}

function compileCondition(expression: Extract<Expression, { type: "condition" }>, frame: Frame): Evaluate {
  const inner = conditionalFrame(frame);
  const test = compileExpression(expression.test, inner);
  const then = compileExpression(expression.then, inner);
  const { line, otherwise } = expression;
  const { name } = frame.state;
  const place = `line ${line}${name === undefined ? "" : ` in '${name}'`}`;
  const hint = `the inline if-expression on ${place} evaluated to false and no else section was defined.`;
  const rest: Evaluate = otherwise ? compileExpression(otherwise, inner) : () => new Undefined({ hint });
  return (scope) => {
    scope.context.rendering.budget.charge(1);
    return isTrue(test(scope)) ? then(scope) : rest(scope);
  };
}
