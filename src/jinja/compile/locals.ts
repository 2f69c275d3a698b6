import type { Value } from "../values/value.ts";
import type { Frame } from "./frame.ts";
import { scopeAt, type Scope } from "./scope.ts";

/** Reads all that is stored in this scope and those around it: what included templates and scoped blocks see. */
export function compileLocals(frame: Frame): (scope: Scope) => ReadonlyMap<string, Value> {
  const stored = frame.symbols.stored();
  return (scope) => {
    scope.context.rendering.budget.charge(stored.length);
    const locals = new Map<string, Value>();
    for (const { name, place } of stored) {
      const value = scopeAt(scope, place.hops)?.slots[place.slot];
      if (value !== undefined) locals.set(name, value);
    }
    return locals;
  };
}
