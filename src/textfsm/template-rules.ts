import { compilePattern } from "./compile-pattern.ts";
import type { TemplateValue } from "./template-values.ts";
import { TextFsmError } from "./textfsm-error.ts";

/** A rule of a state: when its pattern matches a line, what is done with it. */
export interface TemplateRule {
  /** Of the template, from 1. */
  line: number;
  pattern: RegExp;
  lineOperation: "Continue" | "Error" | "Next";
  recordOperation: "Clear" | "Clearall" | "NoRecord" | "Record";
  /** State to go to; for `Error` its message. Absent: it stays. */
  target?: string;
}

// Several arrows: the last one that may begin an action counts.
const withAction = /^(?<match>.*)\s->(?<action>.*)$/su;
const lineOperations = "Continue|Next|Error";
const recordOperations = "Clearall|Clear|Record|NoRecord";
const actions = [
  new RegExp(
    String.raw`^\s+(?<line>${lineOperations})(?:\.(?<record>${recordOperations}))?(?:\s+(?<target>\w+|".*"))?$`,
    "u",
  ),
  new RegExp(String.raw`^\s+(?<record>${recordOperations})(?:\s+(?<target>\w+|".*"))?$`, "u"),
  /^(?:\s+(?<target>\w+|".*"))?$/u,
];

/** Reads a rule `^pattern [-> action]`. TextFsmError with its line. */
export function readRule(text: string, line: number, values: ReadonlyMap<string, TemplateValue>): TemplateRule {
  const split = withAction.exec(text)?.groups;
  const pattern = compilePattern(fill(split?.["match"] ?? text, line, values), line);
  return { line, pattern, ...readAction(split?.["action"] ?? "", line) };
}

function readAction(text: string, line: number): Omit<TemplateRule, "line" | "pattern"> {
  const found = actions.map((action) => action.exec(text)).find((match) => match !== null);
  if (!found) throw new TextFsmError(`"${text.trim()}" is no action`, line);
  const { line: lineOperation = "Next", record = "NoRecord", target } = found.groups ?? {};
  if (lineOperation === "Continue" && target !== undefined)
    throw new TextFsmError(`Continue cannot go to a state: ${target}`, line);
  if (lineOperation !== "Error" && target?.startsWith('"'))
    throw new TextFsmError(`${target} cannot be the name of a state`, line);
  return {
    lineOperation: lineOperation as TemplateRule["lineOperation"],
    recordOperation: record as TemplateRule["recordOperation"],
    ...(target === undefined ? {} : { target }),
  };
}

/** Puts the patterns of values in the place of `$NAME` and `${NAME}`; `$$` is the end of the line. */
function fill(pattern: string, line: number, values: ReadonlyMap<string, TemplateValue>): string {
  return pattern.replaceAll(/\$(?:(\$)|([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|)/gu, (_all, dollar, plain, braced) => {
    if (dollar !== undefined) return "$";
    const name = (plain ?? braced) as string | undefined;
    if (name === undefined)
      throw new TextFsmError("a single $ begins the name of a value; the end of a line is $$", line);
    const value = values.get(name);
    if (!value) throw new TextFsmError(`there is no value "${name}"`, line);
    return value.pattern.replace(/^\(/u, `(?P<${name}>`);
  });
}
