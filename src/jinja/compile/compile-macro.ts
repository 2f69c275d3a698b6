import { assertionError } from "../errors.ts";
import { Macro, type MacroArguments } from "../runtime/macro.ts";
import { Output } from "../runtime/output.ts";
import type { Macro as MacroSyntax } from "../syntax/syntax-tree.ts";
import { Undefined } from "../values/undefined.ts";
import { orElse, type Value } from "../values/value.ts";
import { analyse, analyseExpression } from "./analyse.ts";
import { compileExpression } from "./compile-expression.ts";
import { innerFrame, type CompileBody, type Frame } from "./frame.ts";
import { compileEnter, innerScope, type Evaluate, type Scope } from "./scope.ts";
import { namesNeeded } from "./walk.ts";

const specialNames = ["caller", "kwargs", "varargs"];

/** A macro, or the body of a call block: what makes it where it is defined. */
export function compileMacro(macro: MacroSyntax, frame: Frame, compileBody: CompileBody): (scope: Scope) => Value {
  const inner = { ...innerFrame(frame), checksOutput: false };
  const { symbols } = inner;
  const special = specialNamesOf(macro);
  for (const name of [...macro.parameters, ...special]) symbols.declare(name);
  analyseExpression(symbols, ...macro.defaults);
  analyse(symbols, macro.body);
  const shape = {
    name: macro.name,
    parameters: macro.parameters,
    usesCaller: special.includes("caller") || (macro.parameters.includes("caller") && needs(macro, "caller")),
    usesKeywords: special.includes("kwargs"),
    usesMoreArgs: special.includes("varargs"),
  };
  const fill = compileParameters(macro, inner);
  const [enter, body] = [compileEnter(symbols), compileBody(macro.body, inner)];
  const place = (name: string) => (special.includes(name) ? symbols.slotOf(name) : undefined);
  const slots = { caller: place("caller"), keywords: place("kwargs"), moreArgs: place("varargs") };
  return (scope) =>
    new Macro(scope.context.rendering, shape, (args) => {
      const bodyScope = innerScope(scope);
      const output = new Output(scope.context.rendering.budget);
      for (const part of ["caller", "keywords", "moreArgs"] as const)
        if (slots[part] !== undefined) bodyScope.slots[slots[part]] = args[part];
      enter(bodyScope);
      fill(bodyScope, args);
      body(bodyScope, output);
      return output.text();
    });
}

function needs(macro: MacroSyntax, name: string): boolean {
  return namesNeeded(macro.body, [name]).has(name);
}

/** The special names that the body uses and the parameters do not define. */
function specialNamesOf(macro: MacroSyntax): readonly string[] {
  const needed = namesNeeded(macro.body, specialNames);
  const callerAt = macro.parameters.indexOf("caller");
  if (needed.has("caller") && callerAt !== -1 && callerAt < macro.parameters.length - macro.defaults.length)
    throw assertionError(
      'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.',
      macro.line,
    );
  return specialNames.filter((name) => needed.has(name) && !macro.parameters.includes(name));
}

/** Puts arguments into their slots; those not given become their defaults, which see the parameters before them. */
function compileParameters(
  { parameters, defaults }: MacroSyntax,
  frame: Frame,
): (scope: Scope, args: MacroArguments) => void {
  const steps = parameters.map((name, index) => {
    const standard = defaults[index - (parameters.length - defaults.length)];
    const missing: Evaluate = () => new Undefined({ hint: `parameter '${name}' was not provided` });
    return { slot: frame.symbols.slotOf(name), standard: standard ? compileExpression(standard, frame) : missing };
  });
  return (scope, args) => {
    for (const [index, { slot }] of steps.entries()) scope.slots[slot] = args.parameters[index];
    for (const { slot, standard } of steps) scope.slots[slot] = orElse(scope.slots[slot], () => standard(scope));
  };
}
