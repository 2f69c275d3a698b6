/**
 * Turns what a terminal receives into the text a person would see. Works line by line and in linear
 * time, whatever a device sends.
 */

// CSI, OSC, DCS/PM/APC and two-character sequences (ECMA-48).
const escapeSequence =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[ -/][0-~]|[0-~])/g;
/** What erasing sequences are replaced by until the line is laid out; none of them can come from the device any more. */
const erasures: Readonly<Record<string, string>> = {
  "\u001b[K": "\u0001",
  "\u001b[0K": "\u0001",
  "\u001b[2K": "\u0002",
};
const invisible = /[\u0000-\u0006\u000e-\u001a\u001c-\u001f\u007f]/g;
const leftOver = /[\u0001\u0002\u0007\b\r\u001b]/g;
const needsRendering = /[\u0000-\u0008\r\u000e-\u001f\u007f]/;
/** Longer lines are only stripped: laying them out character by character would cost too much memory. */
const longestRenderedLine = 100_000;

/** Cleans a whole output: line ends become `\n`, escape sequences go, overwritten characters are overwritten. */
export function cleanTerminalText(raw: string): string {
  const text = raw.replaceAll("\r\n", "\n");
  if (!needsRendering.test(text)) return text;
  return text.split("\n").map(renderLine).join("\n");
}

/** One line as it stands on the screen after backspaces, carriage returns and erasures. */
function renderLine(line: string): string {
  if (!needsRendering.test(line)) return line;
  const visible = line.replace(invisible, "").replace(escapeSequence, (sequence) => erasures[sequence] ?? "");
  return visible.length > longestRenderedLine ? visible.replace(leftOver, "") : layOut(visible);
}

function layOut(line: string): string {
  if (!/[\u0001\u0002\b\r]/.test(line)) return line.replace(leftOver, "");
  const cells: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === "\r") column = 0;
    else if (character === "\b") column = Math.max(0, column - 1);
    else if (character === "\u0001") cells.length = Math.min(cells.length, column);
    else if (character === "\u0002") cells.fill(" ");
    else if (character !== "\u0007" && character !== "\u001b") cells[column++] = character;
  }
  return cells.join("").trimEnd();
}

/** Without any white space: what two spellings of the same line have in common when a terminal wrapped one of them. */
export function squash(text: string): string {
  return text.replaceAll(/\s/g, "");
}

/** Without empty lines at the end. */
export function withoutTrailingNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end--;
  return text.slice(0, end);
}
