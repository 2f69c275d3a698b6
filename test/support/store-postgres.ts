import { createPostgresStore, type PostgresStoreOptions } from "../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createTemporaryDatabase } from "./temporary-database.ts";

/** A PostgreSQL store in a new database that disappears when the store is closed. */
export async function createTemporaryPostgresStore(options: Partial<PostgresStoreOptions> = {}): Promise<Store> {
  const database = await createTemporaryDatabase();
  const store = await createPostgresStore({ url: database.url, ...options });
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await database.remove();
  };
  return store;
}
