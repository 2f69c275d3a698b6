/** One member of a value, own members only; `found` is false where there is none. */
export interface Found {
  found: boolean;
  value: unknown;
}

export const notFound: Found = Object.freeze({ found: false, value: null });

export function found(value: unknown): Found {
  return value === undefined ? notFound : { found: true, value };
}

/**
 * Reads an own member of an object, array or text. An index past the end of an array exists and is
 * null (workflow-engine.md §13); what sits on a prototype never does.
 */
export function readMember(value: unknown, key: string): Found {
  if (value === null || value === undefined) return notFound;
  const container = Object(value) as Record<string, unknown>;
  if (Object.hasOwn(container, key)) return found(container[key]);
  return Array.isArray(value) && isIndex(key) ? found(null) : notFound;
}

/** Sets a member as plain own data, whatever its name: `__proto__` changes no prototype. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

/** True for the text of an array index: `0`, `12`. */
export function isIndex(key: string): boolean {
  return /^\d+$/u.test(key);
}
