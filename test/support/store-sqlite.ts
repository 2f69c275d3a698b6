import type { Store } from "../../src/store/store.ts";
import { createSqliteStore, type SqliteStoreOptions } from "../../src/store/sqlite/sqlite-store.ts";
import { createTemporaryFolder } from "./store-files.ts";

/** A SQLite store in a new file that disappears when the store is closed. */
export async function createTemporaryStore(options: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const folder = await createTemporaryFolder();
  const store = await createSqliteStore({ file: folder.file("store.db"), thread: "inline", ...options });
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    await folder.remove();
  };
  return store;
}
