import type { Context } from "./context.ts";
import type { Output } from "./output.ts";

/** One body of a block. */
export type BlockBody = (context: Context, output: Output) => void;

/** A template that is ready to run, any number of times. */
export interface CompiledTemplate {
  /** Undefined for the text that was given without a name. */
  name: string | undefined;
  root: (context: Context, output: Output) => void;
  blocks: ReadonlyMap<string, BlockBody>;
}
