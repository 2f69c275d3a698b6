import { TaskError } from "../core/task.ts";
import { readWorkbook, type CellValue, type SheetRows } from "./read-workbook.ts";

/** How the rows of sheets become objects. */
export interface ExcelOptions {
  /** Is the first row that is not empty one of names? Default: true. */
  headersIncluded?: boolean;
  /** Names of the columns; they come before those of the first row. */
  headerRow?: readonly string[];
  /** Only these sheets. */
  sheets?: readonly string[];
}

type ExcelRow = Record<string, CellValue>;

/**
 * The sheets of an Excel file by name, each an array of objects: one for each row that is not empty. A column without
 * a name is `field` with its place from 1; an empty cell of a named column is "". TaskError as for `readWorkbook`.
 */
export function excelToRows(base64: string, options: ExcelOptions): Record<string, ExcelRow[]> {
  const sheets = readWorkbook(decode(base64), options.sheets);
  return Object.fromEntries([...sheets].map(([name, rows]) => [name, objectsOf(rows, options)]));
}

/** Base64 as files come in it: with line breaks, or behind the head of a data address. */
function decode(base64: string): Buffer {
  const text = base64.replace(/^data:[^,]{0,200},/u, "").replaceAll(/\s+/gu, "");
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/u.test(text)) throw new TaskError("The file is not Base64 text");
  return Buffer.from(text, "base64");
}

function objectsOf(sheet: SheetRows, { headersIncluded = true, headerRow }: ExcelOptions): ExcelRow[] {
  const rows = sheet.filter((row) => row.some((cell) => cell !== undefined && cell !== ""));
  const body = headersIncluded ? rows.slice(1) : rows;
  const names = headerRow ?? (headersIncluded ? (rows[0] ?? []) : []);
  return body.map((row) => objectOf(row, names));
}

function objectOf(row: SheetRows[number], names: readonly (CellValue | undefined)[]): ExcelRow {
  const length = Math.max(names.length, row.length);
  return Object.fromEntries(
    Array.from({ length }, (_, index): [string, CellValue] => [
      String(names[index] ?? "") || `field${index + 1}`,
      row[index] ?? "",
    ]),
  );
}
