import type { Definition } from "../runtime/runtime.ts";
import type { Statement } from "../syntax/syntax-tree.ts";
import type { Execute } from "./execute.ts";
import { Symbols } from "./symbols.ts";

/** What is known of the whole template while it is compiled. */
export interface TemplateState {
  name: string | undefined;
  filters: ReadonlyMap<string, Definition>;
  tests: ReadonlyMap<string, Definition>;
  /** Are there blocks that see the names around them? */
  hasScopedBlocks: boolean;
  /** How many `extends` came before. */
  extendsCount: number;
  /** Is it certain that the template extends another? What it writes outside of blocks is for nothing then. */
  hasKnownExtends: boolean;
}

/** A scope while it is compiled, and where it stands. */
export interface Frame {
  state: TemplateState;
  symbols: Symbols;
  /** Outside of everything but `if`: what is set here is exported. */
  isTop: boolean;
  /** Outside of `if` as well. */
  isRoot: boolean;
  /** Inside an `if` or inline condition: filters and tests that do not exist are errors only when they are reached. */
  isConditional: boolean;
  /** Is output checked for a template that extends another? */
  checksOutput: boolean;
}

/** A scope inside this one. */
export function innerFrame(frame: Frame): Frame {
  return {
    ...frame,
    symbols: new Symbols(frame.symbols),
    isTop: false,
    isRoot: false,
    isConditional: false,
  };
}

/** The same scope inside a condition. */
export function conditionalFrame(frame: Frame): Frame {
  return { ...frame, isRoot: false, isConditional: true };
}

/** Compiles statements inside another one. */
export type CompileBody = (statements: readonly Statement[], frame: Frame) => Execute;
