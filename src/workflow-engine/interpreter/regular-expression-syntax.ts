import { TaskError } from "../../core/task.ts";

/** Tells whether one character, or code point under the flag `u`, belongs to a set. */
export type CharacterTest = (character: string) => boolean;

/** The parts of a regular expression of ECMAScript (ECMA-262 §22.2.1 and annex B). */
export type PatternNode =
  | { node: "sequence"; parts: readonly PatternNode[] }
  | { node: "choice"; parts: readonly PatternNode[] }
  | { node: "character"; test: CharacterTest }
  | { node: "start" | "end" | "boundary" | "inside" }
  | { node: "group"; index: number; body: PatternNode }
  | { node: "look"; isBehind: boolean; isNegated: boolean; body: PatternNode }
  | { node: "repeat"; min: number; max: number; isLazy: boolean; body: PatternNode; groups: readonly [number, number] }
  | { node: "back"; index: number };

export interface Pattern {
  body: PatternNode;
  /** How many groups capture, not counting the whole match. */
  groupCount: number;
  names: ReadonlyMap<string, number>;
}

const longestPattern = 5000;
const deepestPattern = 200;

/** Reads a pattern that the platform's own RegExp has accepted. Over the limits or with unsupported flags: TaskError. */
export function parsePattern(source: string, flags: string): Pattern {
  if (source.length > longestPattern)
    throw new TaskError(`The regular expression is longer than ${longestPattern} characters`);
  const parser = new PatternParser(source, flags);
  return { body: parser.readChoice(0), groupCount: parser.groupCount, names: parser.names };
}

/** A test for one atom of the pattern. RegExp itself judges it, on a single character, which takes constant time. */
export function characterTest(atom: string, flags: string): CharacterTest {
  const expression = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[^isu]/gu, ""));
  const known = new Map<string, boolean>();
  return (character) => {
    let answer = known.get(character);
    if (answer === undefined) {
      answer = expression.test(character);
      if (known.size < 1000) known.set(character, answer);
    }
    return answer;
  };
}

