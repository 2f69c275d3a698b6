import { existsSync } from "node:fs";
import type { Clock } from "../core/clock.ts";
import { collectionIndexes } from "./indexes.ts";
import { inspectDatabaseSchema } from "./postgres/inspect-schema.ts";
import { inspectServer, type ServerInspection } from "./postgres/inspect-server.ts";
import type { SchemaState } from "./schema-state.ts";
import { inspectFileSchema } from "./sqlite/inspect-file.ts";
import { latestVersion } from "./sqlite/migrations.ts";
import type { StoreLocation } from "./store-location.ts";

/** An operator waits longer than a node. */
const deadlineMs = 10_000;

/** The schema of the store at a place, without changing or making anything. */
export async function inspectSchema(location: StoreLocation, clock: Clock): Promise<SchemaState> {
  if (location.kind === "postgres")
    return inspectDatabaseSchema({ url: location.url, clock, deadlineMs }, collectionIndexes);
  if (existsSync(location.file)) return inspectFileSchema(location.file, collectionIndexes);
  return { version: 0, needed: 0, latest: latestVersion, missing: Object.keys(collectionIndexes), unknown: [] };
}

/** The PostgreSQL server at a URL, without changing anything. */
export function inspectDatabaseServer(url: string, clock: Clock): Promise<ServerInspection> {
  return inspectServer({ url, clock, deadlineMs });
}
