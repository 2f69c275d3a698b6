import type { IndexDefinition } from "../indexes.ts";
import { sqlName, sqlText } from "../sql/sql-names.ts";
import { readableSql, readableText } from "./readable-text.ts";
import { safeName } from "./safe-name.ts";

/*
 * A key is a text whose order (COLLATE "C") is the order of values: NULL for null or missing, then
 * '1' and sixteen digits for numbers, '2' and the text itself, '3' for objects, '4' for arrays,
 * '5false' and '5true'. Objects among themselves, and arrays, are equal.
 */

/** What keys of numbers and of texts begin with, and what comes after all of them. */
export const keyRanges = { number: ["1", "2"], string: ["2", "3"] } as const;

/** The column with the key of an indexed field, as SQL. */
export function keyColumn(field: string): string {
  return field === "_id" ? "id" : sqlName(keyColumnName(field));
}

/** The name itself of that column. */
export function keyColumnName(field: string): string {
  return field === "_id" ? "id" : safeName(`key ${field}`);
}

/** The key of a text, as key columns hold it. */
export function textKey(text: string): string {
  return `2${readableText(text)}`;
}

/** The key of a number. Bits of positive numbers grow with them; those of negative ones shrink, so they are turned round. */
export function numberKey(number: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  const digits = (number < 0 ? ~bits & 0xff_ff_ff_ff_ff_ff_ff_ffn : bits).toString(16).padStart(16, "0");
  return `1${number < 0 ? 0 : 1}${digits}`;
}

/** Indexed fields of a collection, `_id` included, with their columns. */
export function indexedColumns(indexes: readonly IndexDefinition[]): ReadonlyMap<string, string> {
  return new Map(["_id", ...keyFields(indexes)].map((field) => [field, keyColumn(field)]));
}

/** Fields of the indexes, each once, without `_id`. */
export function keyFields(indexes: readonly IndexDefinition[]): string[] {
  return [...new Set(indexes.flatMap((index) => index.fields))].filter((field) => field !== "_id");
}

/** The definition of a key column. The database computes it, so that every release writes it, also one that has no such index. */
export function keyColumnSql(field: string): string {
  const path = `ARRAY[${field.split(".").map(sqlText).join(", ")}]`;
  return `${keyColumn(field)} text COLLATE "C" GENERATED ALWAYS AS (linewright_key(doc, ${path})) STORED`;
}

/** The definition of the column with the readable form of the document, which few documents need. */
export const readableColumnSql = "readable json GENERATED ALWAYS AS (linewright_readable(doc)) STORED";

/**
 * The functions of generated columns, by signature. Stored values depend on them: once released a function never
 * changes, and another way to make keys needs another name. They call no function but the server's own, so
 * that restored dumps need no search path. The key is that of what a path leads to without reaching into arrays.
 */
export const columnFunctions: Readonly<Record<string, string>> = {
  "linewright_readable(json)": `
  CREATE FUNCTION linewright_readable(document json) RETURNS json
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  BEGIN
    RETURN ${readableSql("document", "NULL")};
  END $$`,
  "linewright_key(json, text[])": `
  CREATE FUNCTION linewright_key(document json, path text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
  DECLARE
    value json := ${readableSql("document", "document")};
    member text;
    bits text;
  BEGIN
    FOREACH member IN ARRAY path LOOP
      value := value -> member;
    END LOOP;
    CASE json_typeof(value)
      WHEN 'string' THEN
        RETURN '2' || (value #>> '{}');
      WHEN 'number' THEN
        bits := encode(float8send(value::text::float8), 'hex');
        IF left(bits, 1) IN ('0', '1', '2', '3', '4', '5', '6', '7') THEN RETURN '11' || bits; END IF;
        RETURN '10' || translate(bits, '0123456789abcdef', 'fedcba9876543210');
      WHEN 'object' THEN RETURN '3';
      WHEN 'array' THEN RETURN '4';
      WHEN 'boolean' THEN RETURN '5' || value::text;
      ELSE RETURN NULL;
    END CASE;
  END $$`,
};
