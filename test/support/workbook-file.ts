import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** Sheets by name; a cell is a text, a number, or XML of its own. */
export type SheetCells = Record<string, readonly (readonly (string | number | { xml: string })[])[]>;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";

/** A small xlsx file (ECMA-376). Cells with `s="1"` are dates, with `s="2"` times of day. */
export async function workbookFile(sheets: SheetCells, more: Record<string, string | Buffer> = {}): Promise<Buffer> {
  const names = Object.keys(sheets);
  const numbered = (each: (name: string, number: number) => string): string =>
    names.map((name, index) => each(name, index + 1)).join("");
  const parts: Record<string, string | Buffer> = {
    "[Content_Types].xml": `${head}<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${numbered((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    "_rels/.rels": `${head}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${numbered((name, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${packages}/relationships">${numbered((_, n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId0" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `${head}<styleSheet xmlns="${main}"><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheets[name] ?? [])]),
    ),
    ...more,
  };
  return zipFile(parts);
}

/** A zip archive with these files. */
export async function zipFile(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content), name, { mtime: new Date(0) });
  zip.end();
  return buffer(zip.outputStream);
}

function sheetXml(rows: SheetCells[string]): string {
  const cells = rows.map(
    (row, y) => `<row r="${y + 1}">${row.map((cell, x) => cellXml(cell, `${columnName(x)}${y + 1}`)).join("")}</row>`,
  );
  return `${head}<worksheet xmlns="${main}"><sheetData>${cells.join("")}</sheetData></worksheet>`;
}

function cellXml(cell: string | number | { xml: string }, place: string): string {
  if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === "object") return cell.xml.replace("<c", `<c r="${place}"`);
  return cell === "" ? "" : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
}

/** 0 → A, 26 → AA. */
function columnName(index: number): string {
  const first = index < 26 ? "" : columnName(Math.floor(index / 26) - 1);
  return first + String.fromCharCode(65 + (index % 26));
}
