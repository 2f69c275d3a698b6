const simple: Readonly<Record<string, string>> = {
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const escape = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|([^])|$)/gu;

/** The value of a string between its quotes, or what is wrong with it. */
export function readStringLiteral(inner: string): { value: string } | { problem: string } {
  let problem: string | undefined;
  const value = inner.replace(escape, (whole, ...groups: (string | undefined)[]) => {
    const [x, u, long, octal, other] = groups;
    const code = x ?? u ?? long;
    if (code !== undefined) {
      const point = Number.parseInt(code, 16);
      if (point <= 0x10ffff) return String.fromCodePoint(point);
      problem = "illegal Unicode character";
      return "";
    }
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
    if (other === undefined) problem = "\\ at end of string";
    if (other !== undefined && "xuUN".includes(other)) problem = truncated[other as "x"];
    return simple[other ?? ""] ?? whole;
  });
  return problem === undefined ? { value } : { problem };
}

const truncated = {
  x: "truncated \\xXX escape",
  u: "truncated \\uXXXX escape",
  U: "truncated \\UXXXXXXXX escape",
  N: "unknown Unicode character name",
} as const;
