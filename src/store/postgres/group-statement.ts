import { Additions } from "../commits/additions.ts";
import type { EncodedWrite } from "../commits/encode-writes.ts";
import { sqlName } from "../sql/sql-names.ts";
import { rowOf, type Step } from "./fold-writes.ts";
import { longestKnown, type Exchange, type KnownTexts } from "./known-texts.ts";

/** A statement with its values. `name` stands for its text, so that the server plans it once. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** The statement of some commits. */
export interface GroupStatement extends Statement {
  /** What it does by a sum that was made here. */
  exchanges: readonly Exchange[];
}

/** Row of the answer: for each part that may find nothing to do, the identifiers it did change; for additions the documents there are now. */
export type GroupAnswer = Readonly<Record<string, string[] | boolean>>;

/** JSON text holds no control characters, so many of them travel as one value, without any escaping. */
const separator = "\u001e";

type Column = {
  values: (string | number | boolean | null)[];
  type: "text" | "json" | "bigint" | "integer" | "boolean";
};

/** An event, and whether it begins a log or follows one of the same statement. */
type Append = Extract<EncodedWrite, { kind: "appendEvent" }> & { isNext: boolean };

type RowWrite = Exclude<EncodedWrite, { kind: "appendEvent" }> | Append | Exchange;

/** Writes of one kind to one table. */
interface Part {
  /** Stable: parts are ordered by it, so that equal sets of parts make equal texts. */
  key: string;
  write: RowWrite;
  columns: Column[];
}

/**
 * One statement that executes all writes of some commits, all or nothing: each kind of write to each
 * table is one part. No two of the writes may concern the same row, but for additions, which become one, and an
 * exchange where the text of the document is known.
 */
export function groupStatement(steps: readonly Step[], known?: KnownTexts): GroupStatement {
  const writes = rowWrites(steps, known);
  const parts = gather(writes);
  const values: unknown[] = [];
  const clauses: string[] = [];
  const answers: string[] = [];
  parts.forEach((part, index) => {
    const name = `p${index}`;
    const rows = source(part, values);
    if (part.write.kind === "removeLog") clauses.push(`${name}s AS (${deleteOf("job_snapshots", rows)})`);
    clauses.push(`${name} AS (${partSql(part, rows)})`);
    const answer = answerSql(part, name, values);
    if (answer) answers.push(answer);
  });
  const text = `WITH ${clauses.join(", ")} SELECT ${answers.join(", ") || "1 AS done"}`;
  const name = parts.map(({ key }) => key).join();
  const exchanges = writes.filter((write) => write.kind === "exchange");
  return { name: name.length < 60 ? name : shortened(name), text, values, exchanges };
}

/** The documents that additions of the statement left, as far as the answer has them. */
export function addedDocuments(answer: GroupAnswer): { collection: string; id: string; text: string }[] {
  return Object.entries(answer).flatMap(([key, documents]) => {
    const [kind, collection = ""] = key.split(" ");
    if (kind !== "add" || !Array.isArray(documents)) return [];
    return documents.map((document) => {
      const [id = "", text = ""] = document.split(separator);
      return { collection, id, text };
    });
  });
}

/** The identifiers that parts of the statement found in place: of writes that may have nothing to do. */
export function answerKey(write: RowWrite | EncodedWrite): string | undefined {
  return write.kind === "keep" || write.kind === "remove" ? partKey(write) : undefined;
}

function gather(writes: readonly RowWrite[]): Part[] {
  const parts = new Map<string, { part: Part; rows: { sortBy: string; cells: Cell[] }[] }>();
  for (const write of writes) {
    const key = partKey(write);
    let entry = parts.get(key);
    if (!entry) {
      entry = { part: { key, write, columns: [] }, rows: [] };
      parts.set(key, entry);
    }
    const cells = cellsOf(write);
    entry.rows.push({ sortBy: String(cells[0]?.[0]), cells });
  }
  return [...parts.values()].map(({ part, rows }) => ({ ...part, columns: columnsOf(rows) })).toSorted(byKey);
}

/** The writes of all steps, additions to one document as one, and the same requirement once. */
function rowWrites(steps: readonly Step[], known: KnownTexts | undefined): RowWrite[] {
  const additions = new Additions();
  const appended = new Set<string>();
  const required = new Map<string, RowWrite>();
  const writes: RowWrite[] = [];
  for (const step of steps) {
    for (const write of step) {
      if (write.kind === "add") additions.add(write);
      else if (write.kind === "require") required.set(`${rowOf(write)} ${write.version}`, write);
      else writes.push(write.kind === "appendEvent" ? appendTo(appended, write) : write);
    }
  }
  writes.push(...required.values());
  for (const addition of additions.take()) writes.push(known?.exchangeOf(addition) ?? addition);
  return writes;
}

