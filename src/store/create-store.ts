import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/logger.ts";
import type { StoreFaults } from "./faults.ts";
import { createPostgresStore } from "./postgres/postgres-store.ts";
import { createSqliteStore } from "./sqlite/sqlite-store.ts";
import { configuredLocation, type StoreConfiguration, type StoreLocation } from "./store-location.ts";
import type { Store } from "./store.ts";

/** What a store is built with besides its place. */
export interface StoreParts {
  clock?: Clock | undefined;
  logger?: Logger | undefined;
  /** On which thread the embedded store commits. Default `worker`. */
  thread?: "worker" | "inline" | undefined;
  /** Faults for tests; with the embedded store only on the thread `inline`. */
  faults?: StoreFaults | undefined;
  /** How long PostgreSQL may take to answer before it counts as away. Default: that of the store. */
  deadlineMs?: number | undefined;
}

/** Opens the store that a configuration names, creating or updating its schema first. */
export function openStore(configuration: StoreConfiguration, parts: StoreParts = {}): Promise<Store> {
  return openStoreAt(configuredLocation(configuration), parts);
}

/** Opens the store at a place, creating or updating its schema first. */
export function openStoreAt(location: StoreLocation, parts: StoreParts = {}): Promise<Store> {
  const { clock, logger, thread = "worker", faults, deadlineMs } = parts;
  const shared = { ...(clock && { clock }), ...(faults && { faults }) };
  if (location.kind === "sqlite") return createSqliteStore({ file: location.file, thread, ...shared });
  return createPostgresStore({
    url: location.url,
    ...shared,
    ...(logger && { logger }),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
}
