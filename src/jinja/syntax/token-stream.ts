import { JinjaError, syntaxError } from "../errors.ts";
import type { Tokens } from "./lexer.ts";
import { describeKind, describeToken, type Token, type TokenKind } from "./token.ts";

/** Tokens with a place in them. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #error: Error | undefined;
  readonly #end: Token;
  #at = 0;
  #depth = 0;
  readonly #nesting: number;
  /** The token that is next. */
  current: Token;

  /** `nesting`: how deep expressions and statements may be in each other. */
  constructor({ tokens, error }: Tokens, nesting: number) {
    this.#tokens = tokens;
    this.#error = error;
    this.#end = tokens.at(-1) ?? { kind: "eof", text: "", line: 1 };
    this.#nesting = nesting;
    this.current = this.#tokenAt(0);
  }

  get following(): Token {
    return this.#tokenAt(this.#at + 1);
  }

  #tokenAt(index: number): Token {
    const token = this.#tokens[index];
    if (token) return token;
    if (this.#error) throw this.#error;
    return this.#end;
  }

  /** Goes on by one and gives the token that was current. */
  next(): Token {
    const token = this.current;
    this.#at += 1;
    // What is wrong with the next token shows as soon as this one is passed.
    if (token.kind !== "eof") this.current = this.#tokenAt(this.#at);
    return token;
  }

  is(kind: TokenKind): boolean {
    return this.current.kind === kind;
  }

  isName(name: string): boolean {
    return this.current.kind === "name" && this.current.text === name;
  }

  isOneOf(names: readonly string[]): boolean {
    return this.current.kind === "name" && names.includes(this.current.text);
  }

  skip(kind: TokenKind): boolean {
    if (!this.is(kind)) return false;
    this.next();
    return true;
  }

  skipName(name: string): boolean {
    if (!this.isName(name)) return false;
    this.next();
    return true;
  }

  expect(kind: TokenKind): Token {
    if (this.is(kind)) return this.next();
    throw this.#unexpected(describeKind(kind));
  }

  expectName(name: string): Token {
    if (this.isName(name)) return this.next();
    throw this.#unexpected(name);
  }

  /** Reads something that lies inside something else. LimitError when it is too deep. */
  inside<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.#nesting)
      throw new JinjaError(
        "LimitError",
        `more than ${this.#nesting} expressions and statements are in each other`,
        this.current.line,
      );
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #unexpected(expected: string): Error {
    const { current } = this;
    if (current.kind === "eof") return syntaxError(`unexpected end of template, expected '${expected}'.`, current.line);
    return syntaxError(`expected token '${expected}', got '${describeToken(current)}'`, current.line);
  }
}
