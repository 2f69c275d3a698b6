import type { Random } from "./random.ts";

/** Texts that programs stumble over. */
export const hostileTexts: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00\ud800",
  "\u202e\u200b\ufeff",
  "\r\nX-Injected: 1",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "workflow_start",
  "workflow_end",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e309",
  "99999999999999999999999",
  "0x7fffffff",
  "true",
  "' OR 1=1 --",
  '"; DROP TABLE workflows; --',
  "%_%",
  "$where",
  "$var.job.__proto__",
  "$var.job.constructor.prototype",
  "$var.",
  "$var.job",
  "$var.workflow_start.x",
  "$var.a1.a1.a1",
  "${7*7}{{7*7}}<%= 7*7 %><!name!>",
  "../../../../etc/passwd",
  "..\\..\\",
  "file:///etc/passwd",
  "a/b?c#d&e=f",
  "(a+)+$",
  "[",
  "(?<n>",
  "\\",
  "<script>alert(1)</script>",
  "@0123456789abcdef01234567: x",
  "0123456789abcdef01234567",
  "a.b.c[0].*",
  "$[?(@.x)]",
  "#/definitions/x",
  "e\u0301\u00e9İı",
];

const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  2 ** 64,
  1e308,
  -1e308,
  5e-324,
  86_400_000,
  1e15,
];

/** Values that are big in one direction or another, made when asked for. */
const bigValues: readonly (() => unknown)[] = [
  () => "x".repeat(100_000),
  () => "a".repeat(5_000) + "!",
  () => Array.from({ length: 5_000 }, (_, index) => index),
  () => nested(40),
  () => nested(900),
  () => nested(1_500),
  () => Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`member ${index}`, index])),
  () => ({ ["k".repeat(20_000)]: 1 }),
];

const smallValues: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => [],
  () => ({}),
  () => [null],
  () => [[]],
  () => ({ "": "" }),
  () => ownMember("__proto__", { isPolluted: true }),
  () => ({ constructor: { prototype: { isPolluted: true } } }),
  () => ({ toString: 1, valueOf: null, hasOwnProperty: "x", length: -1 }),
  () => ({ $ref: "#" }),
  () => ({ $where: "1" }),
];

/** A value that does not belong where it is put. */
export function hostileValue(random: Random): unknown {
  const kind = random.next();
  if (kind < 0.4) return random.pick(hostileTexts);
  if (kind < 0.6) return random.pick(hostileNumbers);
  if (kind < 0.95) return random.pick(smallValues)();
  return random.pick(bigValues)();
}

/** Sets an own member, whatever its name. */
export function ownMember(name: string, value: unknown, object: Record<string, unknown> = {}): Record<string, unknown> {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  return object;
}

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
