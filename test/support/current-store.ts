import type { Clock } from "../../src/core/clock.ts";
import type { Collections } from "../../src/store/indexes.ts";
import type { Store, StoreFaults } from "../../src/store/index.ts";
import { createTemporaryPostgresStore } from "./store-postgres.ts";
import { createTemporaryStore } from "./store-sqlite.ts";
import { currentStoreKind } from "./temporary-database.ts";

/** What both stores can be made with. */
export interface CurrentStoreOptions {
  clock?: Clock;
  faults?: StoreFaults;
  collections?: Collections;
}

/** A new and empty store of the kind that `STORE` names, which disappears when it is closed. */
export function createCurrentStore(options: CurrentStoreOptions = {}): Promise<Store> {
  return currentStoreKind() === "postgres" ? createTemporaryPostgresStore(options) : createTemporaryStore(options);
}