/** `appended`: the events of the statement so far. */
function appendTo(appended: Set<string>, write: Omit<Append, "isNext">): Append {
  const { jobId, seq } = write;
  appended.add(`${jobId} ${seq}`);
  return { ...write, isNext: seq === 1 || appended.has(`${jobId} ${seq - 1}`) };
}

function byKey(left: Part, right: Part): number {
  return left.key < right.key ? -1 : 1;
}

/** Rows in the same order on every node, so that two nodes seldom wait for each other crosswise. */
function columnsOf(rows: { sortBy: string; cells: Cell[] }[]): Column[] {
  rows.sort((left, right) => (left.sortBy < right.sortBy ? -1 : 1));
  const columns: Column[] = (rows[0]?.cells ?? []).map(([, type]) => ({ type, values: [] }));
  for (const { cells } of rows) cells.forEach(([value], index) => columns[index]?.values.push(value));
  return columns;
}

function partKey(write: RowWrite | EncodedWrite): string {
  return "collection" in write ? `${write.kind} ${write.collection}` : write.kind;
}

type Cell = [value: Column["values"][number], type: Column["type"]];

function cellsOf(write: RowWrite): Cell[] {
  switch (write.kind) {
    case "put":
    case "keep":
    case "add":
      return [
        [write.id, "text"],
        [write.text, "json"],
      ];
    case "insert":
    case "replace":
      return [
        [write.id, "text"],
        [write.text, "json"],
        [write.version, "bigint"],
      ];
    case "exchange":
      return [
        [write.id, "text"],
        [write.text, "json"],
        [write.from, "json"],
      ];
    case "remove":
      return [[write.id, "text"]];
    case "discard":
    case "require":
      return [
        [write.id, "text"],
        [write.version, "bigint"],
      ];
    default:
      return otherCells(write);
  }
}

function otherCells(write: Exclude<RowWrite, { collection: string }>): Cell[] {
  switch (write.kind) {
    case "appendEvent":
      return [
        [write.jobId, "text"],
        [write.seq, "integer"],
        [write.at, "bigint"],
        [write.delta, "json"],
        [write.isNext, "boolean"],
      ];
    case "putSnapshot":
      return [
        [write.jobId, "text"],
        [write.seq, "integer"],
        [write.state, "json"],
      ];
    case "removeLog":
      return [[write.jobId, "text"]];
    case "enqueue":
      return [
        [write.id, "text"],
        [write.runAt, "bigint"],
        [write.workKind, "text"],
        [write.payload, "json"],
        [write.attempts, "integer"],
      ];
    case "postpone":
      return [
        [write.itemId, "text"],
        [write.runAt, "bigint"],
        [write.attempts ?? null, "integer"],
        [write.from ?? null, "bigint"],
      ];
    case "complete":
      return [[write.itemId, "text"]];
  }
}

/** The rows of a part as a table `k (c0, c1, …)`. */
function source({ columns }: Part, values: unknown[]): string {
  const arrays = columns.map(({ type, values: cells }) => {
    values.push(type === "json" ? cells.join(separator) : cells);
    return type === "json" ? `string_to_array($${values.length}, E'\\x1e')` : `$${values.length}::${type}[]`;
  });
  return `unnest(${arrays.join(", ")}) AS k (${columns.map((_, index) => `c${index}`).join(", ")})`;
}

