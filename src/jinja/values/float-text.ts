/** Decimal digits of floats as Python writes them: exact, ties to the even digit. */

/** A float as `repr` shows it: the shortest digits that read back as the same number. */
export function floatRepr(value: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", exponentText = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(exponentText);
  const sign = value < 0 ? "-" : "";
  if (exponent < -4 || exponent >= 16) return sign + exponential(digits, exponent);
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** `nan`, `inf` or `-inf`. */
export function nonFinite(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return value > 0 ? "inf" : "-inf";
}

/** The absolute value with exactly so many digits after the point. */
export function fixedDigits(value: number, places: number): string {
  const digits = scaled(Math.abs(value), places)
    .toString()
    .padStart(places + 1, "0");
  if (places === 0) return digits;
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** Digits and exponent of the absolute value in exponential form, with so many digits after the first. */
export function exponentDigits(value: number, places: number): { digits: string; exponent: number } {
  if (value === 0) return { digits: "0".repeat(places + 1), exponent: 0 };
  const size = Math.abs(value);
  let exponent = Number(size.toExponential().split("e")[1]);
  let digits = scaled(size, places - exponent).toString();
  // Rounding 9.99 up gives one digit more.
  if (digits.length > places + 1) {
    exponent += 1;
    digits = scaled(size, places - exponent).toString();
  }
  return { digits, exponent };
}

/** `1.5e+16` from digits and exponent. */
export function exponential(digits: string, exponent: number, mark = "e"): string {
  const size = Math.abs(exponent).toString().padStart(2, "0");
  const rest = digits.slice(1);
  return `${digits[0] ?? "0"}${rest === "" ? "" : `.${rest}`}${mark}${exponent < 0 ? "-" : "+"}${size}`;
}

/** value × 10^places, rounded half to even, exactly. */
function scaled(value: number, places: number): bigint {
  const { mantissa, exponent } = binaryParts(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (places >= 0) numerator *= 10n ** BigInt(places);
  else denominator *= 10n ** BigInt(-places);
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  return divideHalfEven(numerator, denominator);
}

/** Quotient of two positive whole numbers, rounded half to even. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/** The number as mantissa × 2^exponent. */
export function binaryParts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  if (exponent === 0) return { mantissa: fraction, exponent: -1074 };
  return { mantissa: fraction | 0x10000000000000n, exponent: exponent - 1075 };
}
