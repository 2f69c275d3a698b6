/** Texts count in characters as Python does, not in the halves of which JavaScript makes those above U+FFFF. */

const pair = /[\ud800-\udbff][\udc00-\udfff]/;

/** Has the text characters that take two units? */
export function hasPairs(text: string): boolean {
  return pair.test(text);
}

/** Number of characters. */
export function lengthOf(text: string): number {
  if (!hasPairs(text)) return text.length;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** The characters one by one. */
export function charactersIn(text: string): string[] {
  return hasPairs(text) ? Array.from(text) : text.split("");
}

/** Part of the text from character `start` to before `end`. */
export function substringOf(text: string, start: number, end: number): string {
  return hasPairs(text) ? Array.from(text).slice(start, end).join("") : text.slice(start, end);
}

/** The place in characters of a place in units. */
export function characterIndex(text: string, unit: number): number {
  return unit < 0 ? unit : lengthOf(text.slice(0, unit));
}

/** Order of two texts by their characters: negative, zero or positive. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (!hasPairs(left) && !hasPairs(right)) return left < right ? -1 : 1;
  const [a, b] = [Array.from(left), Array.from(right)];
  for (const [index, character] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return -1;
}
