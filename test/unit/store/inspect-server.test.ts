import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  connectionsPerNode,
  inspectDatabaseServer,
  inspectSchema,
  isCurrent,
  openStoreAt,
  type StoreLocation,
} from "../../../src/store/index.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";

describe.skipIf(!(await isPostgresAvailable()))("looking at PostgreSQL", () => {
  let database: Awaited<ReturnType<typeof createTemporaryDatabase>>;
  let location: StoreLocation;
  let client: Client;
  beforeEach(async () => {
    database = await createTemporaryDatabase();
    location = { kind: "postgres", url: database.url };
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await database.remove();
  });

  it("tells of the server, and how far its clock is ahead", async () => {
    const clock = createManualClock(Date.now() - 3_600_000);
    const server = await inspectDatabaseServer(database.url, clock);
    expect(server).toMatchObject({ encoding: "UTF8", isFsyncOn: false, synchronousCommit: "on", isStandby: false });
    expect(server.versionNumber).toBeGreaterThanOrEqual(150_000);
    expect(server.maxConnections).toBeGreaterThan(server.reservedConnections);
    expect(server.usedConnections).toBeGreaterThanOrEqual(1);
    expect(Math.abs(server.clockAheadMs - 3_600_000)).toBeLessThan(10_000);
  });

  it("finds an empty database, one that is up to date, and indexes that miss or are left", async () => {
    const inspect = () => inspectSchema(location, createManualClock());
    const makeStore = async () => (await openStoreAt(location)).close();
    const { rows } = await client.query(
      "SELECT count(*)::integer AS tables FROM pg_tables WHERE schemaname = 'public'",
    );
    expect(await inspect()).toMatchObject({ version: 0, needed: 0, unknown: [] });
    expect(rows).toEqual([{ tables: 0 }]);
    await makeStore();
    const made = await inspect();
    expect(made).toMatchObject({ version: made.latest, missing: [], unknown: [] });
    expect(isCurrent(made)).toBe(true);
    await client.query('DROP TABLE sessions; DROP INDEX "jobs.name"; CREATE INDEX "jobs.old" ON jobs (id)');
    const changed = await inspect();
    expect(changed).toMatchObject({ missing: ["sessions", "sessions.accountId", "jobs.name"], unknown: ["jobs.old"] });
    await makeStore();
    expect(isCurrent(await inspect())).toBe(true);
  });

  it("a store opens no more connections than is said of a node", async () => {
    const store = await openStoreAt(location);
    try {
      const work = Array.from({ length: 60 }, async (_, index) => {
        await store.commit([{ kind: "put", collection: "devices", document: { _id: `d${index}`, name: `r${index}` } }]);
        await Promise.all([
          store.find("devices", { name: { $regex: "r" } }),
          store.count("devices", {}),
          store.jobIds("", 9),
        ]);
      });
      await Promise.all(work);
      const { rows } = await client.query<{ open: number }>(
        "SELECT count(*)::integer AS open FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      expect(rows[0]?.open).toBeGreaterThan(2);
      expect(rows[0]?.open).toBeLessThanOrEqual(connectionsPerNode);
    } finally {
      await store.close();
    }
  });
});
