import { countedFields, countTableName, type IndexDefinition } from "../indexes.ts";
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

/**
 * The statements that make the count table of a collection and its triggers, counting the documents that are
 * there, or remove one that is not wanted. `found`: the columns of the table there is, if there is one.
 */
export function countTableChanges(
  collection: string,
  indexes: readonly IndexDefinition[],
  found: readonly string[] | undefined,
): string[] {
  const fields = countedFields(indexes);
  const wanted = ["slot", ...fields.map(keyColumnName), "total"];
  if (fields.length > 0 ? found?.join("\n") === wanted.join("\n") : !found) return [];
  const drop = found
    ? [
        `DROP TABLE ${tableOf(collection)}`,
        `DROP FUNCTION ${functionOf(collection)} CASCADE`,
        `DROP STATISTICS IF EXISTS ${statisticsOf(collection)}`,
      ]
    : [];
  return fields.length === 0 ? drop : [...drop, ...creation(collection, fields)];
}

/** Counted fields of a collection with their columns of its count table. */
export function countedColumns(indexes: readonly IndexDefinition[]): ReadonlyMap<string, string> {
  return new Map(countedFields(indexes).map((field) => [field, keyColumn(field)]));
}

/** SELECT of the number of documents (column `total`) that satisfy a condition on counted fields. */
export function totalStatement(
  collection: string,
  condition: Condition,
  columns: ReadonlyMap<string, string>,
): QueryStatement {
  const parameters = new PostgresParameters();
  const where = compileCondition(condition, new PostgresDialect(parameters), columns);
  return {
    text: `SELECT coalesce(sum(total), 0)::bigint AS total FROM ${tableOf(collection)} WHERE ${where}`,
    values: parameters.values,
  };
}

/** SELECT of the keys of texts (column `key`) in a counted field that pass a test, at most `limit`. */
export function keysStatement(
  collection: string,
  { field, test, limit }: { field: string; test: Test; limit: number },
): QueryStatement {
  const parameters = new PostgresParameters();
  const column = keyColumn(field);
  const condition: Condition = { kind: "field", path: field.split("."), test };
  const where = compileCondition(condition, new PostgresDialect(parameters), new Map([[field, column]]));
  return {
    text: `SELECT DISTINCT ${column} AS key FROM ${tableOf(collection)} WHERE ${where} LIMIT ${parameters.bind(limit, "bigint")}`,
    values: parameters.values,
  };
}

function tableOf(collection: string): string {
  return sqlName(safeName(countTableName(collection)));
}

function functionOf(collection: string): string {
  return sqlName(safeName(`count ${collection}`));
}

function statisticsOf(collection: string): string {
  return sqlName(safeName(`values of ${collection}`));
}

function creation(collection: string, fields: readonly string[]): string[] {
  const keys = fields.map(keyColumn).join(", ");
  const table = tableOf(collection);
  // Room for new versions of a row beside it: these rows change with every commit.
  const storage = "WITH (fillfactor = 30, autovacuum_vacuum_scale_factor = 0.02)";
  const columns = fields.map((field) => `${keyColumn(field)} text COLLATE "C"`).join(", ");
  const unique = `CONSTRAINT ${sqlName(safeName(`counts of ${collection}`))} UNIQUE NULLS NOT DISTINCT (slot, ${keys})`;
  return [
    `CREATE TABLE ${table} (slot integer NOT NULL, ${columns}, total bigint NOT NULL, ${unique}) ${storage}`,
    // Without it the server takes counted fields for independent of each other.
    ...(fields.length > 1
      ? [`CREATE STATISTICS ${statisticsOf(collection)} (mcv) ON ${keys} FROM ${sqlName(collection)}`]
      : []),
    functionSql(collection, fields),
    ...triggersSql(collection),
    `INSERT INTO ${table} SELECT 0, ${keys}, count(*) FROM ${sqlName(collection)} GROUP BY ${keys}`,
  ];
}

/** Rows in the same order everywhere, so that two connections of one slot do not wait for each other crosswise. */
function functionSql(collection: string, fields: readonly string[]): string {
  const keys = fields.map(keyColumn).join(", ");
  const table = tableOf(collection);
  const added = `SELECT ${keys}, 1 AS change FROM new_rows`;
  const taken = `SELECT ${keys}, -1 AS change FROM old_rows`;
  const add = (rows: string): string => `
    INSERT INTO ${table} AS c SELECT pg_backend_pid() % ${slots}, ${keys}, sum(change) FROM (${rows}) AS r
    GROUP BY ${keys} HAVING sum(change) <> 0 ORDER BY ${keys}
    ON CONFLICT (slot, ${keys}) DO UPDATE SET total = c.total + excluded.total;`;
  return `CREATE FUNCTION ${functionOf(collection)}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN ${add(added)}
    ELSIF TG_OP = 'DELETE' THEN ${add(taken)}
    ELSE ${add(`${taken} UNION ALL ${added}`)}
    END IF;
    RETURN NULL;
  END $$`;
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
