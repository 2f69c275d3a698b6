import { isUtf8 } from "node:buffer";
import { badRequest } from "../core/errors.ts";

/** Deeper JSON is refused: nothing that people write comes near, and recursion must not run out of stack. */
const deepestJson = 1000;

/**
 * Parses a JSON body. Empty bytes mean "no body" (decision 7). Refused with 400: text that is not
 * UTF-8 or not JSON (RFC 8259), nesting deeper than `deepestJson`, and members that would reach an
 * object's prototype (`__proto__`, `constructor.prototype`).
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw refused("is not UTF-8");
  const text = withoutByteOrderMark(bytes.toString("utf8"));
  if (text.trim() === "") return undefined;
  if (text.length > 2 * deepestJson && isTooDeep(text)) throw refused(`is nested deeper than ${deepestJson} levels`);
  const value = parse(text);
  if (mayBePoisoned(text) && isPoisoned(value)) throw refused("has a member that would change an object's prototype");
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused(`is not JSON${positionOf(error)}`);
  }
}

/** Where the text stops being JSON. The engine's own message would repeat a part of the body, secrets included. */
function positionOf(error: unknown): string {
  const position = /at position (\d+)/u.exec(error instanceof Error ? error.message : "")?.[1];
  return position === undefined ? "" : ` (at character ${position})`;
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

const quote = 0x22;
const backslash = 0x5c;
const opens = new Set([0x5b, 0x7b]);
const closes = new Set([0x5d, 0x7d]);

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (opens.has(code)) depth += 1;
    else if (closes.has(code)) depth -= 1;
    if (depth > deepestJson) return true;
  }
  return false;
}

/** Index of the quote that ends the string which begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (index - before) % 2 === 0;
}

/** Names can be written with escapes, so those count as suspicious too. */
function mayBePoisoned(text: string): boolean {
  return text.includes("__proto__") || text.includes('"prototype"') || text.includes("\\u");
}

function isPoisoned(root: unknown): boolean {
  const open: unknown[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) && hasPoisonousMember(value)) return true;
    for (const member of Object.values(value)) if (typeof member === "object" && member !== null) open.push(member);
  }
  return false;
}

function hasPoisonousMember(value: object): boolean {
  if (Object.hasOwn(value, "__proto__")) return true;
  if (!Object.hasOwn(value, "constructor")) return false;
  const constructed: unknown = value.constructor;
  return typeof constructed === "object" && constructed !== null && Object.hasOwn(constructed, "prototype");
}

function refused(problem: string): Error {
  return badRequest(`Invalid request: the body ${problem}.`, [{ path: "/body", message: problem }]);
}
