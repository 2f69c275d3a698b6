/** Orders text by code points, as databases order UTF-8; JavaScript's own order differs beyond U+FFFF. */
export function compareText(left: string, right: string): number {
  for (let index = 0; ; index += 1) {
    const [one, other] = [left.codePointAt(index), right.codePointAt(index)];
    if (one === undefined || other === undefined || one !== other) return (one ?? -1) - (other ?? -1);
    if (one > 0xff_ff) index += 1;
  }
}
