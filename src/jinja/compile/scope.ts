import type { Context } from "../runtime/context.ts";
import type { CompiledTemplate } from "../runtime/compiled-template.ts";
import type { Value } from "../values/value.ts";
import type { Symbols } from "./symbols.ts";

/** The values of one scope while it runs. An empty slot is a name without value. */
export interface Scope {
  slots: (Value | undefined)[];
  parent: Scope | undefined;
  context: Context;
  /** What the template extends, once its `extends` has run. */
  root: { parent: CompiledTemplate | undefined };
}

/** Computes the value of an expression. */
export type Evaluate = (scope: Scope) => Value;

/** Fills the slots of a scope as they begin. */
export type Enter = (scope: Scope) => void;

/** A scope that begins outside all others. */
export function rootScope(context: Context): Scope {
  return { slots: [], parent: undefined, context, root: { parent: undefined } };
}

/** A scope inside another one. */
export function innerScope(parent: Scope): Scope {
  return { slots: [], parent, context: parent.context, root: parent.root };
}

/** What is to be done when a scope with these names is entered. Parameters are left as they are. */
export function compileEnter(symbols: Symbols): Enter {
  const steps: Enter[] = [];
  for (const { name, load, slot } of symbols.loads()) {
    if (load === "context") steps.push((scope) => (scope.slots[slot] = scope.context.find(name)));
    else if (load === "none") steps.push((scope) => (scope.slots[slot] = undefined));
    else if (load === "outer") {
      const place = symbols.parent?.find(name);
      if (place) steps.push((scope) => (scope.slots[slot] = scopeAt(scope.parent, place.hops)?.slots[place.slot]));
    }
  }
  if (steps.length === 0) return () => undefined;
  return (scope) => {
    for (const step of steps) step(scope);
  };
}

/** The scope so many steps out. */
export function scopeAt(scope: Scope | undefined, hops: number): Scope | undefined {
  let found = scope;
  for (let left = hops; left > 0; left--) found = found?.parent;
  return found;
}
