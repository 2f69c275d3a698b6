/** A template that cannot be used, or one that ends the parsing of a text with `Error`. */
export class TextFsmError extends Error {
  override readonly name = "TextFsmError";
  /** Line of the template, from 1; absent when no single line is wrong. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(line === undefined ? message : `Line ${line}: ${message}`);
    this.line = line;
  }
}
