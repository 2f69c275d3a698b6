import { wordsOf } from "./white-space.ts";

const names: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  laquo: "«",
  raquo: "»",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  euro: "€",
  pound: "£",
  cent: "¢",
  yen: "¥",
  sect: "§",
  deg: "°",
  plusmn: "±",
  times: "×",
  divide: "÷",
  micro: "µ",
  para: "¶",
  trade: "™",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
};

/** HTML's numeric entities and its common named ones as the characters they stand for. */
export function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d+);?|#[xX]([0-9a-fA-F]+);?|([a-zA-Z]+);|(amp|lt|gt|quot|nbsp|copy|reg))/gu,
    (whole, ...groups) => {
      const [decimal, hex, named, bare] = groups as (string | undefined)[];
      const name = named ?? bare;
      if (name !== undefined) return names[name] ?? whole;
      return characterOf(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal));
    },
  );
}

function characterOf(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  return String.fromCodePoint(code);
}

/** Text without comments and tags, white space as single blanks, entities as characters. */
export function stripTags(text: string): string {
  const bare = without(without(text, "<!--", "-->"), "<", ">");
  return unescapeHtml(wordsOf(bare, -1).join(" "));
}

/** Cuts out everything from an opening mark to the next closing one. */
function without(text: string, open: string, close: string): string {
  let result = "";
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start === -1 ? -1 : text.indexOf(close, start);
    if (end === -1) return result + text.slice(at);
    result += text.slice(at, start);
    at = end + close.length;
  }
}
