import { compilePattern } from "./compile-pattern.ts";
import { TextFsmError } from "./textfsm-error.ts";

export type ValueOption = "Fillup" | "Filldown" | "Key" | "List" | "Required";

/** A value that a template collects. */
export interface TemplateValue {
  name: string;
  options: ReadonlySet<ValueOption>;
  /** Its pattern with brackets, as Python's `re` writes it. */
  pattern: string;
  /** For values with option `List` whose pattern has groups with names: each element is an object of these. */
  parts?: RegExp;
}

const optionNames: ReadonlySet<string> = new Set(["Fillup", "Filldown", "Key", "List", "Required"]);
const longestName = 48;

/** Reads a line `Value [options] NAME (pattern)`. TextFsmError with its number. */
export function readValue(text: string, line: number): TemplateValue {
  const words = text.split(" ");
  if (words.length < 3) throw new TextFsmError("a value has a name and a pattern", line);
  const hasOptions = !(words[2] ?? "").startsWith("(");
  const options = hasOptions ? readOptions(words[1] ?? "", line) : new Set<ValueOption>();
  const name = words[hasOptions ? 2 : 1] ?? "";
  const pattern = words.slice(hasOptions ? 3 : 2).join(" ");
  requireName(name, line);
  if (!/^\([^]*\)$/u.test(pattern)) throw new TextFsmError(`the pattern of ${name} must be in brackets`, line);
  const compiled = compilePattern(pattern, line);
  const hasParts = options.has("List") && /\(\?P</u.test(pattern);
  return { name, options, pattern, ...(hasParts ? { parts: compiled } : {}) };
}

function requireName(name: string, line: number): void {
  if (/^[A-Za-z_]\w*$/u.test(name) && name.length <= longestName) return;
  throw new TextFsmError(`"${name}" cannot be the name of a value`, line);
}

function readOptions(text: string, line: number): Set<ValueOption> {
  const options = new Set<ValueOption>();
  for (const option of text.split(",")) {
    if (!optionNames.has(option)) throw new TextFsmError(`unknown option "${option}"`, line);
    if (options.has(option as ValueOption)) throw new TextFsmError(`option "${option}" twice`, line);
    options.add(option as ValueOption);
  }
  return options;
}
