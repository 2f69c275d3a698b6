import type { Database } from "better-sqlite3";
import { countsOf, type CountDefinition, type IndexDefinition } from "../indexes.ts";
import type { Condition, Test } from "../query/condition.ts";
import { sqlName } from "../sql/sql-names.ts";
import { compileWhere, type CompiledSql } from "./compile-condition.ts";
import { indexedExpression } from "./indexed-columns.ts";
import { SqlParameters } from "./sql-parameters.ts";

/*
 * A count table of a collection has a row for each combination of values of its fields that some
 * document has or had, with the number of these documents. Triggers keep it in the transaction of the write itself.
 */

/** Makes the count tables of a collection and their triggers, counting the documents that are there; removes those that are not wanted. */
export function createCountTables(database: Database, collection: string, indexes: readonly IndexDefinition[]): void {
  const found = findObjects(database, collection);
  const counts = countsOf(collection, indexes);
  const wanted = new Map(counts.map((count) => [count, [tableSql(count), ...triggersSql(collection, count)]]));
  const isThere = (count: CountDefinition): boolean => {
    const own = found.filter((object) => isPartOf(count, object));
    const sqls = wanted.get(count) ?? [];
    return own.length === sqls.length && own.every(({ sql }) => sqls.includes(sql));
  };
  const kept = counts.filter(isThere);
  for (const object of found) {
    if (!kept.some((count) => isPartOf(count, object))) database.exec(`DROP ${object.type} ${sqlName(object.name)}`);
  }
  for (const count of counts) {
    if (kept.includes(count)) continue;
    for (const sql of [...(wanted.get(count) ?? []), fillSql(collection, count)]) database.exec(sql);
  }
}

interface SchemaObject {
  type: string;
  name: string;
  sql: string;
}

/** All count tables and triggers of a collection: their names begin with it and a dot. */
function findObjects(database: Database, collection: string): SchemaObject[] {
  return database
    .prepare<[string, string], SchemaObject>(
      "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'trigger') AND substr(name, 1, length(?)) = ?",
    )
    .all(`${collection}.`, `${collection}.`);
}

function isPartOf({ table }: CountDefinition, { name }: SchemaObject): boolean {
  return name === table || name.startsWith(`${table} `);
}

/** The fields of a count table with their columns. */
function countedColumns({ fields }: CountDefinition): ReadonlyMap<string, string> {
  return new Map(fields.map((field) => [field, countColumn(field)]));
}

/** SELECT of one row with the numbers of documents (columns `t0`, `t1`, …) that satisfy each of some conditions on counted fields. */
export function totalsStatement(count: CountDefinition, conditions: readonly Condition[]): CompiledSql {
  const parameters = new SqlParameters();
  const columns = countedColumns(count);
  const totals = conditions.map((condition, index) => {
    const where = compileWhere(condition, parameters, columns);
    return `coalesce(sum(total) FILTER (WHERE ${where}), 0) AS t${index}`;
  });
  return {
    sql: `SELECT ${totals.join(", ")} FROM ${sqlName(count.table)}`,
    parameters: parameters.values,
  };
}

/** SELECT of the texts (column `value`) in a counted field that pass a test, at most `limit`. */
export function valuesStatement(
  { table }: CountDefinition,
  { field, test, limit }: { field: string; test: Test; limit: number },
): CompiledSql {
  const parameters = new SqlParameters();
  const column = countColumn(field);
  const condition: Condition = { kind: "field", path: field.split("."), test };
  const where = compileWhere(condition, parameters, new Map([[field, column]]));
  return {
    sql: `SELECT DISTINCT ${column} AS value FROM ${sqlName(table)} WHERE ${where} LIMIT ${parameters.bind(limit)}`,
    parameters: parameters.values,
  };
}

function countColumn(field: string): string {
  return sqlName(`by ${field}`);
}

function tableSql({ table, fields }: CountDefinition): string {
  return `CREATE TABLE ${sqlName(table)} (key TEXT PRIMARY KEY NOT NULL, ${fields.map(countColumn).join(", ")}, total INTEGER NOT NULL) WITHOUT ROWID`;
}

/** Tells values of different types apart, and nothing from the text `null`. */
function keyOf(fields: readonly string[], row: "" | "NEW." | "OLD."): string {
  return `json_array(${valuesOf(fields, row)})`;
}

function valuesOf(fields: readonly string[], row: "" | "NEW." | "OLD."): string {
  return fields.map((field) => indexedExpression(field, row)).join(", ");
}

function triggersSql(collection: string, { table: name, fields }: CountDefinition): string[] {
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

function fillSql(collection: string, { table, fields }: CountDefinition): string {
  return `INSERT INTO ${sqlName(table)} SELECT ${keyOf(fields, "")}, ${valuesOf(fields, "")}, count(*) FROM ${sqlName(collection)} GROUP BY 1`;
}
