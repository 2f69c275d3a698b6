import type { TemporaryDatabase } from "./postgres-server.ts";

/** Names the variable that says where `serveTemporaryDatabases` serves. */
export const addressVariable = "TEMPORARY_DATABASES";

/** The store that integration tests run on: `STORE=postgres`, or else SQLite. */
export function currentStoreKind(): "sqlite" | "postgres" {
  const kind = process.env["STORE"] ?? "sqlite";
  if (kind === "sqlite" || kind === "postgres") return kind;
  throw new Error(`STORE is ${kind}: it can be sqlite or postgres`);
}

/** Where a platform under test keeps its data besides its folder; no address: in the folder. */
export interface CurrentDatabase {
  url: string | undefined;
  remove(): Promise<void>;
}

/** A database of its own for a platform on the store that `STORE` names. */
export async function createCurrentDatabase(): Promise<CurrentDatabase> {
  if (currentStoreKind() === "postgres") return createTemporaryDatabase();
  return { url: undefined, remove: async () => undefined };
}

/** Makes an empty PostgreSQL database. Rejects where no server works, with the reasons. */
export async function createTemporaryDatabase(): Promise<TemporaryDatabase> {
  const reply = await ask("POST");
  if (!reply.ok) throw new Error(await reply.text());
  const url = await reply.text();
  return {
    url,
    async remove() {
      await ask("DELETE", new URL(url).pathname.slice(1));
    },
  };
}

/**
 * Whether tests can have PostgreSQL here. Rejects instead of answering no where the variable `CI` is set: there
 * no test may be skipped.
 */
export async function isPostgresAvailable(): Promise<boolean> {
  const reply = await ask("GET");
  if (reply.ok) return true;
  if (process.env["CI"]) throw new Error(await reply.text());
  return false;
}

async function ask(method: string, database = ""): Promise<Response> {
  const address = process.env[addressVariable];
  if (address === undefined) throw new Error(`${addressVariable} is not set: nothing here serves temporary databases`);
  return fetch(`${address}/${database}`, { method });
}
