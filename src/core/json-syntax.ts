/** A text is not JSON. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
}

/** As deep as the engine takes values. */
const deepest = 500;

const space = /[ \t\n\r]*/y;
const plainText = /[^"\\\u0000-\u001f]*/y;
const digits = /[0-9]*/y;
const digit = /[0-9]/;
const hexDigit = /[0-9a-fA-F]/;
const simpleEscapes = '"\\/bfnrt';
const literals: Readonly<Record<string, string>> = { t: "rue", f: "alse", n: "ull" };

type InNumber = "minus" | "zero" | "whole digits" | "point" | "fraction" | "e" | "sign of e" | "exponent";

/** What may come next; within a number, what was seen of it. */
type Expected =
  | "value"
  | "value or ]"
  | "name"
  | "name or }"
  | ":"
  | ", or end"
  | "end"
  | "text"
  | "escape"
  | "literal"
  | InNumber;

type NumberMark = "0" | "1-9" | "." | "e" | "sign";

/** What a character leads to within a number. Where it leads nowhere, it is not of the number. */
const numberSteps: Readonly<Record<InNumber, Partial<Record<NumberMark, InNumber>>>> = {
  minus: { "0": "zero", "1-9": "whole digits" },
  zero: { ".": "point", e: "e" },
  "whole digits": { "0": "whole digits", "1-9": "whole digits", ".": "point", e: "e" },
  point: { "0": "fraction", "1-9": "fraction" },
  fraction: { "0": "fraction", "1-9": "fraction", e: "e" },
  e: { "0": "exponent", "1-9": "exponent", sign: "sign of e" },
  "sign of e": { "0": "exponent", "1-9": "exponent" },
  exponent: { "0": "exponent", "1-9": "exponent" },
};

/** A number may end after these. */
const numberEnds: ReadonlySet<Expected> = new Set(["zero", "whole digits", "fraction", "exponent"]);

/**
 * Checks that a text which comes in pieces is exactly one JSON value (RFC 8259), by the rules of `JSON.parse`, nested
 * at most 500 levels. It holds no more than the brackets that are open.
 */
export class JsonSyntax {
  #expected: Expected = "value";
  /** True for an object, false for an array. */
  readonly #open: boolean[] = [];
  #isName = false;
  /** The rest of a literal, and how many hexadecimal digits of an escape are missing. */
  #literal = "";
  #hexLeft = 0;
  /** Characters of the pieces before. */
  #before = 0;

  /** Takes the next piece, cut at any place. JsonSyntaxError at the first character that cannot follow. */
  write(text: string): void {
    let at = 0;
    while (at < text.length) at = this.#take(text, at);
    this.#before += text.length;
  }

  /** The text ends here. JsonSyntaxError when it is no whole value. */
  end(): void {
    if (numberEnds.has(this.#expected)) this.#endValue();
    if (this.#expected !== "end")
      throw new JsonSyntaxError(`The text ends too early, after ${this.#before} characters`);
  }

  /** Goes on from a place, and answers how far it came. */
  #take(text: string, at: number): number {
    const expected = this.#expected;
    if (expected === "text") return this.#takeText(text, at);
    if (isInNumber(expected)) return this.#takeNumber(expected, text, at);
    if (expected === "escape") return this.#takeEscape(text, at);
    if (expected === "literal") return this.#takeLiteral(text, at);
    const next = skip(space, text, at);
    if (next < text.length) this.#takeMark(expected, text, next);
    return next + 1;
  }

  /** A character outside of texts, numbers and literals. */
  #takeMark(expected: Expected, text: string, at: number): void {
    const mark = text.charAt(at);
    if (expected === ", or end") this.#takeAfterValue(text, at);
    else if (expected.includes(mark) && (mark === "]" || mark === "}")) this.#close();
    else if (expected.startsWith("name") && mark === '"') this.#beginText(true);
    else if (expected.startsWith("value")) this.#beginValue(text, at);
    else if (expected === ":" && mark === ":") this.#expected = "value";
    else this.#fail(text, at);
  }

  #takeAfterValue(text: string, at: number): void {
    const mark = text.charAt(at);
    const isObject = this.#open.at(-1) === true;
    if (mark === ",") this.#expected = isObject ? "name" : "value";
    else if (mark === (isObject ? "}" : "]")) this.#close();
    else this.#fail(text, at);
  }

  #beginValue(text: string, at: number): void {
    const mark = text.charAt(at);
    if (mark === '"') this.#beginText(false);
    else if (mark === "{" || mark === "[") this.#nest(mark === "{");
    else if (mark === "-") this.#expected = "minus";
    else if (mark === "0") this.#expected = "zero";
    else if (digit.test(mark)) this.#expected = "whole digits";
    else if (Object.hasOwn(literals, mark)) {
      this.#literal = literals[mark] ?? "";
      this.#expected = "literal";
    } else this.#fail(text, at);
  }

  #beginText(isName: boolean): void {
    this.#isName = isName;
    this.#expected = "text";
  }

  #nest(isObject: boolean): void {
    if (this.#open.length === deepest) throw new JsonSyntaxError(`The text is nested deeper than ${deepest} levels`);
    this.#open.push(isObject);
    this.#expected = isObject ? "name or }" : "value or ]";
  }

  #close(): void {
    this.#open.pop();
    this.#endValue();
  }

  #endValue(): void {
    this.#expected = this.#open.length === 0 ? "end" : ", or end";
  }

  #takeText(text: string, at: number): number {
    const end = skip(plainText, text, at);
    if (end === text.length) return end;
    const mark = text.charAt(end);
    if (mark === "\\") this.#expected = "escape";
    else if (mark !== '"') this.#fail(text, end);
    else if (this.#isName) this.#expected = ":";
    else this.#endValue();
    return end + 1;
  }

  #takeEscape(text: string, at: number): number {
    const mark = text.charAt(at);
    const isTaken = this.#hexLeft > 0 ? hexDigit.test(mark) : mark === "u" || simpleEscapes.includes(mark);
    if (!isTaken) this.#fail(text, at);
    if (this.#hexLeft > 0) this.#hexLeft -= 1;
    else if (mark === "u") this.#hexLeft = 4;
    if (this.#hexLeft === 0) this.#expected = "text";
    return at + 1;
  }

  #takeLiteral(text: string, at: number): number {
    if (text.charAt(at) !== this.#literal.charAt(0)) this.#fail(text, at);
    this.#literal = this.#literal.slice(1);
    if (this.#literal === "") this.#endValue();
    return at + 1;
  }

  #takeNumber(seen: InNumber, text: string, at: number): number {
    const mark = numberMark(text.charAt(at));
    const next = mark && numberSteps[seen][mark];
    if (next) {
      this.#expected = next;
      return numberSteps[next]["0"] === next ? skip(digits, text, at + 1) : at + 1;
    }
    if (!numberEnds.has(seen)) this.#fail(text, at);
    this.#endValue();
    return at;
  }

  #fail(text: string, at: number): never {
    const found = JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
    throw new JsonSyntaxError(`The text is not JSON: ${found} after ${this.#before + at} characters`);
  }
}

/** Where the longest run of such characters from a place ends. */
function skip(run: RegExp, text: string, at: number): number {
  run.lastIndex = at;
  run.test(text);
  return run.lastIndex;
}

function isInNumber(expected: Expected): expected is InNumber {
  return Object.hasOwn(numberSteps, expected);
}

function numberMark(mark: string): NumberMark | undefined {
  if (mark === "0" || mark === ".") return mark;
  if (digit.test(mark)) return "1-9";
  if (mark === "e" || mark === "E") return "e";
  return mark === "+" || mark === "-" ? "sign" : undefined;
}
