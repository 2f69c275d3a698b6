import { checkTextLength } from "./conversions.ts";

/** A match as far as a replacement needs it. */
export interface PlacedMatch {
  index: number;
  groups: readonly (string | undefined)[];
  names?: ReadonlyMap<string, number>;
}

/** Fills a match into a replacement: `$$`, `$&`, `` $` ``, `$'`, `$1`…`$99` and `$<name>` as in ECMAScript. */
export function expandReplacement(template: string, text: string, match: PlacedMatch): string {
  if (!template.includes("$")) return template;
  let length = template.length;
  return template.replaceAll(/\$(?:[$&`']|\d{1,2}|<[^>]{0,100}>)/gu, (sign) => {
    const part = partFor(sign, text, match);
    length += part.length;
    checkTextLength(length);
    return part;
  });
}

function partFor(sign: string, text: string, match: PlacedMatch): string {
  const whole = match.groups[0] ?? "";
  switch (sign[1]) {
    case "$":
      return "$";
    case "&":
      return whole;
    case "`":
      return text.slice(0, match.index);
    case "'":
      return text.slice(match.index + whole.length);
    case "<":
      return namedGroup(sign, match);
    default:
      return numberedGroup(sign, match);
  }
}

function namedGroup(sign: string, { groups, names }: PlacedMatch): string {
  if (!names || names.size === 0) return sign;
  const place = names.get(sign.slice(2, -1));
  return place === undefined ? "" : (groups[place] ?? "");
}

/** `$12` is group 12, or group 1 and a 2 where there are fewer; a sign for no group stays. */
function numberedGroup(sign: string, { groups }: PlacedMatch): string {
  for (let digits = sign.length - 1; digits > 0; digits -= 1) {
    const place = Number(sign.slice(1, 1 + digits));
    if (place >= 1 && place < groups.length) return (groups[place] ?? "") + sign.slice(1 + digits);
  }
  return sign;
}
