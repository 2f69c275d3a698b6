import type { Output } from "../runtime/output.ts";
import type { Scope } from "./scope.ts";

/** Runs a statement. */
export type Execute = (scope: Scope, output: Output) => void;

/** Notes which line runs, for errors. */
export function atLine(scope: Scope, line: number): void {
  const { rendering, templateName } = scope.context;
  rendering.line = line;
  rendering.templateName = templateName;
}
