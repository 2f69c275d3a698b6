/** Names of Python's and Jinja's own errors that a template can end with, and two of ours: `LimitError`, `TemplateNeeded`. */
export type ErrorKind =
  | "TemplateSyntaxError"
  | "TemplateAssertionError"
  | "TemplateNotFound"
  | "TemplatesNotFound"
  | "TemplateRuntimeError"
  | "UndefinedError"
  | "FilterArgumentError"
  | "TypeError"
  | "ValueError"
  | "KeyError"
  | "IndexError"
  | "AttributeError"
  | "ZeroDivisionError"
  | "OverflowError"
  | "AssertionError"
  | "RuntimeError"
  | "LimitError";

/** A template that cannot be read or rendered. */
export class JinjaError extends Error {
  override readonly name = "JinjaError";
  readonly kind: ErrorKind;
  /** Line of the template, from 1; unknown until the failing statement is known. */
  line: number | undefined;
  /** Name of the template the line belongs to; undefined for the one that was given as text. */
  template: string | undefined;

  constructor(kind: ErrorKind, message: string, line?: number, template?: string) {
    super(message);
    this.kind = kind;
    this.line = line;
    this.template = template;
  }
}

/** Not an error of the template: rendering needs this one, which was not handed over. It is rendered again with it. */
export class TemplateNeeded extends Error {
  override readonly name = "TemplateNeeded";
  readonly templateName: string;

  constructor(templateName: string) {
    super(`the template ${templateName} is needed`);
    this.templateName = templateName;
  }
}

export function syntaxError(message: string, line: number): JinjaError {
  return new JinjaError("TemplateSyntaxError", message, line);
}

/** A template that is well written but cannot work. */
export function assertionError(message: string, line: number): JinjaError {
  return new JinjaError("TemplateAssertionError", message, line);
}

export function typeError(message: string): JinjaError {
  return new JinjaError("TypeError", message);
}

export function valueError(message: string): JinjaError {
  return new JinjaError("ValueError", message);
}
