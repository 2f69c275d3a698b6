import { charactersIn } from "../values/text-units.ts";

const cased = /\p{Uppercase}|\p{Lowercase}|\p{Lt}/u;
const upper = /\p{Uppercase}/u;
const lower = /\p{Lowercase}/u;
const title = /\p{Lt}/u;

/** The first character as title case, the others small. */
export function capitalize(text: string): string {
  const [first = ""] = text;
  return titleCase(first) + lowerFrom(text.slice(first.length), first);
}

/** Small letters of a rest, where what goes before matters (the final sigma). */
function lowerFrom(rest: string, before: string): string {
  const whole = (before + rest).toLowerCase();
  return whole.slice(before.toLowerCase().length);
}

/** Python's `title()`: each run of letters begins with a capital. */
export function titleWords(text: string): string {
  let isInside = false;
  let result = "";
  for (const character of text) {
    result += isInside ? character.toLowerCase() : titleCase(character);
    isInside = isCased(character);
  }
  return result;
}

export function swapCase(text: string): string {
  let result = "";
  for (const character of text)
    result += isUpper(character) ? character.toLowerCase() : isLower(character) ? character.toUpperCase() : character;
  return result;
}

function titleCase(character: string): string {
  const large = character.toUpperCase();
  // Characters that become several: only the first of them stays large.
  return charactersIn(large).length > 1 ? capitalFirst(large) : large;
}

function capitalFirst(large: string): string {
  const [first = "", ...rest] = charactersIn(large);
  return first + rest.join("").toLowerCase();
}

function isCased(character: string): boolean {
  return cased.test(character);
}

function isUpper(character: string): boolean {
  return upper.test(character);
}

function isLower(character: string): boolean {
  return lower.test(character);
}

/** Python's `isupper()`, `islower()` and `istitle()`: what the cased characters are; false without any. */
export function hasCase(text: string, wanted: "upper" | "lower" | "title"): boolean {
  if (wanted === "title") return hasTitleCase(text);
  const letters = charactersIn(text).filter(isCased);
  return letters.length > 0 && letters.every(wanted === "upper" ? isUpper : isLower);
}

function hasTitleCase(text: string): boolean {
  let isInside = false;
  let hasWord = false;
  for (const character of text) {
    const isLarge = isUpper(character) || title.test(character);
    if (isLarge === isInside && (isLarge || isLower(character))) return false;
    isInside = isLarge || isLower(character);
    hasWord ||= isInside;
  }
  return hasWord;
}
