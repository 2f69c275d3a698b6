import { typeError } from "../errors.ts";
import type { Arguments, Expression } from "../syntax/syntax-tree.ts";
import { Dict } from "../values/dict.ts";
import { iterate } from "../values/iterate.ts";
import { typeNameOf, type Keywords, type Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import type { Evaluate, Scope } from "./scope.ts";

/** Computes the arguments of a call. */
export type GivenArguments = (scope: Scope) => { args: readonly Value[]; keywords: Keywords };

/** What stands between the parentheses of a call, a filter or a test. */
export function compileArguments(
  { args, keywords, moreArgs, moreKeywords }: Arguments,
  frame: Frame,
  compile: (expression: Expression, frame: Frame) => Evaluate,
): GivenArguments {
  const none: Keywords = new Map();
  const positional = args.map((arg) => compile(arg, frame));
  const named = keywords.map(([name, value]) => [name, compile(value, frame)] as const);
  const more = moreArgs && compile(moreArgs, frame);
  const moreNamed = moreKeywords && compile(moreKeywords, frame);
  if (named.length === 0 && !more && !moreNamed)
    return (scope) => {
      scope.context.rendering.budget.charge(positional.length);
      return { args: positional.map((arg) => arg(scope)), keywords: none };
    };
  return (scope) => {
    scope.context.rendering.budget.charge(positional.length + named.length);
    const all = positional.map((arg) => arg(scope));
    const byName = new Map(named.map(([name, value]) => [name, value(scope)]));
    if (more) spread(scope, all, more(scope));
    if (moreNamed) spreadNamed(scope, byName, moreNamed(scope));
    return { args: all, keywords: byName };
  };
}

function spread(scope: Scope, args: Value[], values: Value): void {
  for (const value of iterate(values)) {
    scope.context.rendering.budget.charge(1);
    args.push(value);
  }
}

function spreadNamed(scope: Scope, byName: Map<string, Value>, values: Value): void {
  if (!(values instanceof Dict)) throw typeError(`argument after ** must be a mapping, not ${typeNameOf(values)}`);
  scope.context.rendering.budget.charge(values.size);
  for (const [key, value] of values.entries()) {
    if (typeof key !== "string") throw typeError("keywords must be strings");
    if (byName.has(key)) throw typeError(`got multiple values for keyword argument '${key}'`);
    byName.set(key, value);
  }
}
