import { readRule, type TemplateRule } from "./template-rules.ts";
import { readValue, type TemplateValue } from "./template-values.ts";
import { TextFsmError } from "./textfsm-error.ts";

/** A template as it was read. */
export interface TextFsmTemplate {
  values: readonly TemplateValue[];
  states: ReadonlyMap<string, readonly TemplateRule[]>;
}

interface Lines {
  lines: readonly string[];
  /** Index of the next one. */
  at: number;
}

const comment = /^\s*#/u;
const longestName = 48;
const reserved = new Set(["Continue", "Next", "Error", "Clear", "Clearall", "Record", "NoRecord"]);

/**
 * Reads a template of TextFSM (templates-gateway-forms.md §7.4): the values, an empty line, the states with their
 * rules. TextFsmError that names the line which is wrong.
 */
export function readTemplate(text: string): TextFsmTemplate {
  const source: Lines = { lines: text.split(/\r\n|\n|\r/u), at: 0 };
  const values = readValues(source);
  const states = new Map<string, TemplateRule[]>();
  for (let name = readStateName(source, states); name !== undefined; name = readStateName(source, states))
    states.set(name, readRules(source, values));
  return { values: [...values.values()], states: checked(states) };
}

function readValues(source: Lines): Map<string, TemplateValue> {
  const values = new Map<string, TemplateValue>();
  while (source.at < source.lines.length) {
    const line = (source.lines[source.at++] ?? "").trimEnd();
    if (line === "") return values;
    if (comment.test(line)) continue;
    if (!line.startsWith("Value "))
      throw new TextFsmError(
        values.size === 0 ? "no values are declared" : "an empty line must follow the values",
        source.at,
      );
    const value = readValue(line, source.at);
    if (values.has(value.name)) throw new TextFsmError(`value ${value.name} is declared twice`, source.at);
    values.set(value.name, value);
  }
  return values;
}

/** The next line that names a state; undefined at the end. */
function readStateName(source: Lines, states: ReadonlyMap<string, unknown>): string | undefined {
  while (source.at < source.lines.length) {
    const line = (source.lines[source.at++] ?? "").trimEnd();
    if (line === "" || comment.test(line)) continue;
    if (!/^\w+$/u.test(line) || line.length > longestName || reserved.has(line))
      throw new TextFsmError(`"${line}" cannot be the name of a state`, source.at);
    if (states.has(line)) throw new TextFsmError(`state ${line} is there twice`, source.at);
    return line;
  }
  return undefined;
}

/** The rules up to the next empty line. */
function readRules(source: Lines, values: ReadonlyMap<string, TemplateValue>): TemplateRule[] {
  const rules: TemplateRule[] = [];
  while (source.at < source.lines.length) {
    const line = (source.lines[source.at++] ?? "").trimEnd();
    if (line === "") return rules;
    if (comment.test(line)) continue;
    if (!/^(?: {1,2}|\t)\^/u.test(line))
      throw new TextFsmError("a rule begins with one or two blanks, or a tab, and ^", source.at);
    rules.push(readRule(line.trim(), source.at, values));
  }
  return rules;
}

function checked(states: Map<string, TemplateRule[]>): Map<string, TemplateRule[]> {
  if (!states.has("Start")) throw new TextFsmError("there is no state Start");
  for (const name of ["End", "EOF"])
    if (states.get(name)?.length) throw new TextFsmError(`state ${name} has rules`, states.get(name)?.[0]?.line);
  for (const rule of [...states.values()].flat()) {
    if (!leadsSomewhere(rule, states)) throw new TextFsmError(`there is no state ${rule.target}`, rule.line);
  }
  return states;
}

function leadsSomewhere({ lineOperation, target }: TemplateRule, states: ReadonlyMap<string, unknown>): boolean {
  if (target === undefined || lineOperation === "Error") return true;
  return target === "End" || target === "EOF" || states.has(target);
}
