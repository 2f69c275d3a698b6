/** A pattern that cannot be used. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/** A pattern that is being read, from left to right. */
export class PatternSource {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** What has not been read yet. */
  get rest(): string {
    return this.text.slice(this.#at);
  }

  /** The next whole character. */
  next(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  /** Takes what the expression (sticky) finds here. */
  take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.text) ?? undefined;
    if (found) this.#at += found[0].length;
    return found;
  }

  skip(length: number): void {
    this.#at += length;
  }
}
