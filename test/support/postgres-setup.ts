import { addressVariable } from "./temporary-database.ts";
import { serveTemporaryDatabases } from "./temporary-databases.ts";

/** Called by Vitest before the tests: threads inherit the variable. What it resolves with is called after them. */
export async function setup(): Promise<() => Promise<void>> {
  const databases = await serveTemporaryDatabases();
  process.env[addressVariable] = databases.address;
  return () => databases.close();
}
