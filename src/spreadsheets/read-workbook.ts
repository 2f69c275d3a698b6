import { read, SSF, type CellObject, type WorkBook, type WorkSheet } from "@e965/xlsx";
import { TaskError } from "../core/task.ts";
import { requireSmallArchive } from "./zip-guard.ts";

/** A value of a cell: dates and times as ISO 8601 text without a zone, for a sheet has none. */
export type CellValue = string | number | boolean | null;

/** The rows of a sheet; a hole is an empty cell. */
export type SheetRows = readonly (readonly (CellValue | undefined)[])[];

const limits = { entries: 1_000, bytes: 64 * 1024 * 1024 };
const mostCells = 2_000_000;

/**
 * The sheets of an Excel file (xlsx, xlsb or the older xls) by name, in their order, hidden ones included. A formula is
 * the value that was stored for it; nothing is computed and nothing outside the file is read. TaskError for what is no
 * such file, is protected by a password, or is too large.
 */
export function readWorkbook(file: Buffer, only?: readonly string[]): Map<string, SheetRows> {
  const { SheetNames, Sheets, Workbook } = parse(file);
  const missing = only?.find((name) => !SheetNames.includes(name));
  if (missing !== undefined)
    throw new TaskError(
      `There is no sheet "${missing}"; there are ${SheetNames.map((name) => `"${name}"`).join(", ")}`,
    );
  const isEpoch1904 = Workbook?.WBProps?.date1904 === true;
  const names = only ?? SheetNames;
  return new Map(names.map((name) => [name, rowsOf(Sheets[name] ?? {}, isEpoch1904)]));
}

function parse(file: Buffer): WorkBook {
  const isArchive = file.subarray(0, 4).toString("latin1") === "PK\u0003\u0004";
  const isOlder = file.subarray(0, 8).toString("hex") === "d0cf11e0a1b11ae1";
  if (!isArchive && !isOlder) throw new TaskError("The data is not an Excel file");
  if (isArchive) requireSmallArchive(file, limits);
  try {
    return read(file, {
      type: "buffer",
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: true,
    });
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "";
    if (/password|ECMA-376 Encrypted|EncryptionInfo/iu.test(message))
      throw new TaskError("The Excel file is protected by a password");
    throw new TaskError(`The data is not an Excel file that can be read: ${message.slice(0, 200)}`);
  }
}

function rowsOf(sheet: WorkSheet, isEpoch1904: boolean): SheetRows {
  const rows = (sheet["!data"] ?? []) as (CellObject | undefined)[][];
  let cells = 0;
  return rows.map((row) => {
    cells += row.length;
    if (cells > mostCells) throw new TaskError(`A sheet has more than ${mostCells} cells`);
    return row.map((cell) => (cell ? valueOf(cell, isEpoch1904) : undefined));
  });
}

// What a formula that failed shows (ECMA-376 part 1, 18.17.3), by its code.
const errorTexts: ReadonlyMap<unknown, string> = new Map([
  [0, "#NULL!"],
  [7, "#DIV/0!"],
  [15, "#VALUE!"],
  [23, "#REF!"],
  [29, "#NAME?"],
  [36, "#NUM!"],
  [42, "#N/A"],
]);

function valueOf({ t, v, z }: CellObject, isEpoch1904: boolean): CellValue | undefined {
  if (t === "z" || v === undefined) return undefined;
  if (t === "e") return errorTexts.get(v) ?? "#ERROR!";
  if (typeof v === "number" && typeof z === "string" && SSF.is_date(z)) return dateText(v, isEpoch1904);
  return v instanceof Date ? v.toISOString() : v;
}

type DateParts = Record<"y" | "m" | "d" | "H" | "M" | "S", number>;

/** A serial number of days as a date, a time of day, or both. */
function dateText(serial: number, date1904: boolean): CellValue {
  // A number that is no date is null here, whatever the types say.
  const parsed = SSF.parse_date_code(serial, { date1904 }) as DateParts | null;
  if (!parsed) return serial;
  const { y, m, d, H, M, S } = parsed;
  const date = `${pad(y, 4)}-${pad(m, 2)}-${pad(d, 2)}`;
  const time = `${pad(H, 2)}:${pad(M, 2)}:${pad(Math.floor(S), 2)}`;
  if (serial < 1) return time;
  return Number.isInteger(serial) ? date : `${date}T${time}`;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
