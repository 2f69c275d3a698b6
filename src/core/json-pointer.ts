/** Tokens of a JSON pointer (RFC 6901): `/a~1b/0` → `["a/b", "0"]`; the empty pointer is the whole value. */
export function pointerTokens(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .replace(/^\//u, "")
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A member's name as a token of a JSON pointer (RFC 6901 §3): `a/b` → `a~1b`. */
export function pointerToken(member: string): string {
  return member.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Reads through own members only; undefined where the path leads nowhere, never an error. */
export function readPointer(value: unknown, pointer: string): unknown {
  let current = value;
  for (const token of pointerTokens(pointer)) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, token)) return undefined;
    current = (current as Record<string, unknown>)[token];
  }
  return current;
}
