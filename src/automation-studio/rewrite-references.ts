/** What documents call other documents by, and what they are to call them from now on. */
export interface Replacements {
  /** Whole texts: ids and stored names. */
  texts: ReadonlyMap<string, string>;
  /** Beginnings of texts: the project's name prefix. */
  prefixes: ReadonlyMap<string, string>;
}

/**
 * The value with every reference replaced, at any depth; the same value when nothing is to be replaced.
 * Only whole texts and beginnings count: an id inside a sentence is no reference.
 */
export function rewriteReferences<T>(value: T, replacements: Replacements): T {
  if (replacements.texts.size === 0 && replacements.prefixes.size === 0) return value;
  return rewrite(value, replacements) as T;
}

function rewrite(value: unknown, replacements: Replacements): unknown {
  if (typeof value === "string") return rewriteText(value, replacements);
  if (Array.isArray(value)) return value.map((item) => rewrite(item, replacements));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([member, item]) => [member, rewrite(item, replacements)]));
}

function rewriteText(text: string, { texts, prefixes }: Replacements): string {
  const whole = texts.get(text);
  if (whole !== undefined) return whole;
  for (const [prefix, replacement] of prefixes) {
    if (text.startsWith(prefix)) return replacement + text.slice(prefix.length);
  }
  return text;
}
