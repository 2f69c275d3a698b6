/** How much a value holds, or may hold. */
export interface InputSize {
  /** Characters of all texts and names. */
  characters: number;
  /** Array elements, members and other values, all together. */
  elements: number;
}

/** Does the value hold more than that? Looks no further than the limit goes, so that asking is cheap. */
export function isLargeInput(value: unknown, limit: InputSize): boolean {
  return shareOf(value, limit) > 1;
}

/** The part of the limit that the value takes, by what it has most of; Infinity: more than the limit. As cheap. */
export function shareOf(value: unknown, { characters, elements }: InputSize): number {
  const left = { characters, elements };
  if (!fits(value, left)) return Infinity;
  return 1 - Math.min(left.characters / characters, left.elements / elements);
}

/** Takes what the value holds off what is left; false as soon as nothing is. */
function fits(value: unknown, left: InputSize): boolean {
  left.elements -= 1;
  if (typeof value === "string") left.characters -= value.length;
  if (left.elements < 0 || left.characters < 0) return false;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return elementsFit(value, left);
  return membersFit(value as Readonly<Record<string, unknown>>, left);
}

function elementsFit(array: readonly unknown[], left: InputSize): boolean {
  if (array.length > left.elements) return false;
  // Not `every`: it passes over holes and makes a closure for each call.
  for (let index = 0; index < array.length; index++) if (!fits(array[index], left)) return false;
  return true;
}

function membersFit(object: Readonly<Record<string, unknown>>, left: InputSize): boolean {
  for (const name of Object.keys(object)) {
    left.characters -= name.length;
    if (!fits(object[name], left)) return false;
  }
  return true;
}