const escapes = /\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|[0-3][0-7]{0,2}|[4-7][0-7]?|[^])/iy;
const unicodeEscapes =
  /\\(?:x[\da-f]{2}|u\{[\da-f]+\}|ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}|u[\da-f]{4}|c[a-z]|p\{[^}]*\}|[^])/iy;
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})(\??)/y;
const groupHead = /\((?:\?(?::|<?[=!]|<([^=!>][^>]*)>))?/y;

class PatternParser {
  readonly #source: string;
  readonly #flags: string;
  readonly #isUnicode: boolean;
  readonly names: ReadonlyMap<string, number>;
  readonly groupCount: number;
  #groupsOpened = 0;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
    this.#isUnicode = flags.includes("u");
    const heads = captureHeads(source);
    this.groupCount = heads.length;
    this.names = new Map(heads.flatMap((name, index) => (name === "" ? [] : [[name, index + 1] as const])));
  }

  readChoice(depth: number): PatternNode {
    if (depth > deepestPattern)
      throw new TaskError(`The regular expression is nested deeper than ${deepestPattern} groups`);
    const parts = [this.#readSequence(depth)];
    while (this.#source[this.#at] === "|") {
      this.#at++;
      parts.push(this.#readSequence(depth));
    }
    return parts.length === 1 && parts[0] ? parts[0] : { node: "choice", parts };
  }

  #readSequence(depth: number): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? "")) {
      const firstGroup = this.#groupsOpened + 1;
      parts.push(this.#quantified(this.#readAtom(depth), firstGroup));
    }
    return { node: "sequence", parts };
  }

  #quantified(body: PatternNode, firstGroup: number): PatternNode {
    const found = this.#take(quantifier);
    if (!found) return body;
    const [, sign, least, comma, most, lazy] = found;
    const min = sign === undefined ? Number(least) : sign === "+" ? 1 : 0;
    const exact = comma === undefined ? min : most === "" ? Infinity : Number(most);
    const max = sign === undefined ? exact : sign === "?" ? 1 : Infinity;
    return { node: "repeat", min, max, isLazy: lazy === "?", body, groups: [firstGroup, this.#groupsOpened] };
  }

  #readAtom(depth: number): PatternNode {
    const character = this.#source[this.#at] ?? "";
    if (character === "(") return this.#readGroup(depth);
    if (character === "\\") return this.#readEscape();
    if (character === "[") return this.#character(this.#classText());
    if (character === "^" || character === "$") {
      this.#at++;
      return { node: character === "^" ? "start" : "end" };
    }
    return this.#readLiteral(character);
  }

  #readLiteral(unit: string): PatternNode {
    if (unit === ".") return this.#character(unit);
    const point = this.#isUnicode ? String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0) : unit;
    this.#at += point.length;
    return this.#literal(point);
  }

  #literal(point: string): PatternNode {
    if (!this.#flags.includes("i")) return { node: "character", test: (character) => character === point };
    const escaped = /[\\^$.*+?()[\]{}|/]/u.test(point) ? `\\${point}` : point;
    return { node: "character", test: characterTest(escaped, this.#flags) };
  }

  #character(atom: string): PatternNode {
    this.#at += atom.length;
    return { node: "character", test: characterTest(atom, this.#flags) };
  }

  /** Class from `[` to its `]`; a `]` that is not escaped always closes. */
  #classText(): string {
    let end = this.#at + 1;
    while (this.#source[end] !== "]") end += this.#source[end] === "\\" ? 2 : 1;
    return this.#source.slice(this.#at, end + 1);
  }

  #readGroup(depth: number): PatternNode {
    const [head, name] = this.#take(groupHead) ?? ["("];
    const isCapture = head === "(" || name !== undefined;
    if (isCapture) this.#groupsOpened++;
    const index = this.#groupsOpened;
    if (head === "(" && this.#source[this.#at] === "?")
      throw new TaskError("The regular expression uses a kind of group that is not supported");
    const body = this.readChoice(depth + 1);
    this.#at++;
    if (isCapture) return { node: "group", index, body };
    if (head === "(?:") return body;
    return { node: "look", isBehind: head.includes("<"), isNegated: head.endsWith("!"), body };
  }

  #readEscape(): PatternNode {
    const next = this.#source[this.#at + 1] ?? "";
    if (next === "b" || next === "B") {
      this.#at += 2;
      return { node: next === "b" ? "boundary" : "inside" };
    }
    const back = this.#readBackReference();
    if (back) return back;
    // `\c` without a letter is a plain backslash (annex B).
    if (/^\\c(?![a-z])/iu.test(this.#source.slice(this.#at, this.#at + 3))) {
      this.#at++;
      return this.#literal("\\");
    }
    return this.#character(this.#peek(this.#isUnicode ? unicodeEscapes : escapes)?.[0] ?? "");
  }

  #readBackReference(): PatternNode | undefined {
    const numbered = this.#peek(/\\([1-9]\d*)/y);
    if (numbered && Number(numbered[1]) <= this.groupCount) {
      this.#at += numbered[0].length;
      return { node: "back", index: Number(numbered[1]) };
    }
    const named = this.#peek(/\\k<([^>]+)>/y);
    if (!named || this.names.size === 0) return undefined;
    this.#at += named[0].length;
    return { node: "back", index: this.names.get(named[1] ?? "") ?? 0 };
  }

  #peek(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at;
    return form.exec(this.#source);
  }

  #take(form: RegExp): RegExpExecArray | null {
    const found = this.#peek(form);
    if (found) this.#at += found[0].length;
    return found;
  }
}

/** Opening of every capturing group: its name or "". Escapes and classes are passed over. */
function captureHeads(source: string): string[] {
  const heads = source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?<([^=!>][^>]*)>|(?!\?))/gu);
  return [...heads].filter(([text]) => text.startsWith("(")).map(([, name]) => name ?? "");
}
