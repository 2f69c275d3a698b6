import { assertionError } from "../errors.ts";
import { LoopContext } from "../runtime/loop-context.ts";
import { Output } from "../runtime/output.ts";
import type { For } from "../syntax/syntax-tree.ts";
import { isTrue, iterate } from "../values/iterate.ts";
import { Tuple, type Value } from "../values/value.ts";
import { analyse, analyseExpression, analyseTarget } from "./analyse.ts";
import { compileExpression } from "./compile-expression.ts";
import { compileTarget, type Assign } from "./compile-target.ts";
import { atLine, type Execute } from "./execute.ts";
import { innerFrame, type CompileBody, type Frame } from "./frame.ts";
import { compileEnter, innerScope, type Evaluate, type Scope } from "./scope.ts";
import { allStatements, eachName, namesNeeded } from "./walk.ts";

interface Loop {
  line: number;
  assign: Assign;
  enter: (scope: Scope) => void;
  body: Execute;
  /** Slot of `loop`, where the body uses it. */
  loopSlot: number | undefined;
  filter: ((scope: Scope, elements: Iterable<Value>) => Iterable<Value>) | undefined;
  otherwise: Execute | undefined;
  isRecursive: boolean;
}

/** A `for` loop with all it can have. */
export function compileFor(statement: For, frame: Frame, compileBody: CompileBody): Execute {
  const iterable = compileExpression(statement.iterable, frame);
  const loop = compileLoop(statement, frame, compileBody);
  const { line } = statement;
  if (!loop.isRecursive)
    return (scope, output) => {
      atLine(scope, line);
      runLoop(loop, { scope, output, iterable: iterable(scope), depth0: 0 });
    };
  return (scope, output) => {
    atLine(scope, line);
    const value = iterable(scope);
    output.write(recurse(loop, scope, value, 0));
  };
}

function compileLoop(statement: For, frame: Frame, compileBody: CompileBody): Loop {
  refuseLoopTarget(statement);
  const { target, body, otherwise, isRecursive, line } = statement;
  const inner = innerFrame(frame);
  const usesLoop =
    isRecursive ||
    namesNeeded(body, ["loop"]).has("loop") ||
    (frame.state.hasScopedBlocks && hasScopedBlock(statement));
  if (usesLoop) inner.symbols.declare("loop");
  analyseTarget(inner.symbols, target, true);
  analyse(inner.symbols, body);
  return {
    line,
    isRecursive,
    body: compileBody(body, inner),
    assign: compileTarget(target, inner),
    enter: compileEnter(inner.symbols),
    loopSlot: usesLoop ? inner.symbols.slotOf("loop") : undefined,
    filter: compileFilter(statement, frame),
    otherwise: otherwise.length === 0 ? undefined : compileElse(statement, frame, compileBody),
  };
}

function refuseLoopTarget(statement: For): void {
  eachName([statement], (name, isStored) => {
    if (isStored && name === "loop")
      throw assertionError("Can't assign to special loop variable in for-loop target", statement.line);
  });
}

function hasScopedBlock(statement: For): boolean {
  return [...allStatements([statement])].some((inner) => inner.type === "block" && inner.isScoped);
}

function compileElse({ otherwise }: For, frame: Frame, compileBody: CompileBody): Execute {
  const inner = innerFrame(frame);
  analyse(inner.symbols, otherwise);
  const [run, enter] = [compileBody(otherwise, inner), compileEnter(inner.symbols)];
  return (scope, output) => {
    const bodyScope = innerScope(scope);
    enter(bodyScope);
    run(bodyScope, output);
  };
}

function compileFilter({ target, test, line }: For, frame: Frame): Loop["filter"] {
  if (!test) return undefined;
  const inner = innerFrame(frame);
  analyseTarget(inner.symbols, target, true);
  analyseExpression(inner.symbols, test);
  const [assign, enter] = [compileTarget(target, inner), compileEnter(inner.symbols)];
  const holds: Evaluate = compileExpression(test, inner);
  const rebuild = compileRebuild(target, inner);
  return function* filtered(scope, elements) {
    const testScope = innerScope(scope);
    enter(testScope);
    for (const element of elements) {
      scope.context.rendering.budget.charge(1);
      atLine(scope, line);
      assign(testScope, element);
      if (isTrue(holds(testScope))) yield rebuild ? rebuild(testScope) : element;
    }
  };
}

/** Elements that are taken apart are put together again as tuples. */
function compileRebuild(target: For["target"], frame: Frame): Evaluate | undefined {
  if (target.type !== "target-tuple") return undefined;
  const parts = target.items.map((item): Evaluate => {
    if (item.type === "target-tuple") return compileRebuild(item, frame) ?? (() => null);
    return compileExpression({ type: "name", name: item.name, line: 0 }, frame);
  });
  return (scope) => new Tuple(parts.map((part) => part(scope)));
}

interface LoopRun {
  scope: Scope;
  output: Output;
  iterable: Value;
  depth0: number;
}

function runLoop(loop: Loop, { scope, output, iterable, depth0 }: LoopRun): void {
  const { budget } = scope.context.rendering;
  const elements = loop.filter ? loop.filter(scope, iterate(iterable)) : iterate(iterable);
  const bodyScope = innerScope(scope);
  let isEmpty = true;
  const runBody = (element: Value): void => {
    isEmpty = false;
    budget.charge(1);
    loop.assign(bodyScope, element);
    loop.enter(bodyScope);
    loop.body(bodyScope, output);
  };
  if (loop.loopSlot === undefined) for (const element of elements) runBody(element);
  else {
    const context = loopContext(loop, { scope, iterable, depth0 }, elements[Symbol.iterator]());
    for (let element = context.advance(); element !== undefined; element = context.advance()) {
      bodyScope.slots[loop.loopSlot] = context;
      runBody(element);
    }
  }
  if (isEmpty) loop.otherwise?.(scope, output);
}

function loopContext(
  loop: Loop,
  { scope, iterable, depth0 }: Omit<LoopRun, "output">,
  elements: Iterator<Value>,
): LoopContext {
  return new LoopContext({
    budget: scope.context.rendering.budget,
    elements,
    iterable: loop.filter ? undefined : iterable,
    depth0,
    ...(loop.isRecursive && { recurse: (inner: Value, depth: number) => recurse(loop, scope, inner, depth) }),
  });
}

function recurse(loop: Loop, scope: Scope, iterable: Value, depth0: number): string {
  const { budget } = scope.context.rendering;
  const output = new Output(budget);
  budget.inCall(() => runLoop(loop, { scope, output, iterable, depth0 }));
  return output.text();
}
