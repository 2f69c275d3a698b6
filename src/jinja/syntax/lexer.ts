import { JinjaError, syntaxError } from "../errors.ts";
import type { Budget } from "../limits.ts";
import { leastBits } from "./integer-literal.ts";
import { readStringLiteral } from "./string-literal.ts";
import { operators, type Operator, type Token, type TokenKind } from "./token.ts";

/** How white space around tags is treated. */
export interface LexerOptions {
  /** The line break after a statement or comment goes. Default false. */
  trimBlocks?: boolean;
  /** White space before a statement or comment goes, when it begins its line. Default false. */
  lstripBlocks?: boolean;
  /** The last line break of the template stays. Default false. */
  keepTrailingNewline?: boolean;
}

/** Python's white space as a class of a regular expression. */
const space = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";

const openTag = /\{[{%#]/gu;
const spaces = new RegExp(`${space}+`, "uy");
const oneSpace = new RegExp(space, "u");
const floatNumber = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iuy;
const wholeNumber = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iuy;
const plainName = /[A-Za-z_]\w*(?![\w\x80-\uffff])/y;
const name = /[\p{L}\p{Nl}_\p{M}\p{Nd}\p{Pc}]+/uy;
const validName = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}_\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u;
const quoted = /'([^'\\]*(?:\\[^][^'\\]*)*)'|"([^"\\]*(?:\\[^][^"\\]*)*)"/uy;
const beginRaw = new RegExp(`\\{%[-+]?${space}*raw${space}*(?:-%\\}${space}*|%\\})`, "uy");
const closing: ReadonlyMap<string, string> = new Map([
  ["{", "}"],
  ["(", ")"],
  ["[", "]"],
]);
const closers: ReadonlySet<string> = new Set(closing.values());
const longOperators: ReadonlySet<string> = new Set(operators.filter(({ length }) => length === 2));
const shortOperators: ReadonlySet<string> = new Set(operators.filter(({ length }) => length === 1));

/** What ends tags; after statements and comments with or without the line break that follows. */
function endsOf(lineBreak: string) {
  return {
    variable: new RegExp(`-\\}\\}${space}*|\\}\\}`, "uy"),
    block: new RegExp(`\\+%\\}|-%\\}${space}*|%\\}${lineBreak}`, "uy"),
    comment: new RegExp(`\\+#\\}|-#\\}${space}*|#\\}${lineBreak}`, "gu"),
    raw: new RegExp(`\\{%([-+]?)${space}*endraw${space}*(?:\\+%\\}|-%\\}${space}*|%\\}${lineBreak})`, "gu"),
  };
}

const [ends, trimmingEnds] = [endsOf(""), endsOf("\\n?")];

/** The tokens of a template, and what is wrong after the last of them: it counts only when somebody reads so far. */
export interface Tokens {
  tokens: readonly Token[];
  error?: Error;
}

/** Cuts a template into tokens, as many as the budget has room for. */
export function tokenize(source: string, options: LexerOptions, budget: Budget): Tokens {
  return new Lexer(withoutLastBreak(source, options), options, budget).run();
}

function withoutLastBreak(source: string, { keepTrailingNewline = false }: LexerOptions): string {
  const text = source.replace(/\r\n|\r/gu, "\n");
  return !keepTrailingNewline && text.endsWith("\n") ? text.slice(0, -1) : text;
}

class Lexer {
  readonly #text: string;
  readonly #options: LexerOptions;
  readonly #ends: ReturnType<typeof endsOf>;
  readonly #budget: Budget;
  readonly #tokens: Token[] = [];
  readonly #open: string[] = [];
  #at = 0;
  #line = 1;

  constructor(text: string, options: LexerOptions, budget: Budget) {
    this.#text = text;
    this.#budget = budget;
    this.#options = options;
    this.#ends = options.trimBlocks ? trimmingEnds : ends;
  }

  run(): Tokens {
    try {
      while (this.#at < this.#text.length) this.#data();
    } catch (error) {
      if (!(error instanceof JinjaError)) throw error;
      error.line ??= this.#line;
      return { tokens: this.#tokens, error };
    }
    this.#tokens.push({ kind: "eof", text: "", line: this.#line });
    return { tokens: this.#tokens };
  }

  /** Text up to the next tag, and the tag. */
  #data(): void {
    openTag.lastIndex = this.#at;
    const found = openTag.exec(this.#text);
    if (!found) {
      this.#push("data", this.#text.slice(this.#at));
      this.#at = this.#text.length;
      return;
    }
    const start = found.index;
    const sign = this.#signAt(start + 2);
    this.#pushText(start, found[0], sign);
    this.#at = start;
    if (found[0] === "{%" && this.#raw(sign)) return;
    this.#move(start + 2 + sign.length);
    if (found[0] === "{#") this.#comment();
    else this.#tag(found[0] === "{%" ? "block" : "variable");
  }

  #signAt(at: number): string {
    const sign = this.#text[at] ?? "";
    return sign === "-" || sign === "+" ? sign : "";
  }

  #pushText(end: number, tag: string, sign: string): void {
    const text = this.#text.slice(this.#at, end);
    const kept = this.#stripped(text, tag, sign);
    if (kept !== "") this.#push("data", kept);
    if (kept !== text) this.#line += breaksIn(text) - breaksIn(kept);
  }

  #stripped(text: string, tag: string, sign: string): string {
    if (sign === "-") return text.slice(0, endOfDark(text, 0));
    if (sign === "+" || !this.#options.lstripBlocks || tag === "{{") return text;
    const lineStart = text.lastIndexOf("\n") + 1;
    const beginsLine = lineStart > 0 || this.#at === 0 || this.#text[this.#at - 1] === "\n";
    return beginsLine && endOfDark(text, lineStart) === lineStart ? text.slice(0, lineStart) : text;
  }

  #raw(sign: string): boolean {
    if (this.#match(beginRaw) === undefined) return false;
    this.#move(beginRaw.lastIndex);
    const { raw } = this.#ends;
    const closed = this.#search(raw);
    if (!closed) throw syntaxError("Missing end of raw directive", this.#line);
    this.#pushText(closed.index, "{%", closed[1] ?? sign);
    this.#at = closed.index;
    this.#move(raw.lastIndex);
    return true;
  }

  #comment(): void {
    this.#budget.chargeToken();
    const { comment } = this.#ends;
    if (!this.#search(comment)) throw syntaxError("Missing end of comment tag", this.#line);
    this.#move(comment.lastIndex);
  }

  #tag(kind: "block" | "variable"): void {
    this.#push(`${kind}_begin`, "");
    const end = this.#ends[kind];
    this.#open.length = 0;
    while (this.#at < this.#text.length) {
      this.#spaces();
      end.lastIndex = this.#at;
      if (this.#open.length === 0 && end.test(this.#text)) {
        this.#push(`${kind}_end`, "");
        this.#move(end.lastIndex);
        return;
      }
      if (this.#at < this.#text.length) this.#token();
    }
  }

  #spaces(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code > 0x20 && code < 0x80) return;
    if (this.#match(spaces) !== undefined) this.#move(spaces.lastIndex);
  }

  /** A token that is no white space: what it can be follows from its first character. */
  #token(): void {
    const code = this.#text.charCodeAt(this.#at);
    const isTaken =
      code >= 0x30 && code <= 0x39
        ? this.#take("float", floatNumber) || this.#take("integer", wholeNumber)
        : code === 0x22 || code === 0x27
          ? this.#take("string", quoted)
          : this.#take("name", plainName) || this.#take("name", name);
    if (!isTaken) this.#operator();
  }

  #take(kind: TokenKind, pattern: RegExp): boolean {
    const text = this.#match(pattern);
    if (text === undefined) return false;
    this.#push(kind, pattern === plainName ? text : this.#valueOf(kind, text));
    if (kind === "string") this.#move(pattern.lastIndex);
    else this.#at = pattern.lastIndex;
    return true;
  }

  #valueOf(kind: TokenKind, text: string): string {
    if (kind === "name" && !validName.test(text)) throw syntaxError("Invalid character in identifier", this.#line);
    if (kind === "integer") this.#budget.requireBits(leastBits(text));
    if (kind !== "string") return text;
    if (!text.includes("\\")) return text.slice(1, -1);
    const read = readStringLiteral(text.slice(1, -1));
    if ("problem" in read) throw syntaxError(read.problem, this.#line);
    return read.value;
  }

  #operator(): void {
    const operator = this.#operatorHere();
    if (operator === undefined)
      throw syntaxError(`unexpected char ${this.#shownCharacter()} at ${this.#at}`, this.#line);
    const closer = closing.get(operator);
    if (closer !== undefined) this.#open.push(closer);
    else if (closers.has(operator)) this.#close(operator);
    this.#push(operator, operator);
    this.#at += operator.length;
  }

  #operatorHere(): Operator | undefined {
    const two = this.#text.slice(this.#at, this.#at + 2);
    if (longOperators.has(two)) return two as Operator;
    const one = this.#text.charAt(this.#at);
    return shortOperators.has(one) ? (one as Operator) : undefined;
  }

  #shownCharacter(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    return character === "'" ? `"'"` : `'${character === "\\" ? "\\\\" : character}'`;
  }

  #close(operator: string): void {
    const expected = this.#open.pop();
    if (expected === undefined) throw syntaxError(`unexpected '${operator}'`, this.#line);
    if (expected !== operator) throw syntaxError(`unexpected '${operator}', expected '${expected}'`, this.#line);
  }

  /** What the pattern matches here. */
  #match(pattern: RegExp): string | undefined {
    const found = this.#search(pattern);
    return found === null ? undefined : found[0];
  }

  /** What the pattern matches from here on. */
  #search(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text);
  }

  #push(kind: TokenKind, text: string): void {
    this.#budget.chargeToken();
    this.#tokens.push({ kind, text, line: this.#line });
    if (kind === "data") this.#line += breaksIn(text);
  }

  #move(to: number): void {
    const text = this.#text;
    for (let at = this.#at; at < to; at++) if (text.charCodeAt(at) === 0x0a) this.#line += 1;
    this.#at = to;
  }
}

/** Where the white space at the end of a text begins, not before `start`. */
function endOfDark(text: string, start: number): number {
  let end = text.length;
  while (end > start && oneSpace.test(text.charAt(end - 1))) end -= 1;
  return end;
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
