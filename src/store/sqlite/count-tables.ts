import type { Database } from "better-sqlite3";
import { countedFields, countTableName, type IndexDefinition } from "../indexes.ts";
import type { Condition, Test } from "../query/condition.ts";
import { sqlName } from "../sql/sql-names.ts";
import { compileWhere, type CompiledSql } from "./compile-condition.ts";
import { indexedExpression } from "./indexed-columns.ts";
import { SqlParameters } from "./sql-parameters.ts";

/*
 * The count table of a collection has a row for each combination of values of its counted fields that some
 * document has or had, with the number of these documents. Triggers keep it in the transaction of the write itself.
 */

/** Makes the count table of a collection and its triggers, counting the documents that are there; removes one that is not wanted. */
export function createCountTable(database: Database, collection: string, indexes: readonly IndexDefinition[]): void {
  const fields = countedFields(indexes);
  const wanted = fields.length === 0 ? [] : [tableSql(collection, fields), ...triggersSql(collection, fields)];
  const found = database
    .prepare<[string, string], { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM sqlite_schema WHERE (type = 'table' AND name = ?) OR (type = 'trigger' AND tbl_name = ?)",
    )
    .all(countTableName(collection), collection)
    .filter(({ name }) => name.startsWith(countTableName(collection)));
  const isSame = found.length === wanted.length && found.every(({ sql }) => wanted.includes(sql));
  if (isSame) return;
  for (const { type, name } of found) database.exec(`DROP ${type} ${sqlName(name)}`);
  for (const sql of wanted) database.exec(sql);
  if (fields.length > 0) database.exec(fillSql(collection, fields));
}

/** Counted fields of a collection with their columns of its count table. */
export function countedColumns(indexes: readonly IndexDefinition[]): ReadonlyMap<string, string> {
  return new Map(countedFields(indexes).map((field) => [field, countColumn(field)]));
}

/** SELECT of one row with the numbers of documents (columns `t0`, `t1`, …) that satisfy each of some conditions on counted fields. */
export function totalsStatement(
  collection: string,
  conditions: readonly Condition[],
  columns: ReadonlyMap<string, string>,
): CompiledSql {
  const parameters = new SqlParameters();
  const totals = conditions.map((condition, index) => {
    const where = compileWhere(condition, parameters, columns);
    return `coalesce(sum(total) FILTER (WHERE ${where}), 0) AS t${index}`;
  });
  return {
    sql: `SELECT ${totals.join(", ")} FROM ${sqlName(countTableName(collection))}`,
    parameters: parameters.values,
  };
}

/** SELECT of the texts (column `value`) in a counted field that pass a test, at most `limit`. */
export function valuesStatement(
  collection: string,
  { field, test, limit }: { field: string; test: Test; limit: number },
): CompiledSql {
  const parameters = new SqlParameters();
  const column = countColumn(field);
  const condition: Condition = { kind: "field", path: field.split("."), test };
  const where = compileWhere(condition, parameters, new Map([[field, column]]));
  return {
    sql: `SELECT DISTINCT ${column} AS value FROM ${sqlName(countTableName(collection))} WHERE ${where} LIMIT ${parameters.bind(limit)}`,
    parameters: parameters.values,
  };
}

function countColumn(field: string): string {
  return sqlName(`by ${field}`);
}

function tableSql(collection: string, fields: readonly string[]): string {
  return `CREATE TABLE ${sqlName(countTableName(collection))} (key TEXT PRIMARY KEY NOT NULL, ${fields.map(countColumn).join(", ")}, total INTEGER NOT NULL) WITHOUT ROWID`;
}

/** Tells values of different types apart, and nothing from the text `null`. */
function keyOf(fields: readonly string[], row: "" | "NEW." | "OLD."): string {
  return `json_array(${valuesOf(fields, row)})`;
}

function valuesOf(fields: readonly string[], row: "" | "NEW." | "OLD."): string {
  return fields.map((field) => indexedExpression(field, row)).join(", ");
}

function triggersSql(collection: string, fields: readonly string[]): string[] {
  const name = countTableName(collection);
  const table = sqlName(name);
  const columns = fields.map(countColumn).join(", ");
  // Each value is read from the document once: that is most of what counting costs.
  const values = fields.map((field) => `${indexedExpression(field, "NEW.")} AS ${countColumn(field)}`).join(", ");
  const add = `INSERT INTO ${table} SELECT json_array(${columns}), ${columns}, 1 FROM (SELECT ${values} LIMIT 1) WHERE true ON CONFLICT (key) DO UPDATE SET total = total + 1;`;
  const take = `UPDATE ${table} SET total = total - 1 WHERE key = ${keyOf(fields, "OLD.")};`;
  const isMoved = fields
    .map((field) => `${indexedExpression(field, "OLD.")} IS NOT ${indexedExpression(field, "NEW.")}`)
    .join(" OR ");
  const trigger = (kind: string, event: string, body: string): string =>
    `CREATE TRIGGER ${sqlName(`${name} ${kind}`)} AFTER ${event} BEGIN ${body} END`;
  const on = sqlName(collection);
  return [
    trigger("insert", `INSERT ON ${on}`, add),
    trigger("delete", `DELETE ON ${on}`, take),
    trigger("update", `UPDATE OF doc ON ${on} WHEN ${isMoved}`, `${take} ${add}`),
  ];
}

function fillSql(collection: string, fields: readonly string[]): string {
  return `INSERT INTO ${sqlName(countTableName(collection))} SELECT ${keyOf(fields, "")}, ${valuesOf(fields, "")}, count(*) FROM ${sqlName(collection)} GROUP BY 1`;
}
