import type { Budget } from "../limits.ts";
import type { Keywords, Value } from "../values/value.ts";

/** What filters, tests, methods and global functions may use of the rendering they run in. */
export interface Runtime {
  budget: Budget;
  /** 0 ≤ x < 1. */
  random: () => number;
  /** Is output escaped for HTML at the moment? */
  isEscaping: () => boolean;
  /** An attribute or method of a value, undefined where it has none: Python's `getattr`. */
  attributeOf: (owner: Value, name: string) => Value | undefined;
  filters: ReadonlyMap<string, Definition>;
  tests: ReadonlyMap<string, Definition>;
}

/** One parameter of a function; without default it must be given. */
export interface Parameter {
  name: string;
  default?: Value;
  /** It cannot be given by name. */
  isPositional?: boolean;
}

/** What a filter, test, method or global function gets: the value it belongs to, and its arguments in order. */
export type Run = (runtime: Runtime, self: Value, args: readonly Value[], keywords: Keywords) => Value;

/** A filter, test, method or global function. */
export interface Definition {
  name: string;
  parameters: readonly Parameter[];
  /** Takes any further arguments: they follow those of the parameters. */
  takesMore?: boolean;
  /** Takes any further named arguments. */
  takesKeywords?: boolean;
  run: Run;
}
