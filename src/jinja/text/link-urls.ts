import { escapeText } from "../values/markup.ts";
import { spaceClass } from "./white-space.ts";

export interface LinkOptions {
  /** Addresses are shown with at most so many characters. */
  trimLimit: number | undefined;
  rel: string;
  target: string | undefined;
  /** Further beginnings of addresses, like `tel:`. */
  schemes: readonly string[];
}

const word = "[\\p{L}\\p{N}_]";
const http = new RegExp(
  `^(?:(?:https?://|www\\.)(?:(?:[\\p{L}\\p{N}_%-]+\\.)+)?(?:[a-z]{2,63}|xn--[\\p{L}\\p{N}_%]{2,59})` +
    `|(?:[\\p{L}\\p{N}_%-]{2,63}\\.)+(?:com|net|int|edu|gov|org|info|mil)` +
    `|https?://(?:\\d{1,3}(?:\\.\\d{1,3}){3}|\\[(?:[\\da-f]{0,4}:){2}(?:[\\da-f]{0,4}:?){1,6}\\]))` +
    `(?::\\d{1,5})?(?:[/?#][^${spaceClass}]*)?$`,
  "iu",
);
const email = new RegExp(`^[^${spaceClass}]+@${word}[\\p{L}\\p{N}_.-]*\\.${word}+$`, "u");
const pairs = [
  ["(", ")"],
  ["<", ">"],
  ["&lt;", "&gt;"],
] as const;

/** Escaped text with its web and mail addresses as links. */
export function linkUrls(text: string, options: LinkOptions): string {
  const attributes =
    (options.rel === "" ? "" : ` rel="${escapeText(options.rel)}"`) +
    (options.target === undefined ? "" : ` target="${escapeText(options.target)}"`);
  return text
    .split(new RegExp(`([${spaceClass}]+)`, "u"))
    .map((part) => linkWord(part, attributes, options))
    .join("");
}

function linkWord(part: string, attributes: string, options: LinkOptions): string {
  const head = /^(?:[(<]|&lt;)+/u.exec(part)?.[0] ?? "";
  const rest = part.slice(head.length);
  const tailStart = startOfTail(rest);
  const { middle, end } = balanced(rest.slice(0, tailStart), rest.slice(tailStart));
  return head + linked(middle, attributes, options) + end;
}

/** Where the punctuation at the end of a word begins. */
function startOfTail(text: string): number {
  let start = text.length;
  for (;;) {
    if (start > 0 && ")>.,\n".includes(text.charAt(start - 1))) start -= 1;
    else if (text.endsWith("&gt;", start)) start -= 4;
    else return start;
  }
}

/** An address keeps the closing brackets that it opened itself. */
function balanced(text: string, tail: string): { middle: string; end: string } {
  let middle = text;
  let end = tail;
  for (const [open, close] of pairs) {
    const opened = count(middle, open);
    if (opened <= count(middle, close)) continue;
    for (let left = Math.min(opened, count(end, close)); left > 0; left--) {
      const cut = end.indexOf(close) + close.length;
      middle += end.slice(0, cut);
      end = end.slice(cut);
    }
  }
  return { middle, end };
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

function linked(text: string, attributes: string, { trimLimit, schemes }: LinkOptions): string {
  if (http.test(text)) {
    const shown = trimLimit !== undefined && text.length > trimLimit ? `${text.slice(0, trimLimit)}...` : text;
    const address = /^https?:\/\//u.test(text) ? text : `https://${text}`;
    return `<a href="${address}"${attributes}>${shown}</a>`;
  }
  if (isMail(text)) return text.startsWith("mailto:") ? mailLink(text.slice(7)) : mailLink(text);
  let result = text;
  for (const scheme of schemes)
    if (result !== scheme && result.startsWith(scheme)) result = `<a href="${result}"${attributes}>${result}</a>`;
  return result;
}

function isMail(text: string): boolean {
  if (text.startsWith("mailto:")) return email.test(text.slice(7));
  return text.includes("@") && !/^(?:www\.|@)/u.test(text) && !text.includes(":") && email.test(text);
}

function mailLink(address: string): string {
  return `<a href="mailto:${address}">${address}</a>`;
}
