import { countsOf, type CountDefinition, type IndexDefinition } from "../indexes.ts";
import type { Condition, Test } from "../query/condition.ts";
import { compileCondition } from "../sql/compile-condition.ts";
import { sqlName } from "../sql/sql-names.ts";
import type { QueryStatement } from "./find-statement.ts";
import { keyColumn, keyColumnName } from "./key-columns.ts";
import { PostgresDialect } from "./postgres-dialect.ts";
import { PostgresParameters } from "./postgres-parameters.ts";
import { safeName } from "./safe-name.ts";

/*
 * The count table of a collection says how many documents have which combination of keys in its counted
 * fields: the sum over the slots. Each connection adds to the slot of its process, so that nodes, which
 * commit on one connection each, seldom wait for each other's rows; a slot's total may be below zero.
 * Triggers keep it in the transaction of the write itself, once for each statement.
 */
const slots = 16;

/** A count table that is there. */
export interface FoundCounts {
  table: string;
  columns: readonly string[];
}

/**
 * The statements that make the count tables of a collection and their triggers, counting the documents that are
 * there, and remove what is not wanted. One function keeps all of them, so they are made together.
 */
export function countTableChanges(
  collection: string,
  indexes: readonly IndexDefinition[],
  found: readonly FoundCounts[],
): string[] {
  const counts = countsOf(collection, indexes);
  const isThere = (count: CountDefinition): boolean =>
    found.some(
      ({ table, columns }) => table === tableName(count) && columns.join("\n") === columnsOf(count).join("\n"),
    );
  if (counts.length === found.length && counts.every(isThere)) return [];
  return [
    ...(found.length > 0 ? [`DROP FUNCTION ${functionOf(collection)} CASCADE`] : []),
    ...found.flatMap(({ table }) => [
      `DROP TABLE ${sqlName(table)}`,
      `DROP STATISTICS IF EXISTS ${statisticsOf(table)}`,
    ]),
    ...counts.flatMap((count) => tableCreation(collection, count)),
    ...(counts.length > 0 ? [functionSql(collection, counts), ...triggersSql(collection)] : []),
    ...counts.map((count) => fillSql(collection, count)),
  ];
}

/** Is it a count table, by its columns? */
export function isCountTable({ columns }: FoundCounts): boolean {
  return columns[0] === "slot" && columns.at(-1) === "total";
}

function columnsOf({ fields }: CountDefinition): string[] {
  return ["slot", ...fields.map(keyColumnName), "total"];
}

/** The fields of a count table with their columns. */
function countedColumns({ fields }: CountDefinition): ReadonlyMap<string, string> {
  return new Map(fields.map((field) => [field, keyColumn(field)]));
}

/** SELECT of the number of documents (column `total`) that satisfy a condition on counted fields. */
export function totalStatement(count: CountDefinition, condition: Condition): QueryStatement {
  const parameters = new PostgresParameters();
  const where = compileCondition(condition, new PostgresDialect(parameters), countedColumns(count));
  return {
    text: `SELECT coalesce(sum(total), 0)::bigint AS total FROM ${tableOf(count)} WHERE ${where}`,
    values: parameters.values,
  };
}

/** SELECT of the keys of texts (column `key`) in a counted field that pass a test, at most `limit`. */
export function keysStatement(
  count: CountDefinition,
  { field, test, limit }: { field: string; test: Test; limit: number },
): QueryStatement {
  const parameters = new PostgresParameters();
  const column = keyColumn(field);
  const condition: Condition = { kind: "field", path: field.split("."), test };
  const where = compileCondition(condition, new PostgresDialect(parameters), new Map([[field, column]]));
  return {
    text: `SELECT DISTINCT ${column} AS key FROM ${tableOf(count)} WHERE ${where} LIMIT ${parameters.bind(limit, "bigint")}`,
    values: parameters.values,
  };
}

function tableName({ table }: CountDefinition): string {
  return safeName(table);
}

function tableOf(count: CountDefinition): string {
  return sqlName(tableName(count));
}

function functionOf(collection: string): string {
  return sqlName(safeName(`count ${collection}`));
}

function statisticsOf(table: string): string {
  return sqlName(safeName(`values of ${table}`));
}

function tableCreation(collection: string, count: CountDefinition): string[] {
  const { fields } = count;
  const keys = fields.map(keyColumn).join(", ");
  // Room for new versions of a row beside it: these rows change with every commit.
  const storage = "WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0.02)";
  const columns = fields.map((field) => `${keyColumn(field)} text COLLATE "C"`).join(", ");
  const unique = `CONSTRAINT ${sqlName(safeName(`keys of ${tableName(count)}`))} UNIQUE NULLS NOT DISTINCT (slot, ${keys})`;
  return [
    `CREATE TABLE ${tableOf(count)} (slot integer NOT NULL, ${columns}, total bigint NOT NULL, ${unique}) ${storage}`,
    // Without it the server takes counted fields for independent of each other.
    ...(fields.length > 1
      ? [`CREATE STATISTICS ${statisticsOf(tableName(count))} (mcv) ON ${keys} FROM ${sqlName(collection)}`]
      : []),
  ];
}

function fillSql(collection: string, count: CountDefinition): string {
  const keys = count.fields.map(keyColumn).join(", ");
  return `INSERT INTO ${tableOf(count)} SELECT 0, ${keys}, count(*) FROM ${sqlName(collection)} GROUP BY ${keys}`;
}

/** Rows in the same order everywhere, so that two connections of one slot do not wait for each other crosswise. */
function functionSql(collection: string, counts: readonly CountDefinition[]): string {
  const ofAll = (signs: readonly ("+" | "-")[]): string => counts.map((count) => additionSql(count, signs)).join("");
  return `CREATE FUNCTION ${functionOf(collection)}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN ${ofAll(["+"])}
    ELSIF TG_OP = 'DELETE' THEN ${ofAll(["-"])}
    ELSE ${ofAll(["-", "+"])}
    END IF;
    RETURN NULL;
  END $$`;
}

/** Adds new rows to a count table and takes old ones from it. */
function additionSql(count: CountDefinition, signs: readonly ("+" | "-")[]): string {
  const keys = count.fields.map(keyColumn).join(", ");
  const rows = signs.map((sign) =>
    sign === "+" ? `SELECT ${keys}, 1 AS change FROM new_rows` : `SELECT ${keys}, -1 AS change FROM old_rows`,
  );
  return `
    INSERT INTO ${tableOf(count)} AS c SELECT pg_backend_pid() % ${slots}, ${keys}, sum(change)
    FROM (${rows.join(" UNION ALL ")}) AS r GROUP BY ${keys} HAVING sum(change) <> 0 ORDER BY ${keys}
    ON CONFLICT (slot, ${keys}) DO UPDATE SET total = c.total + excluded.total;`;
}

function triggersSql(collection: string): string[] {
  const trigger = (event: string, rows: string): string =>
    `CREATE TRIGGER ${sqlName(`count ${event}`.toLowerCase())} AFTER ${event} ON ${sqlName(collection)} REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${functionOf(collection)}()`;
  return [
    trigger("INSERT", "NEW TABLE AS new_rows"),
    trigger("DELETE", "OLD TABLE AS old_rows"),
    trigger("UPDATE", "OLD TABLE AS old_rows NEW TABLE AS new_rows"),
  ];
}
