import { TaskError } from "../core/task.ts";
import type { ExcelOptions } from "./excel-rows.ts";

const members: Readonly<Record<keyof ExcelOptions, { expected: string; accepts: (value: unknown) => boolean }>> = {
  headersIncluded: { expected: "true or false", accepts: (value) => typeof value === "boolean" },
  headerRow: { expected: "an array of texts", accepts: isTexts },
  sheets: { expected: "an array of texts", accepts: isTexts },
};

/** The options of a task, where null and "" mean "not given". TaskError that names a member which is not one, or wrong. */
export function readExcelOptions(given: Readonly<Record<string, unknown>>): ExcelOptions {
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(members, name))
      throw new TaskError(`options has no member "${name.slice(0, 100)}"; it has ${Object.keys(members).join(", ")}`);
    if (value === null || value === "") continue;
    const { expected, accepts } = members[name as keyof ExcelOptions];
    if (!accepts(value)) throw new TaskError(`options.${name} must be ${expected}`);
    options[name] = value;
  }
  return options;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}
