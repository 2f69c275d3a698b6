import type { ClientBase } from "pg";

/** A step of the schema. */
export interface Migration {
  sql: string;
  /** Nodes of the release before can still work once the step is taken: what a rolling upgrade needs. */
  keepsOlder: boolean;
}

/** Steps of the schema; the n-th brings a database to version n. Steps that were released never change. */
const migrations: readonly Migration[] = [
  {
    keepsOlder: false,
    sql: `
      CREATE TABLE job_events (
        job_id text COLLATE "C" NOT NULL, seq integer NOT NULL, at bigint NOT NULL, delta text NOT NULL,
        PRIMARY KEY (job_id, seq)
      );
      CREATE TABLE job_snapshots (job_id text COLLATE "C" PRIMARY KEY, seq integer NOT NULL, state text NOT NULL);
      CREATE TABLE work_items (
        id text COLLATE "C" PRIMARY KEY, run_at bigint NOT NULL, kind text NOT NULL,
        payload text NOT NULL, attempts integer NOT NULL
      ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
      CREATE INDEX work_items_run_at ON work_items (run_at, id);
      CREATE FUNCTION linewright_all(actual bigint, wanted bigint) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        IF actual <> wanted THEN RAISE EXCEPTION 'a document was changed since it was read' USING ERRCODE = 'LW001'; END IF;
        RETURN true;
      END $$;
    `,
  },
  // What a commit adds to documents (`core/add-members.ts` does the same): members stay in their order, new ones come last.
  {
    keepsOlder: true,
    sql: `
      CREATE FUNCTION linewright_add(document json, addition json) RETURNS json LANGUAGE plpgsql IMMUTABLE STRICT AS $$
      BEGIN
        IF json_typeof(document) = 'number' AND json_typeof(addition) = 'number' THEN
          RETURN to_json(document::text::numeric + addition::text::numeric);
        ELSIF json_typeof(document) <> 'object' OR json_typeof(addition) <> 'object' THEN
          RETURN addition;
        END IF;
        RETURN (
          SELECT coalesce(json_object_agg(m.name, m.value ORDER BY m.part, m.place), '{}') FROM (
            SELECT d.key AS name, 1 AS part, d.place,
              CASE WHEN a.key IS NULL THEN d.value ELSE linewright_add(d.value, a.value) END AS value
            FROM json_each(document) WITH ORDINALITY AS d (key, value, place)
            LEFT JOIN json_each(addition) AS a ON a.key = d.key
            UNION ALL
            SELECT a.key, 2, a.place, a.value FROM json_each(addition) WITH ORDINALITY AS a (key, value, place)
            WHERE NOT EXISTS (SELECT FROM json_each(document) AS d WHERE d.key = a.key)
          ) AS m
        );
      END $$;
    `,
  },
  // Only the indexes of collections changed: the new version keeps nodes of the release before from taking them back.
  { keepsOlder: true, sql: "" },
];

/** Versions of a database's schema: what it has, and the oldest release's schema that can work with it. */
export interface SchemaVersion {
  version: number;
  compatibleFrom: number;
}

/** The version that this release brings a database to. */
export const latestVersion = migrations.length;

/** The schema a database has; version 0 for an empty one. */
export async function readSchemaVersion(client: ClientBase): Promise<SchemaVersion> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('schema_version') IS NOT NULL AS exists",
  );
  if (!rows[0]?.exists) return { version: 0, compatibleFrom: 0 };
  const found = await client.query<SchemaVersion>(
    'SELECT version, compatible_from AS "compatibleFrom" FROM schema_version ORDER BY version DESC LIMIT 1',
  );
  return found.rows[0] ?? { version: 0, compatibleFrom: 0 };
}

/**
 * Brings the schema up to date in one transaction. Nodes that start at the same moment do so one after
 * the other. A database that only newer releases can work with is refused; returns its version before.
 */
export async function migrate(client: ClientBase, steps: readonly Migration[] = migrations): Promise<SchemaVersion> {
  const before = await readSchemaVersion(client);
  if (before.compatibleFrom > steps.length) throw newerRelease(before, steps.length);
  if (before.version >= steps.length) return before;
  await client.query(
    "CREATE TABLE IF NOT EXISTS schema_version (version integer PRIMARY KEY, compatible_from integer NOT NULL)",
  );
  let { compatibleFrom } = before;
  for (const [index, step] of steps.entries()) {
    const version = index + 1;
    if (version <= before.version) continue;
    if (!step.keepsOlder) compatibleFrom = version;
    await client.query(step.sql);
    await client.query("INSERT INTO schema_version (version, compatible_from) VALUES ($1, $2)", [
      version,
      compatibleFrom,
    ]);
  }
  return before;
}

function newerRelease({ version, compatibleFrom }: SchemaVersion, known: number): Error {
  return new Error(
    `The database was written by a newer release: its schema has version ${version} and needs a release that knows ${compatibleFrom}, this one knows up to ${known}. Start the newer release, or restore an older backup.`,
  );
}
