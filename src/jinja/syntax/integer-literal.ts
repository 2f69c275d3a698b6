const bitsOfDigit: Readonly<Record<string, number>> = { "0b": 1, "0o": 3, "0x": 4 };

/** Bits that an integer literal has at least by the number of its digits; told without computing its value. */
export function leastBits(literal: string): number {
  const bits = bitsOfDigit[literal.slice(0, 2).toLowerCase()];
  const digits = literal.replaceAll("_", "").length - (bits === undefined ? 0 : 2);
  return Math.floor((digits - 1) * (bits ?? Math.log2(10)));
}
