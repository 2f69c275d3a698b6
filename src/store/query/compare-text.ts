/** Orders text by code points, as databases order UTF-8; JavaScript's own order differs beyond U+FFFF. */
export function compareText(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}
