/** What the lexer makes of a template. Operators are tokens of the operator itself. */
export type TokenKind =
  | "data"
  | "variable_begin"
  | "variable_end"
  | "block_begin"
  | "block_end"
  | "name"
  | "string"
  | "integer"
  | "float"
  | "eof"
  | Operator;

export const operators = [
  "**",
  "//",
  "==",
  "!=",
  ">=",
  "<=",
  "+",
  "-",
  "/",
  "*",
  "%",
  "~",
  "[",
  "]",
  "(",
  ")",
  "{",
  "}",
  ">",
  "<",
  "=",
  ".",
  ":",
  "|",
  ",",
  ";",
] as const;

export type Operator = (typeof operators)[number];

export interface Token {
  kind: TokenKind;
  /** The characters; of a string its value. */
  text: string;
  line: number;
}

const names: Partial<Record<TokenKind, string>> = {
  data: "template data / text",
  variable_begin: "begin of print statement",
  variable_end: "end of print statement",
  block_begin: "begin of statement block",
  block_end: "end of statement block",
  eof: "end of template",
};

/** A token as messages show it. */
export function describeToken(token: Token): string {
  return token.kind === "name" ? token.text : describeKind(token.kind);
}

/** A kind of token as messages show it. */
export function describeKind(kind: TokenKind): string {
  return names[kind] ?? kind;
}
