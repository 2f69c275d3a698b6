import Papa from "papaparse";
import { HeavyWorkError } from "../core/heavy-work.ts";
import { shareOf } from "../core/input-size.ts";
import { TaskError } from "../core/task.ts";

/** How a CSV text is read. */
export interface CsvOptions {
  /** Is the first row one of names? */
  headersIncluded: boolean;
  /** Names of the columns; they come before those of the first row. */
  headerRow?: readonly string[];
  /** In a worker of the pool, where more cells are possible. */
  isInWorker?: boolean;
}

const delimiters = [",", ";", "\t", "|"];
const previewedRows = 10;
const smallCsv = { characters: 20_000, elements: 2_000 };
const mostQuotes = 200;
const mostCells = 5_000_000;
const mostCellsOnLoop = 50_000;

/**
 * What the text takes of the time on the event loop (`Task.weigh`). It is read five times at most, for the delimiter too. Behind each
 * quotation mark the library looks as far as to the next delimiter, so that many in one text cost their square.
 */
export function weighCsv(incoming: Readonly<Record<string, unknown>>): number {
  const { input } = incoming;
  const quotes = typeof input === "string" ? input.split('"', mostQuotes + 2).length - 1 : 0;
  return Math.max(shareOf(incoming, smallCsv), quotes / mostQuotes);
}

/**
 * The rows of a CSV text (RFC 4180) as objects whose values are texts. The delimiter is found in the text, `,` where
 * none is. White space around a field does not count, empty lines do not either, and a field that a row lacks is "".
 * A column without a name is `field` with its place from 1. TaskError for a text that is not CSV, or too much of it.
 */
export function parseCsv(text: string, options: CsvOptions): Record<string, string>[] {
  const rows = readRows(text);
  const [first = []] = rows;
  const body = options.headersIncluded ? rows.slice(1) : rows;
  const names = options.headerRow ?? (options.headersIncluded ? first : []);
  const width = body.reduce((most, row) => Math.max(most, row.length), names.length);
  requireRoom(body.length * width, options.isInWorker === true);
  const columns = Array.from({ length: width }, (_, index) => names[index] || `field${index + 1}`);
  return body.map((row) => rowObject(row, columns, names.length));
}

function readRows(text: string): string[][] {
  const { data, errors } = parse(text, findDelimiter(text));
  const broken = errors.find(isQuoteError);
  if (broken) throw new TaskError(`Row ${(broken.row ?? 0) + 1} of the CSV text: ${broken.message}`);
  return data;
}

function parse(text: string, delimiter: string, preview = 0): Papa.ParseResult<string[]> {
  return Papa.parse<string[]>(text, {
    delimiter,
    preview,
    skipEmptyLines: true,
    transform: (field) => field.trim(),
  });
}

function isQuoteError({ type }: Papa.ParseError): boolean {
  return type === "Quotes";
}

/** The delimiter that splits the first rows most evenly, into most fields. */
function findDelimiter(text: string): string {
  const splits = delimiters.flatMap((delimiter) => {
    const { data, errors } = parse(text, delimiter, previewedRows);
    const widths = data.map((row) => row.length);
    const isSplit = Math.max(...widths) > 1 && !errors.some(isQuoteError);
    return isSplit ? [{ delimiter, spread: new Set(widths).size, width: widths[0] ?? 0 }] : [];
  });
  const [best] = splits.toSorted((a, b) => a.spread - b.spread || b.width - a.width);
  return best?.delimiter ?? ",";
}

function requireRoom(cells: number, isInWorker: boolean): void {
  if (cells > mostCells) throw new TaskError(`The table would have ${cells} cells; at most ${mostCells} are possible`);
  if (cells > mostCellsOnLoop && !isInWorker) throw new HeavyWorkError();
}

/** Named columns are in every row; further ones only in rows that have them. Entries, so that any text can be a name. */
function rowObject(row: readonly string[], columns: readonly string[], named: number): Record<string, string> {
  const length = Math.max(named, row.length);
  return Object.fromEntries(columns.slice(0, length).map((name, index) => [name, row[index] ?? ""]));
}
