import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSystemClock } from "../../../src/core/clock.ts";
import type { StatementFaults } from "../../../src/store/postgres/connection.ts";
import { ReaderPool } from "../../../src/store/postgres/reader-pool.ts";
import { WatchedQueries } from "../../../src/store/postgres/watched-queries.ts";
import { StoreUnavailableError } from "../../../src/store/store.ts";
import type { TemporaryDatabase } from "../../support/postgres-server.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";

describe.skipIf(!(await isPostgresAvailable()))("queries that may take long", () => {
  let database: TemporaryDatabase;
  let pulse: ReaderPool;
  let queries: WatchedQueries;
  let isAway: boolean;

  const statementFaults: StatementFaults = ({ text }) => {
    if (isAway && text === "SELECT 1") throw new StoreUnavailableError("cut off");
  };
  beforeEach(async () => {
    isAway = false;
    database = await createTemporaryDatabase();
    const options = { url: database.url, clock: createSystemClock(), deadlineMs: 200, statementFaults };
    pulse = new ReaderPool(options, 1);
    queries = new WatchedQueries(options, 1, pulse);
  });
  afterEach(async () => {
    await queries.close();
    await pulse.close();
    await database.remove();
  });

  it("may take longer than other reads while the server answers those", async () => {
    expect(await queries.all("SELECT 7 AS n, pg_sleep(0.6)::text", [])).toMatchObject([{ n: 7 }]);
  });

  it("fail as soon as the server answers nothing else either, and the next one works", async () => {
    isAway = true;
    await expect(queries.all("SELECT pg_sleep(60)", [])).rejects.toThrow(StoreUnavailableError);
    isAway = false;
    expect(await queries.all("SELECT 8 AS n", [])).toEqual([{ n: 8 }]);
  });
});
