/** `<!name!>` markers: spec templates-gateway-forms.md §1.4. */
const marker = /<!([^!<>]+)!>/g;

/** A value that can stand in a command or rule. */
export type Scalar = string | number | boolean;
export type VariableValues = Readonly<Record<string, unknown>>;

/** Names of the variables in a text, in the order of first appearance. */
export function variableNames(text: string): string[] {
  return [...new Set([...text.matchAll(marker)].map((match) => (match[1] ?? "").trim()))];
}

/**
 * Puts values into a text, as text and unescaped. Names without a value are listed in `missing`: absent,
 * null, an object, or an array that holds anything but scalars. An array stands as its elements joined by commas.
 */
export function substitute(
  text: string,
  values: VariableValues,
): { text: string; used: Record<string, unknown>; missing: string[] } {
  const used: Record<string, unknown> = {};
  const missing: string[] = [];
  const replaced = text.replaceAll(marker, (whole, inner: string) => {
    const name = inner.trim();
    const value = valueOf(values, name);
    if (value === undefined) {
      missing.push(name);
      return whole;
    }
    used[name] = value;
    return Array.isArray(value) ? value.join(",") : String(value);
  });
  return { text: replaced, used, missing };
}

/** How many runs arrays may multiply one command into. */
export const mostExpansions = 10_000;

/**
 * The values for each run of a command: every array named in the command is taken element by element,
 * several arrays in all combinations, the first varying slowest. Undefined when there would be too many.
 */
export function expandArrays(command: string, values: VariableValues): VariableValues[] | undefined {
  let expansions: VariableValues[] = [values];
  for (const name of variableNames(command)) {
    const value = valueOf(values, name);
    if (!Array.isArray(value)) continue;
    if (expansions.length * value.length > mostExpansions) return undefined;
    expansions = expansions.flatMap((before) => value.map((element) => ({ ...before, [name]: element })));
  }
  return expansions;
}

function valueOf(values: VariableValues, name: string): Scalar | Scalar[] | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (isScalar(value)) return value;
  // An empty array gives nothing to run the command with.
  return Array.isArray(value) && value.length > 0 && value.every(isScalar) ? value : undefined;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
