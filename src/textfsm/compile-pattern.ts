import { PatternError } from "./pattern-source.ts";
import { translatePattern } from "./python-pattern.ts";
import { TextFsmError } from "./textfsm-error.ts";

/** A pattern of Python that matches at the beginning of a text only. TextFsmError with the line it stands in. */
export function compilePattern(pattern: string, line: number): RegExp {
  try {
    const { source, flags } = translatePattern(pattern);
    return new RegExp(source, `${flags}y`);
  } catch (thrown) {
    if (thrown instanceof PatternError) throw new TextFsmError(`bad pattern: ${thrown.message}`, line);
    const [, reason = "it is malformed"] = /.*: (.*)$/su.exec(thrown instanceof Error ? thrown.message : "") ?? [];
    throw new TextFsmError(`bad pattern: ${reason}`, line);
  }
}
