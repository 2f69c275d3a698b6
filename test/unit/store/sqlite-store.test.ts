import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { delay, failAfter, failBefore, tear, type StoreFaults } from "../../../src/store/faults.ts";
import { createSqliteStore, type SqliteStoreOptions } from "../../../src/store/sqlite/sqlite-store.ts";
import { StoreUnavailableError, type Store, type Write } from "../../../src/store/store.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createTemporaryFolder, type TemporaryFolder } from "../../support/store-files.ts";

const put = (id: string): Write => ({ kind: "put", collection: "jobs", document: { _id: id } });

describe("SQLite store", () => {
  let folder: TemporaryFolder;
  let store: Store | undefined;
  beforeEach(async () => {
    folder = await createTemporaryFolder();
  });
  afterEach(async () => {
    await store?.close();
    await folder.remove();
  });
  const open = async (options: Partial<SqliteStoreOptions> = {}): Promise<Store> => {
    store = await createSqliteStore({ file: folder.file("store.db"), thread: "inline", ...options });
    return store;
  };
  const ids = async (): Promise<unknown[]> => ((await store?.find("jobs", {})) ?? []).map(({ _id }) => _id);

  describe("with planned faults", () => {
    const withFaults = (faults: StoreFaults): Promise<Store> => open({ faults });

    it("fails before a commit: nothing is written", async () => {
      const faulty = await withFaults(failBefore(2));
      await faulty.commit([put("1")]);
      await expect(faulty.commit([put("2")])).rejects.toThrow(StoreUnavailableError);
      await faulty.commit([put("3")]);
      expect(await ids()).toEqual(["1", "3"]);
    });

    it("fails after a commit: written, though the caller is told otherwise", async () => {
      const faulty = await withFaults(failAfter(2));
      await faulty.commit([put("1")]);
      await expect(faulty.commit([put("2")])).rejects.toThrow(StoreUnavailableError);
      expect(await ids()).toEqual(["1", "2"]);
    });

    it("tears one commit of a group: its neighbours are whole", async () => {
      const faulty = await withFaults(tear(2));
      const commits = ["a", "b", "c"].map((name) => faulty.commit([put(`${name}1`), put(`${name}2`), put(`${name}3`)]));
      const results = await Promise.allSettled(commits);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(results[1]).toMatchObject({ reason: expect.any(StoreUnavailableError) as unknown });
      expect(await ids()).toEqual(["a1", "a2", "a3", "c1", "c2", "c3"]);
    });

    it("delays a commit", async () => {
      let release: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const faulty = await withFaults(delay((writes) => (writes.length > 1 ? gate : Promise.resolve())));
      const slow = faulty.commit([put("1"), put("2")]);
      await faulty.commit([put("3")]);
      expect(await ids()).toEqual(["3"]);
      release();
      await slow;
      expect(await ids()).toEqual(["1", "2", "3"]);
    });

    it("refuses them in a writing thread", async () => {
      await expect(open({ thread: "worker", faults: failBefore(1) })).rejects.toThrow("inline");
    });
  });

  it.each(["inline", "worker"] as const)("is unavailable while the file is locked, and heals (%s)", async (thread) => {
    const writer = await open({ thread });
    await writer.commit([put("1")]);
    const other = new Database(folder.file("store.db"));
    other.exec("BEGIN IMMEDIATE");
    await expect(writer.commit([put("2")])).rejects.toThrow(StoreUnavailableError);
    expect(await ids()).toEqual(["1"]);
    other.exec("ROLLBACK");
    other.close();
    await writer.commit([put("3")]);
    expect(await ids()).toEqual(["1", "3"]);
  });

  it("says so when its folder does not exist", async () => {
    const opening = createSqliteStore({ file: folder.file("none/store.db"), thread: "inline" });
    await expect(opening).rejects.toThrow("directory does not exist");
  });

  it.each(["inline", "worker"] as const)("has everything after it is opened again (%s)", async (thread) => {
    const first = await open({ thread });
    await first.commit([put("1"), { kind: "appendEvent", jobId: "1", seq: 1, at: 5, delta: "{}" }]);
    await first.close();
    const second = await open({ thread });
    expect(await second.version("jobs", "1")).toBe(1);
    expect((await second.readLog("1")).events).toEqual([{ seq: 1, at: 5, delta: "{}" }]);
  });

  describe("with a regular expression that never ends", () => {
    const endless = { description: { $regex: "^(a+)+$" } };
    const fill = (target: Store): Promise<void> =>
      target.commit([{ kind: "put", collection: "jobs", document: { _id: "1", description: `${"a".repeat(50)}!` } }]);

    it("answers at the deadline, goes on with other queries meanwhile and afterwards", async () => {
      const clock = createManualClock();
      const slow = await open({ clock, queryDeadlineMs: 2000 });
      await fill(slow);
      const answer = slow.find("jobs", endless);
      const next = slow.count("jobs", { description: { $regex: "a!$" } });
      expect(await slow.count("jobs", { _id: "1" })).toBe(1);
      const refused = answer.catch((error: unknown) => error);
      await clock.advance(2000);
      expect(await refused).toMatchObject({
        code: "UNPROCESSABLE",
        message: expect.stringContaining("The query took longer than 2 s") as unknown,
      });
      expect(await next).toBe(1);
    });

    it("does not hold up closing", async () => {
      const slow = await open({ clock: createManualClock() });
      await fill(slow);
      const answers = [slow.find("jobs", endless), slow.count("jobs", endless)].map((answer) =>
        answer.catch((error: unknown) => error),
      );
      await slow.close();
      for (const answer of answers) expect(await answer).toBeInstanceOf(StoreUnavailableError);
    });

    it("keeps the event loop free with the clock of the machine", async () => {
      const slow = await open({ queryDeadlineMs: 300 });
      await fill(slow);
      let turns = 0;
      const counting = setInterval(() => (turns += 1), 5);
      await expect(slow.find("jobs", endless)).rejects.toMatchObject({ code: "UNPROCESSABLE" });
      clearInterval(counting);
      expect(turns).toBeGreaterThan(10);
    });
  });
});
