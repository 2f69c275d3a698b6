import { valueError } from "../errors.ts";

export interface WrapOptions {
  /** Most characters of a line. */
  width: number;
  /** Are words that are longer than a line cut? */
  breaksLongWords: boolean;
  /** May words be cut after their hyphens? */
  breaksOnHyphens: boolean;
}

const space = "[\\t\\n\\v\\f\\r ]";
const dark = "[^\\t\\n\\v\\f\\r ]";
const wordCharacter = "[\\p{L}\\p{N}_]";
const letter = "[\\p{L}_]";
const punctuated = "[\\p{L}\\p{N}_!\"'&.,?]";

/** Python's `textwrap.wrap` without tabs and replaced white space: the lines of one paragraph. */
export function wrapText(text: string, options: WrapOptions): string[] {
  if (options.width <= 0) throw valueError(`invalid width ${options.width} (must be > 0)`);
  const chunks = chunksOf(text, options.breaksOnHyphens).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    if (isBlank(chunks.at(-1)) && lines.length > 0) chunks.pop();
    const line = nextLine(chunks, options);
    if (isBlank(line.at(-1))) line.pop();
    if (line.length > 0) lines.push(line.join(""));
  }
  return lines;
}

function isBlank(chunk: string | undefined): boolean {
  return chunk !== undefined && chunk.trim() === "";
}

/** Takes from the end of the chunks what fits into one line. */
function nextLine(chunks: string[], { width, breaksLongWords, breaksOnHyphens }: WrapOptions): string[] {
  const line: string[] = [];
  let length = 0;
  for (let chunk = chunks.at(-1); chunk !== undefined && length + chunk.length <= width; chunk = chunks.at(-1)) {
    line.push(chunk);
    length += chunk.length;
    chunks.pop();
  }
  const next = chunks.at(-1);
  if (next === undefined || next.length <= width) return line;
  if (breaksLongWords) {
    const cut = cutPlace(next, width - length, breaksOnHyphens);
    line.push(next.slice(0, cut));
    chunks[chunks.length - 1] = next.slice(cut);
  } else if (line.length === 0) {
    chunks.pop();
    line.push(next);
  }
  return line;
}

/** Where a long word is cut: after the last hyphen that fits, else where the line is full. */
function cutPlace(word: string, room: number, breaksOnHyphens: boolean): number {
  const hyphen = breaksOnHyphens && word.length > room ? word.lastIndexOf("-", room - 1) : -1;
  const isInside = hyphen > 0 && /[^-]/u.test(word.slice(0, hyphen));
  return room > 0 && isInside ? hyphen + 1 : Math.max(room, 1);
}

function chunksOf(text: string, breaksOnHyphens: boolean): string[] {
  const hyphenated = `-(?:(?<=${letter}{2}-)|(?<=${letter}-${letter}-))(?=${letter}-?${letter})`;
  const dash = `(?<=${punctuated})(?=-{2,}${wordCharacter})`;
  const pattern = breaksOnHyphens
    ? `(${space}+|(?<=${punctuated})-{2,}(?=${wordCharacter})|${dark}+?(?:${hyphenated}|(?=${space}|$)|${dash}))`
    : `(${space}+)`;
  return text.split(new RegExp(pattern, "u")).filter((chunk) => chunk !== "" && chunk !== undefined);
}