function partSql({ write }: Part, rows: string): string {
  switch (write.kind) {
    case "insert":
      return `INSERT INTO ${sqlName(write.collection)} (id, version, doc) SELECT c0, c2, c1::json FROM ${rows}`;
    case "put": {
      const table = sqlName(write.collection);
      return `INSERT INTO ${table} AS t (id, version, doc) SELECT c0, 1, c1::json FROM ${rows} ON CONFLICT (id) DO UPDATE SET version = t.version + 1, doc = excluded.doc`;
    }
    case "add": {
      const table = sqlName(write.collection);
      return `INSERT INTO ${table} AS t (id, version, doc) SELECT c0, 1, c1::json FROM ${rows} ON CONFLICT (id) DO UPDATE SET version = t.version + 1, doc = linewright_add(t.doc, excluded.doc) RETURNING id, doc::text AS text`;
    }
    case "exchange":
      return `UPDATE ${sqlName(write.collection)} AS t SET version = t.version + 1, doc = c1::json FROM ${rows} WHERE t.id = c0 AND t.doc::text = c2 RETURNING t.id`;
    case "keep":
      return `INSERT INTO ${sqlName(write.collection)} (id, version, doc) SELECT c0, 1, c1::json FROM ${rows} ON CONFLICT (id) DO NOTHING RETURNING id`;
    case "replace":
      return `UPDATE ${sqlName(write.collection)} AS t SET version = t.version + 1, doc = c1::json FROM ${rows} WHERE t.id = c0 AND t.version = c2 RETURNING t.id`;
    case "remove":
      return `DELETE FROM ${sqlName(write.collection)} AS t USING ${rows} WHERE t.id = c0 RETURNING t.id`;
    case "discard":
      return `DELETE FROM ${sqlName(write.collection)} AS t USING ${rows} WHERE t.id = c0 AND t.version = c1 RETURNING t.id`;
    case "require":
      return `SELECT t.id FROM ${rows} JOIN ${sqlName(write.collection)} AS t ON t.id = c0 AND t.version = c1`;
    default:
      return otherSql(write.kind, rows);
  }
}

function otherSql(kind: Exclude<RowWrite, { collection: string }>["kind"], rows: string): string {
  switch (kind) {
    case "appendEvent":
      // An event that follows none gets no number, which the table refuses.
      return `INSERT INTO job_events (job_id, seq, at, delta) SELECT c0, CASE WHEN c4 THEN c1 ELSE (SELECT e.seq + 1 FROM job_events AS e WHERE e.job_id = c0 AND e.seq = c1 - 1) END, c2, c3 FROM ${rows}`;
    case "putSnapshot":
      return `INSERT INTO job_snapshots AS t (job_id, seq, state) SELECT c0, c1, c2 FROM ${rows} ON CONFLICT (job_id) DO UPDATE SET seq = excluded.seq, state = excluded.state WHERE excluded.seq >= t.seq`;
    case "removeLog":
      return deleteOf("job_events", rows);
    case "enqueue":
      return `INSERT INTO work_items (id, run_at, kind, payload, attempts) SELECT c0, c1, c2, c3, c4 FROM ${rows} ON CONFLICT (id) DO UPDATE SET run_at = excluded.run_at, kind = excluded.kind, payload = excluded.payload, attempts = excluded.attempts`;
    case "postpone":
      return `UPDATE work_items AS t SET run_at = c1, attempts = coalesce(c2, t.attempts) FROM ${rows} WHERE t.id = c0 AND (c3 IS NULL OR t.run_at = c3)`;
    case "complete":
      return `DELETE FROM work_items AS t USING ${rows} WHERE t.id = c0`;
  }
}

/** Deletes the rows of jobs from a table of the log. */
function deleteOf(table: string, rows: string): string {
  return `DELETE FROM ${table} AS t USING ${rows} WHERE t.job_id = c0`;
}

/** Writes that are refused where one of their rows is not as it was. */
const mustFindAll: ReadonlySet<RowWrite["kind"]> = new Set(["replace", "discard", "require", "exchange"]);

function answerSql({ key, write, columns }: Part, name: string, values: unknown[]): string | undefined {
  if (write.kind === "add") {
    return `ARRAY(SELECT id || E'\\x1e' || text FROM ${name} WHERE length(text) <= ${longestKnown}) AS ${sqlName(key)}`;
  }
  if (mustFindAll.has(write.kind)) {
    values.push(columns[0]?.values.length ?? 0);
    return `linewright_all((SELECT count(*) FROM ${name}), $${values.length}::bigint) AS ${sqlName(key)}`;
  }
  return answerKey(write) === undefined ? undefined : `ARRAY(SELECT id FROM ${name}) AS ${sqlName(key)}`;
}

/** Names of prepared statements are cut at 63 bytes: a long one keeps its beginning and gets a sum of the whole. */
function shortened(name: string): string {
  let sum = 0;
  let second = 7;
  for (let index = 0; index < name.length; index++) {
    sum = (Math.imul(sum, 31) + name.charCodeAt(index)) | 0;
    second = (Math.imul(second, 131) + name.charCodeAt(index)) | 0;
  }
  return `${name.slice(0, 40)} ${(sum >>> 0).toString(36)} ${(second >>> 0).toString(36)}`;
}
