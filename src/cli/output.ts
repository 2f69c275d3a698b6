import pc from "picocolors";

/** Where a command writes to. */
export interface Output {
  /** True: one JSON value per line and nothing else. */
  isJson: boolean;
  /** True: a person watches a terminal; lines may be redrawn. */
  isTerminal: boolean;
  write(text: string): void;
  writeError(text: string): void;
}

/** Output of a process. */
export function processOutput(isJson: boolean): Output {
  return {
    isJson,
    isTerminal: !isJson && process.stdout.isTTY,
    write: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
  };
}

/** A line for people; nothing in JSON mode. */
export function say(output: Output, line = ""): void {
  if (!output.isJson) output.write(`${line}\n`);
}

/** The result of a command: JSON in JSON mode, otherwise as `text` shows it. */
export function showResult<T>(output: Output, value: T, text: (value: T) => string): void {
  output.write(output.isJson ? `${JSON.stringify(value)}\n` : `${text(value)}\n`);
}

/** Rows as aligned columns under a heading. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heading.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [pc.bold(line(heading)), ...rows.map(line)].join("\n");
}
