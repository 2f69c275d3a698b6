import { workbookFile, zipFile } from "../support/workbook-file.ts";
import type { Random } from "../fuzz/random.ts";

const sheetNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const bombBytes = 70 * 1024 * 1024;

const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, level) => {
  const inner = level === 0 ? "a" : `a${level - 1}`;
  return `<!ENTITY a${level} "${`&${inner};`.repeat(10)}">`;
}).join("")}]>`;

type MakeFile = (text: string, random: Random) => Promise<Buffer>;

const sheetOf = (rows: string, head = ""): string =>
  `<?xml version="1.0"?>${head}<worksheet xmlns="${sheetNamespace}"><sheetData>${rows}</sheetData></worksheet>`;
const escaped = (text: string): string =>
  text.replaceAll(/[<>&\u0000-\u0008\u000b-\u001f]/gu, (sign) => `&#${sign.charCodeAt(0) || 1};`);
const withSheet = (sheet: string | Buffer): Promise<Buffer> =>
  workbookFile({ s: [] }, { "xl/worksheets/sheet1.xml": sheet });

/** Kinds of spreadsheet files that are too much, or not what they say. */
const kinds: readonly MakeFile[] = [
  (text) => workbookFile({ s: [[escaped(text)], [escaped(text)]] }),
  (text) => withSheet(sheetOf(`<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`)),
  (text) => withSheet(sheetOf(`<row r="1"><c r="A1"><f>${escaped(text)}</f><v>1</v></c></row>`)),
  (text) => withSheet(sheetOf(`<row r="1"><c r="${escaped(text)}"><v>1</v></c></row>`)),
  () => withSheet(sheetOf('<row r="1"><c r="A1" t="inlineStr"><is><t>&a8;</t></is></c></row>', entities)),
  () =>
    withSheet(sheetOf('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>')),
  () => withSheet(sheetOf('<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(200_000))),
  () => withSheet(sheetOf(`${"<row>".repeat(50_000)}<c><v>1</v></c>`)),
  () => withSheet(Buffer.alloc(bombBytes, 60)),
  () => zipFile({ "xl/workbook.xml": Buffer.alloc(bombBytes) }),
  (text) => zipFile({ [`xl/${text.replaceAll(/[\\:]/gu, "_").replaceAll("..", "_").slice(0, 200)}.xml`]: text }),
  async (_text, random) => {
    const file = await workbookFile({ s: [["name"], ["r1"]] });
    for (let change = 0; change < 20; change++) file[random.below(file.length)] = random.below(256);
    return file;
  },
  async (_text, random) => {
    const file = await workbookFile({ s: [["name"], ["r1"]] });
    return file.subarray(0, random.below(file.length));
  },
];

/** The files of large kinds are made once. */
const largeFrom = 4;
const largeTo = 10;

/** Base64 of a hostile spreadsheet file for each of the texts, kind after kind. */
export async function hostileArchives(texts: readonly string[], random: Random): Promise<string[]> {
  const large = new Map<number, string>();
  const files: string[] = [];
  for (const [place, text] of texts.entries()) {
    const kind = place % kinds.length;
    const file = large.get(kind) ?? (await kinds[kind]?.(text, random))?.toString("base64") ?? "";
    if (kind >= largeFrom && kind < largeTo) large.set(kind, file);
    files.push(file);
  }
  return files;
}
