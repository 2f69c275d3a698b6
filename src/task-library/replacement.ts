import type { RegularExpressionMatch } from "../workflow-engine/interpreter/regular-expression.ts";
import { checkTextLength } from "./limits.ts";

/**
 * The text with each match replaced. `$$`, `$&`, `` $` ``, `$'`, `$1` … `$99` and `$<name>` stand for what
 * they do in ECMAScript (ECMA-262 §22.1.3.19.1).
 */
export function replaceMatches(text: string, matches: readonly RegularExpressionMatch[], replacement: string): string {
  const pieces: string[] = [];
  let length = 0;
  let end = 0;
  const add = (piece: string) => {
    length += piece.length;
    checkTextLength(length);
    pieces.push(piece);
  };
  for (const match of matches) {
    add(text.slice(end, match.index));
    for (const piece of expand(text, match, replacement)) add(piece);
    end = match.index + (match.groups[0] ?? "").length;
  }
  add(text.slice(end));
  return pieces.join("");
}

function expand(text: string, match: RegularExpressionMatch, replacement: string): string[] {
  // Splitting by a group keeps the references at the odd places.
  return replacement
    .split(/(\$(?:[$&`']|\d{1,2}|<[^>]*>))/u)
    .map((piece, index) => (index % 2 === 1 ? resolve(text, match, piece) : piece));
}

function resolve(text: string, match: RegularExpressionMatch, reference: string): string {
  const whole = match.groups[0] ?? "";
  if (reference === "$$") return "$";
  if (reference === "$&") return whole;
  if (reference === "$`") return text.slice(0, match.index);
  if (reference === "$'") return text.slice(match.index + whole.length);
  if (reference.startsWith("$<")) return resolveName(match, reference);
  return resolveNumber(match, reference);
}

function resolveName(match: RegularExpressionMatch, reference: string): string {
  if (match.names.size === 0) return reference;
  const index = match.names.get(reference.slice(2, -1));
  return index === undefined ? "" : (match.groups[index] ?? "");
}

/** `$12` is group 12, or group 1 and a 2 where there are fewer groups. */
function resolveNumber(match: RegularExpressionMatch, reference: string): string {
  const digits = reference.slice(1);
  const groupCount = match.groups.length - 1;
  const used = Number(digits) >= 1 && Number(digits) <= groupCount ? digits : digits.slice(0, 1);
  const index = Number(used);
  return index >= 1 && index <= groupCount ? (match.groups[index] ?? "") + digits.slice(used.length) : reference;
}
