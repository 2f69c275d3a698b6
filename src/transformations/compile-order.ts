import type { FunctionPlan, OutgoingNode, PlannedStep, Wire } from "./compiled-transformation.ts";

/**
 * Orders steps by what they need, not by their place in the document, beginning from the outgoing values:
 * steps that reach none are left out. Steps that need themselves are made to fail, and told to `report`.
 */
export function orderSteps(
  steps: readonly PlannedStep[],
  outgoing: FunctionPlan["outgoing"],
  report: (index: number, message: string) => void,
): Pick<FunctionPlan, "steps" | "order"> {
  const needs = steps.map(needsOfStep);
  const needed = outgoing.flatMap(({ node }) => needsOfNode(node));
  const walk = createWalk(needs);
  walk.from(needed);
  const order = walk.takeOrder();
  walk.from(steps.keys());
  const problem = "The step needs its own value";
  for (const index of walk.inCycle) report(index, problem);
  const planned = steps.map((step, index): PlannedStep =>
    walk.inCycle.has(index) ? { ...step, args: [], action: { kind: "broken", problem } } : step,
  );
  return { steps: planned, order };
}

function needsOfWire({ source, index, branches }: Wire): number[] {
  const contexts = branches.map(({ context }) => context);
  return source === "step" ? [index, ...contexts] : contexts;
}

function needsOfStep({ args, branches }: PlannedStep): number[] {
  const contexts = branches.map(({ context }) => context);
  return [...contexts, ...args.flatMap(({ wires }) => wires.flatMap(needsOfWire))];
}

function needsOfNode({ wires, children }: OutgoingNode): number[] {
  return [...wires.flatMap(needsOfWire), ...children.flatMap(({ node }) => needsOfNode(node))];
}

/** Depth first without recursion: chains of steps may be longer than the stack. */
function createWalk(needs: readonly (readonly number[])[]) {
  const states = needs.map((): "open" | "done" | undefined => undefined);
  const inCycle = new Set<number>();
  let order: number[] = [];

  function visit(root: number): void {
    const stack: { index: number; next: number }[] = [{ index: root, next: 0 }];
    states[root] = "open";
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const need = needs[top.index]?.[top.next];
      top.next += 1;
      if (need === undefined) {
        states[top.index] = "done";
        order.push(top.index);
        stack.pop();
      } else if (states[need] === undefined) {
        states[need] = "open";
        stack.push({ index: need, next: 0 });
      } else if (states[need] === "open") {
        markCycle(stack, need);
      }
    }
  }

  function markCycle(stack: readonly { index: number }[], start: number): void {
    const from = stack.findLastIndex(({ index }) => index === start);
    for (const { index } of stack.slice(from)) inCycle.add(index);
  }

  return {
    inCycle,
    from(roots: Iterable<number>): void {
      for (const root of roots) if (states[root] === undefined) visit(root);
    },
    takeOrder(): number[] {
      const taken = order;
      order = [];
      return taken;
    },
  };
}
