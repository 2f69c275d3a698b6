/*
 * PostgreSQL keeps JSON with any escape, but none of its functions reads a document in which U+0000 or half
 * of a character is escaped. So such a document has a second form for queries (column `readable`), in which
 * U+0000 is U+0001 U+0001, U+0001 is U+0001 U+0002, and half of a character, U+D800 + n, is
 * U+D7FF U+10FFFF U+(E000 + n). Different texts stay different and their order stays, so that values of queries
 * written in the same way compare as the originals do. `query/plain-text.ts` knows these characters, too.
 */

const half = String.raw`\ud7ff\udbff\udfff\u`;
const written = /\\(?:u(?<code>000[01]|d[89a-f][0-9a-f]{2})|.)/gu;

/** JSON text, as `JSON.stringify` writes it, in the form in which queries compare. */
export function readableJson(json: string): string {
  return /\\u(?:000|d)/u.test(json)
    ? json.replace(written, (escape, code?: string) => (code ? readableEscape(code) : escape))
    : json;
}

/** Text in the form in which queries compare. */
export function readableText(text: string): string {
  const json = JSON.stringify(text);
  return json.includes("\\u") ? (JSON.parse(readableJson(json)) as string) : text;
}

function readableEscape(code: string): string {
  if (code === "0000") return String.raw`\u0001\u0001`;
  if (code === "0001") return String.raw`\u0001\u0002`;
  return `${half}e${Number.parseInt(code.charAt(1), 16) - 8}${code.slice(2)}`;
}

/** The readable form of a variable of type `json` where it needs one; the expression `otherwise` where it does not. */
export function readableSql(document: string, otherwise: string): string {
  const text = `${document}::text`;
  const holds = (part: string): string => `strpos(${text}, ${literal(part)}) > 0`;
  const isUnreadable = `${holds("\\")} AND (${holds(String.raw`\u000`)} OR ${holds(String.raw`\ud`)})`;
  return `CASE WHEN ${isUnreadable} THEN ${replaced(text)}::json ELSE ${otherwise} END`;
}

/** Control characters, which stand in JSON text only as escapes, mark what must not be replaced twice. */
function replaced(text: string): string {
  const replace = (within: string, from: string, to: string): string =>
    `replace(${within}, ${literal(from)}, ${literal(to)})`;
  let sql = replace(text, "\\\\", "\u0001");
  sql = replace(sql, String.raw`\u0001`, String.raw`\u0001\u0002`);
  sql = replace(sql, String.raw`\u0000`, String.raw`\u0001\u0001`);
  Array.from("89abcdef").forEach((digit, index) => {
    sql = replace(sql, String.raw`\ud${digit}`, `\u0002e${index}`);
  });
  return replace(replace(sql, "\u0002", half), "\u0001", "\\\\");
}

/** Means the same whatever the server's setting for backslashes. */
function literal(text: string): string {
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("\u0001", "\\x01").replaceAll("\u0002", "\\x02")}'`;
}
