/** As deep as SQLite reads JSON; the same everywhere, so that a store can be copied into another. */
const deepest = 1000;

/** Is the JSON text nested deeper than every store can search? */
export function isNestedTooDeeply(json: string): boolean {
  // Each level takes two characters.
  if (json.length <= 2 * deepest) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfText(json, at);
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** Position of the quote that ends the text begun at `start`. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}
