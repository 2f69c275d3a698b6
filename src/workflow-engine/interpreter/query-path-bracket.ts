/**
 * Index of the `]` that closes the `[` at `open`; −1 when there is none. Brackets inside nest;
 * brackets inside a regular expression or a quoted text do not count.
 */
export function skipBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at = literalEnd(text, at) ?? at + 1) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && --depth === 0) return at;
  }
  return -1;
}

/** Parts between `|`, each as its parts between `&`; those inside a literal do not split. */
export function splitBracket(selection: string): string[][] {
  const groups = [[""]];
  for (let at = 0; at < selection.length;) {
    const group = groups.at(-1) as string[];
    const end = literalEnd(selection, at) ?? at + 1;
    const piece = selection.slice(at, end);
    if (piece === "|") groups.push([""]);
    else if (piece === "&") group.push("");
    else group.push((group.pop() ?? "") + piece);
    at = end;
  }
  return groups;
}

/** End of the regular expression or quoted text that begins at `at` as the value of a condition. */
function literalEnd(text: string, at: number): number | undefined {
  const character = text[at] ?? "";
  if (!`/"'`.includes(character)) return undefined;
  const operator = text.slice(0, at).trimEnd().at(-1) ?? "";
  if (character === "/") return operator === "~" ? expressionEnd(text, at) : undefined;
  return "=~<>".includes(operator) && operator !== "" ? quotedEnd(text, at) : undefined;
}

function expressionEnd(text: string, open: number): number | undefined {
  let isInClass = false;
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "[") isInClass = true;
    else if (character === "]") isInClass = false;
    else if (character === "/" && !isInClass) return at + 1;
  }
  return undefined;
}

function quotedEnd(text: string, open: number): number | undefined {
  const close = text.indexOf(text[open] ?? "", open + 1);
  if (close < 0) return undefined;
  return /^\s*(?:$|[\]&|])/u.test(text.slice(close + 1)) ? close + 1 : undefined;
}
