import { TaskError } from "../core/task.ts";
import { checkTextLength } from "./limits.ts";

export type OutputType = "string" | "json" | "number" | "boolean";

/** The text with every `<!name!>` replaced by the variable of that name, what is no text as JSON; unknown names stay. */
export function fillPlaceholders(input: string, variables: Readonly<Record<string, unknown>>): string {
  const pieces = input.split(/(<![^<>!]*!>)/u);
  let length = 0;
  const filled = pieces.map((piece) => {
    const value = readPlaceholder(piece, variables);
    length += value.length;
    checkTextLength(length);
    return value;
  });
  return filled.join("");
}

function readPlaceholder(piece: string, variables: Readonly<Record<string, unknown>>): string {
  if (!piece.startsWith("<!") || !piece.endsWith("!>")) return piece;
  const name = [piece.slice(2, -2), piece.slice(2, -2).trim()].find((spelling) => Object.hasOwn(variables, spelling));
  const value = name === undefined ? undefined : variables[name];
  if (value === undefined) return piece;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Reads the text as the asked type. What does not read as it: TaskError. */
export function convertText(text: string, outputType: OutputType): unknown {
  const trimmed = text.trim();
  if (outputType === "json") return parseJson(text);
  if (outputType === "number") {
    const number = trimmed === "" ? Number.NaN : Number(trimmed);
    if (Number.isNaN(number)) throw new TaskError(`makeData: "${excerpt(text)}" is not a number`);
    return number;
  }
  if (outputType === "string") return text;
  if (trimmed !== "true" && trimmed !== "false")
    throw new TaskError(`makeData: "${excerpt(text)}" is neither true nor false`);
  return trimmed === "true";
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (thrown) {
    throw new TaskError(`makeData: the text is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function excerpt(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
