import { isWellFormed } from "./path.ts";

/** Text that an expression finds by comparing characters alone. */
export interface PlainText {
  text: string;
  /** Found only where the value begins; only where it ends; both: the whole value. */
  isAtStart: boolean;
  isAtEnd: boolean;
  /** ASCII letters are found in either case; `text` has small ones then. */
  ignoresCase: boolean;
}

const literal = String.raw`[^\\^$.*+?()[\]{}|]|\\(?:[ -/:-@[-${"`"}{-~]|[nrtfv]|u202[89])`;
const plainSource = new RegExp(`^(\\^?)((?:${literal})*)(\\$?)$`, "u");
const literalBeginning = new RegExp(`^\\^((?:${literal})*)(.?)`, "su");
const controls: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v" };

/** Letters without a case, and ASCII, whose letters have case among themselves only. */
const hasAsciiCaseOnly = /^[\p{ASCII}\P{Changes_When_Casemapped}]*$/u;

/**
 * Characters by which a store may have to write others: PostgreSQL keeps U+0000 and halves of
 * characters out of its texts (`postgres/readable-text.ts`). A text with them is left to expressions.
 */
const writesOthers = /[\u{0}-\u{2}\u{d7ff}\u{e000}-\u{e7ff}\u{10ffff}]/u;

/** What an expression without special characters looks for; undefined for every other one. */
export function plainTextOf({ source, flags }: RegExp): PlainText | undefined {
  // The source of the empty expression.
  const parts = plainSource.exec(source === "(?:)" ? "" : source);
  if (!parts) return undefined;
  const [, start, escaped = "", end] = parts;
  const [isAtStart, isAtEnd] = [start !== "", end !== ""];
  // With `m` an anchor stands for the edges of lines as well.
  if (flags.includes("m") && (isAtStart || isAtEnd)) return undefined;
  const text = unescaped(escaped);
  if (!isWellFormed(text) || writesOthers.test(text)) return undefined;
  if (!flags.includes("i")) return { text, isAtStart, isAtEnd, ignoresCase: false };
  return hasAsciiCaseOnly.test(text)
    ? { text: text.toLowerCase(), isAtStart, isAtEnd, ignoresCase: /[a-z]/iu.test(text) }
    : undefined;
}

/** Characters that every text found by the expression begins with; empty where that is not certain. */
export function certainStart({ source, flags }: RegExp): string {
  const [, escaped = "", next = ""] = literalBeginning.exec(source) ?? [];
  if (/[im]/u.test(flags) || source.includes("|")) return "";
  const characters = Array.from(unescaped(escaped));
  // What is repeated may be repeated zero times.
  const start = (/[*?{+]/u.test(next) ? characters.slice(0, -1) : characters).join("");
  return isWellFormed(start) ? start : "";
}

/** The first text after all that begin with `start`; undefined where nothing comes after them. */
export function textAfter(start: string): string | undefined {
  const characters = Array.from(start);
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0) ?? 0;
    // Between these two are the halves of characters.
    if (code < 0x10_ff_ff) return characters.join("") + String.fromCodePoint(code === 0xd7_ff ? 0xe0_00 : code + 1);
  }
  return undefined;
}

function unescaped(escaped: string): string {
  return escaped.replace(/\\(?:u(202[89])|(.))/gsu, (_, code: string | undefined, character: string) =>
    code === undefined ? (controls[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
