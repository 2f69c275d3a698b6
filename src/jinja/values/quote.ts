const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;
const plain = /^[ !#-&(-[\]-~]*$/u;
const special = /(?! )[\\'"\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/gu;
const named: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text as Python's `repr` writes it: in single quotes unless it has those and no double ones. */
export function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  if (isPlain(text)) return mark + text + mark;
  const quoted = text.replace(special, (character) =>
    character === mark ? `\\${mark}` : (named[character] ?? escaped(character)),
  );
  return mark + quoted + mark;
}

/** Is nothing in it that `quote` has to look at? */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** Does Python show this character as it is? */
export function isPrintable(character: string): boolean {
  return character === " " || !unprintable.test(character);
}

function escaped(character: string): string {
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, "0");
}
