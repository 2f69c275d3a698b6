import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConnectionOptions, StatementFaults } from "../../../src/store/postgres/connection.ts";
import { createPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import { ReaderPool } from "../../../src/store/postgres/reader-pool.ts";
import { WatchedQueries } from "../../../src/store/postgres/watched-queries.ts";
import { StoreUnavailableError, type Write } from "../../../src/store/store.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import type { TemporaryDatabase } from "../../support/postgres-server.ts";
import { openTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";

const deadlineMs = 1_500;

describe.skipIf(!(await isPostgresAvailable()))("a server that does not answer", () => {
  let database: TemporaryDatabase;
  let proxy: TcpProxy;
  let clock: ManualClock;
  let options: ConnectionOptions;
  beforeEach(async () => {
    database = await createTemporaryDatabase();
    const url = new URL(database.url);
    proxy = await openTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    clock = createManualClock();
    options = { url: url.href, clock, deadlineMs };
  });
  afterEach(async () => {
    await proxy.close();
    await database.remove();
  });

  const untilTimers = async (count: number): Promise<void> => {
    while (clock.pendingTimers() < count) await new Promise((resolve) => setImmediate(resolve));
  };
  /** What became of some work one deadline later. */
  const afterDeadline = async (work: Promise<unknown>[]): Promise<string[]> => {
    const settled = Promise.allSettled(work);
    await clock.advance(deadlineMs);
    return (await settled).map((one) => {
      if (one.status === "fulfilled") return "done";
      return one.reason instanceof StoreUnavailableError ? "unavailable" : String(one.reason);
    });
  };
  const five = Array.from({ length: 5 }, () => "unavailable");

  it("is away for all readers at once, also for those who wait for a place", async () => {
    const pool = new ReaderPool(options, 2);
    const read = () => pool.all("SELECT 1 AS n");
    await Promise.all([read(), read()]);
    proxy.set("blackhole");
    const reads = five.map(read);
    await untilTimers(2);
    expect(await afterDeadline(reads)).toEqual(five);
    proxy.set("open");
    expect(await read()).toEqual([{ n: 1 }]);
    await pool.close();
  });

  it("is away for all readers at once where it does not take connections", async () => {
    proxy.set("blackhole");
    const pool = new ReaderPool(options, 2);
    const reads = five.map(() => pool.all("SELECT 1 AS n"));
    await untilTimers(2);
    expect(await afterDeadline(reads)).toEqual(five);
    await pool.close();
  });

  it("is not waited for longer by those whose query may take long", async () => {
    proxy.set("blackhole");
    const pulse = new ReaderPool(options, 1);
    const queries = new WatchedQueries(options, 2, pulse);
    const asked = five.map(() => queries.all("SELECT 1 AS n", []));
    await untilTimers(2);
    expect(await afterDeadline(asked)).toEqual(five);
    await queries.close();
    await pulse.close();
  });

  it("is not away where its answers came while this process did something else", async () => {
    const held = createManualClock(undefined, () => Promise.resolve());
    const pool = new ReaderPool({ ...options, clock: held }, 2);
    const read = () => pool.all("SELECT 1 AS n");
    await Promise.all([read(), read()]);
    proxy.set("mute");
    const reads = Promise.all(five.map(read));
    while (proxy.muted() < 2) await new Promise((resolve) => setImmediate(resolve));
    // They are in the buffers of the sockets now, and the deadline is over before anybody looks.
    proxy.set("open");
    await held.advance(deadlineMs);
    expect(await reads).toEqual(five.map(() => [{ n: 1 }]));
    await pool.close();
  });

  it("is not away for other commits where one of them alone is refused as often as it is repeated", async () => {
    let refusals = 0;
    const statementFaults: StatementFaults = ({ phase, text }) => {
      if (phase === "after" || !text.includes('INTO "templates"') || ++refusals > 6) return;
      throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
    };
    const store = await createPostgresStore({ url: options.url, clock, deadlineMs, statementFaults });
    const put = (_id: string) => store.commit([{ kind: "put", collection: "templates", document: { _id, name: _id } }]);
    const commits = ["same row", "same row", ...Array.from({ length: 30 }, (_, index) => `row ${index}`)].map(put);
    const done = (await Promise.allSettled(commits)).filter(({ status }) => status === "fulfilled");
    expect(done).toHaveLength(commits.length - 1);
    await store.close();
  });

  it("is away for all commits at once, also for those that the one before held up", async () => {
    let answered = 0;
    let tellOfNext = (): void => undefined;
    const next = new Promise<void>((resolve) => {
      tellOfNext = resolve;
    });
    const statementFaults: StatementFaults = ({ phase, text }) => {
      // Others, such as those that tell of changes, come when they will.
      if (!text.includes('INTO "templates"')) return;
      if (phase === "after" && ++answered === 2) proxy.set("blackhole");
      if (phase === "before" && answered === 2) tellOfNext();
    };
    const store = await createPostgresStore({ url: options.url, clock, deadlineMs, statementFaults });
    const put: Write = { kind: "put", collection: "templates", document: { _id: "same row", name: "a" } };
    await store.commit([put]);
    const commits = [store.commit([put]), store.commit([put]), store.commit([put])];
    await next;
    // Its deadline is set when it was sent.
    await new Promise((resolve) => setImmediate(resolve));
    commits.push(store.commit([put]));
    expect(await afterDeadline(commits)).toEqual(["done", "unavailable", "unavailable", "unavailable"]);
    proxy.set("reset");
    await store.close();
  });
});
