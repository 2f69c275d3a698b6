import { define } from "../runtime/define.ts";
import type { Definition } from "../runtime/runtime.ts";
import { binaryParts } from "../values/float-text.ts";
import { bitLength, truncate } from "../values/numbers.ts";
import { Tuple, asInteger, type Value } from "../values/value.ts";

const whole = (value: Value): bigint => asInteger(value) ?? 0n;

/** Methods of bools and ints. */
export const integerMethods: readonly Definition[] = [
  define("bit_length", [], (_, self) => BigInt(bitLength(whole(self)))),
  define("bit_count", [], (_, self) =>
    BigInt((whole(self) < 0n ? -whole(self) : whole(self)).toString(2).replaceAll("0", "").length),
  ),
  define("conjugate", [], (_, self) => whole(self)),
  define("as_integer_ratio", [], (_, self) => new Tuple([whole(self), 1n])),
];

/** Methods of floats. */
export const floatMethods: readonly Definition[] = [
  define("is_integer", [], (_, self) => Number.isInteger(self)),
  define("conjugate", [], (_, self) => self),
  define("as_integer_ratio", [], (_, self) => ratioOf(Number(self))),
];

function ratioOf(value: number): Value {
  truncate(value);
  const { mantissa, exponent } = binaryParts(Math.abs(value));
  let [numerator, denominator] =
    exponent >= 0 ? [mantissa << BigInt(exponent), 1n] : [mantissa, 1n << BigInt(-exponent)];
  while (numerator !== 0n && numerator % 2n === 0n && denominator > 1n) {
    numerator /= 2n;
    denominator /= 2n;
  }
  return new Tuple([value < 0 ? -numerator : numerator, numerator === 0n ? 1n : denominator]);
}

/** `real`, `imag` and the like; undefined for other names. */
export function numberAttribute(value: boolean | bigint | number, name: string): Value | undefined {
  const isFloat = typeof value === "number";
  if (name === "real") return isFloat ? value : whole(value);
  if (name === "imag") return isFloat ? 0 : 0n;
  if (isFloat) return undefined;
  if (name === "numerator") return whole(value);
  return name === "denominator" ? 1n : undefined;
}
