import { CollectedValue, type RecordCell } from "./record-values.ts";
import type { TextFsmTemplate } from "./read-template.ts";
import type { TemplateRule } from "./template-rules.ts";
import { TextFsmError } from "./textfsm-error.ts";

/** One record: the cells by the names of the values. */
export type TextFsmRecord = Record<string, RecordCell>;

const lineEnds = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/u;
const mostCells = 5_000_000;

/** Reads the records out of a text. TextFsmError when a rule says `Error`, or there are too many. */
export function runTemplate(template: TextFsmTemplate, text: string): TextFsmRecord[] {
  return new TemplateRun(template).read(text);
}

class TemplateRun {
  readonly #template: TextFsmTemplate;
  readonly #values: ReadonlyMap<string, CollectedValue>;
  readonly #records: TextFsmRecord[] = [];
  #state = "Start";

  constructor(template: TextFsmTemplate) {
    this.#template = template;
    this.#values = new Map(template.values.map((value) => [value.name, new CollectedValue(value)]));
  }

  read(text: string): TextFsmRecord[] {
    const lines = text.split(lineEnds);
    if (lines.at(-1) === "") lines.pop();
    for (const line of lines) {
      this.#readLine(line);
      if (this.#state === "End" || this.#state === "EOF") break;
    }
    // What is not said of the end of the text is said for it.
    if (this.#state !== "End" && !this.#template.states.has("EOF")) this.#record();
    return this.#records;
  }

  #readLine(line: string): void {
    for (const rule of this.#template.states.get(this.#state) ?? []) {
      rule.pattern.lastIndex = 0;
      const found = rule.pattern.exec(line);
      if (!found) continue;
      for (const [name, text] of Object.entries(found.groups ?? {})) this.#assign(name, text ?? null);
      if (this.#act(rule, line)) return;
    }
  }

  #assign(name: string, text: string | null): void {
    const value = this.#values.get(name);
    value?.assign(text);
    if (!value?.fillsUp || text === null) return;
    for (let index = this.#records.length - 1; index >= 0; index--) {
      const record = this.#records[index];
      if (!record || (record[name] ?? "").length > 0) return;
      record[name] = text;
    }
  }

  /** True when the line is done with. */
  #act({ line, lineOperation, recordOperation, target }: TemplateRule, text: string): boolean {
    if (recordOperation === "Record") this.#record();
    else if (recordOperation === "Clear") this.#clear();
    else if (recordOperation === "Clearall") for (const value of this.#values.values()) value.clearAll();
    if (lineOperation === "Error")
      throw new TextFsmError(
        `${target?.replaceAll('"', "") ?? "the template ends in error"} (for "${text.slice(0, 200)}")`,
        line,
      );
    if (lineOperation === "Continue") return false;
    if (target !== undefined) this.#state = target;
    return true;
  }

  #clear(): void {
    for (const value of this.#values.values()) value.clear();
  }

  #record(): void {
    const values = [...this.#values];
    for (const [, value] of values) if (!value.save()) return this.#clear();
    if (values.every(([, { value }]) => value === null || (Array.isArray(value) && value.length === 0))) return;
    if ((this.#records.length + 1) * values.length > mostCells)
      throw new TextFsmError(`there are more than ${mostCells} cells`);
    this.#records.push(Object.fromEntries(values.map(([name, { value }]) => [name, value ?? ""])));
    this.#clear();
  }
}
