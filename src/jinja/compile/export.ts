import type { Target } from "../syntax/syntax-tree.ts";
import type { Frame } from "./frame.ts";
import { scopeAt, type Scope } from "./scope.ts";
import { namesStored } from "./walk.ts";

/** Makes what was assigned outside of everything known to the context, and exports it unless its name begins with `_`. */
export function exportOf(target: Target, frame: Frame): (scope: Scope) => void {
  if (!frame.isTop) return () => undefined;
  const places = namesStored(target).flatMap((name) => {
    const place = frame.symbols.find(name);
    return place ? [{ name, ...place }] : [];
  });
  return ((scope) => {
    for (const { name, hops, slot } of places) {
      const value = scopeAt(scope, hops)?.slots[slot];
      if (value !== undefined) scope.context.vars.set(name, value);
      if (!name.startsWith("_")) scope.context.exported.add(name);
    }
  }) satisfies (scope: Scope) => void;
}
