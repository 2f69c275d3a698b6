import { charactersIn } from "../values/text-units.ts";

/** Python's white space, as the inside of a class of a regular expression. */
export const spaceClass = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const edge = new RegExp(`^[${spaceClass}]+`, "u");
const gap = new RegExp(`[${spaceClass}]+`, "gu");
const oneSpace = new RegExp(`^[${spaceClass}]$`, "u");
const rareLineEnd = /[\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]/u;
const lineEnd = /\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]/gu;

/** The lines of a text, ended as Python's `splitlines` sees it. */
export function linesOf(text: string, keepEnds = false): string[] {
  if (!keepEnds && !rareLineEnd.test(text)) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    return lines;
  }
  const lines: string[] = [];
  let start = 0;
  for (const { index, 0: end } of text.matchAll(lineEnd)) {
    lines.push(text.slice(start, keepEnds ? index + end.length : index));
    start = index + end.length;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** The words between white space, at most `most` cuts from the left; negative: all. */
export function wordsOf(text: string, most: number): string[] {
  const trimmed = text.replace(edge, "");
  const words: string[] = [];
  let start = 0;
  for (const { index, 0: space } of trimmed.matchAll(gap)) {
    if (most >= 0 && words.length >= most) break;
    words.push(trimmed.slice(start, index));
    start = index + space.length;
  }
  const rest = trimmed.slice(start);
  if (rest !== "") words.push(rest);
  return words;
}

/** The same from the right. */
export function wordsFromRight(text: string, most: number): string[] {
  const reverse = (part: string) => charactersIn(part).reverse().join("");
  return wordsOf(reverse(text), most).map(reverse).reverse();
}

/** The text without these characters, or without white space, at its ends. */
export function strip(text: string, characters: string | null, sides: "both" | "left" | "right"): string {
  const unwanted = characters === null ? undefined : new Set(charactersIn(characters));
  const isUnwanted = (character: string) => (unwanted ? unwanted.has(character) : oneSpace.test(character));
  let start = 0;
  let end = text.length;
  if (sides !== "right") while (start < end && isUnwanted(characterAt(text, start))) start += widthAt(text, start);
  if (sides !== "left")
    while (end > start && isUnwanted(characterBefore(text, end))) end -= characterBefore(text, end).length;
  return text.slice(start, end);
}

function characterAt(text: string, at: number): string {
  return text.slice(at, at + widthAt(text, at));
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function characterBefore(text: string, end: number): string {
  return end > 1 && widthAt(text, end - 2) === 2 ? text.slice(end - 2, end) : text.charAt(end - 1);
}
