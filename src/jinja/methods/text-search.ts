import { JinjaError, typeError, valueError } from "../errors.ts";
import { define, optionalPositional, positional } from "../runtime/define.ts";
import type { Definition } from "../runtime/runtime.ts";
import { requireSmallIndex } from "../values/numbers.ts";
import { characterIndex, hasPairs, lengthOf, substringOf } from "../values/text-units.ts";
import { Tuple, charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";

const part = [positional("sub"), optionalPositional("start", null), optionalPositional("end", null)];

/** Methods of text that look for a part of it. */
export const textSearchMethods: readonly Definition[] = [
  define("find", part, (_, self, args) => BigInt(findPart(self, args, "first"))),
  define("rfind", part, (_, self, args) => BigInt(findPart(self, args, "last"))),
  define("index", part, (_, self, args) => requireFound(findPart(self, args, "first"))),
  define("rindex", part, (_, self, args) => requireFound(findPart(self, args, "last"))),
  define("count", part, (_, self, args) => BigInt(countPart(self, args))),
  define("startswith", part, (_, self, args) => hasEdge(self, args, "startsWith")),
  define("endswith", part, (_, self, args) => hasEdge(self, args, "endsWith")),
];

/** The text of an argument. TypeError for anything else. */
export function requireText(value: Value | undefined, what = "must be str"): string {
  if (value !== undefined && isText(value)) return charactersOf(value);
  throw typeError(`${what}, not ${typeNameOf(value ?? null)}`);
}

interface Piece {
  text: string;
  /** Where it begins, in characters. */
  offset: number;
  /** Where it may begin at all: a start beyond the end finds nothing. */
  isBeyond: boolean;
}

function pieceOf(self: Value, start: Value, end: Value): Piece {
  const whole = requireText(self);
  if (start === null && end === null) return { text: whole, offset: 0, isBeyond: false };
  const length = lengthOf(whole);
  const place = (value: Value, standard: number): number => {
    if (value === null) return standard;
    const index = requireSmallIndex(value);
    return index < 0 ? Math.max(index + length, 0) : index;
  };
  const from = place(start, 0);
  const to = Math.min(place(end, length), length);
  return { text: substringOf(whole, from, Math.max(from, to)), offset: from, isBeyond: from > to };
}

function findPart(self: Value, [sub, start = null, end = null]: readonly Value[], which: "first" | "last"): number {
  const wanted = requireText(sub);
  const { text, offset, isBeyond } = pieceOf(self, start, end);
  if (isBeyond) return -1;
  const unit = which === "first" ? text.indexOf(wanted) : text.lastIndexOf(wanted);
  if (unit === -1) return -1;
  return offset + (hasPairs(text) ? characterIndex(text, unit) : unit);
}

function requireFound(index: number): bigint {
  if (index === -1) throw valueError("substring not found");
  return BigInt(index);
}

function countPart(self: Value, [sub, start = null, end = null]: readonly Value[]): number {
  const wanted = requireText(sub);
  const { text, isBeyond } = pieceOf(self, start, end);
  if (isBeyond) return 0;
  return wanted === "" ? lengthOf(text) + 1 : text.split(wanted).length - 1;
}

function hasEdge(
  self: Value,
  [sub = null, start = null, end = null]: readonly Value[],
  edge: "startsWith" | "endsWith",
): boolean {
  const { text, isBeyond } = pieceOf(self, start, end);
  const wanted = sub instanceof Tuple ? sub.items : [sub];
  return wanted
    .map((one) => requireText(one, `${edge.toLowerCase()} first arg must be str or a tuple of str`))
    .some((one) => !isBeyond && text[edge](one));
}

/** KeyError as Python's lookup in a mapping gives it. */
export function keyError(shown: string): JinjaError {
  return new JinjaError("KeyError", shown);
}
