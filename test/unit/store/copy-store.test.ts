import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyStore, type CopyOptions } from "../../../src/store/copy-store.ts";
import { collectionIndexes, failBefore, type Store, type Write } from "../../../src/store/index.ts";
import { createTemporaryPostgresStore } from "../../support/store-postgres.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";
import { isPostgresAvailable } from "../../support/temporary-database.ts";

const collections = Object.keys(collectionIndexes);
const options = (more: Partial<CopyOptions> = {}): CopyOptions => ({ collections, ...more });
const device = (id: string, more: object = {}): Write => ({
  kind: "put",
  collection: "devices",
  document: { _id: id, name: `device ${id}`, ...more },
});
const event = (jobId: string, seq: number): Write => ({
  kind: "appendEvent",
  jobId,
  seq,
  at: 1_000 + seq,
  delta: JSON.stringify({ seq, text: "x".repeat(seq % 7) }),
});
const hardIds = ["", "~", "ä", "\u{1F600}", "\uFFFD", "a\u0001b", "'\"\\", "A", "a", "10", "9"].map((id) => `id${id}`);

/** What a store holds, by parts: the oracle the copy's own digests are held against. */
async function dump(store: Store) {
  const documents = await Promise.all(collections.map((name) => store.find(name, {}, { sort: { _id: 1 } })));
  const jobIds = await store.jobIds("", 100_000);
  const logs = await Promise.all(jobIds.map((id) => store.wholeLog(id)));
  const snapshots = await Promise.all(jobIds.map(async (id) => (await store.readLog(id)).snapshot));
  return { documents, jobIds, logs, snapshots, items: await store.workItems("", 100_000) };
}

async function fill(store: Store): Promise<void> {
  const writes: Write[] = hardIds.map((id) =>
    device(id, { z: 1, a: { "10": null, "9": [1.5, true, "ü", "a\u0000b", "\ud800"] } }),
  );
  for (let index = 0; index < 3_000; index++)
    writes.push({ kind: "put", collection: "jobs", document: { _id: `j${index}`, name: "n", status: "complete" } });
  writes.push({ kind: "put", collection: "secrets", document: { _id: "one", key: "sealed" } });
  writes.push({ kind: "put", collection: "secrets", document: { _id: "two", key: "sealed" } });
  for (const jobId of ["long", "short"]) {
    for (let seq = 1; seq <= (jobId === "long" ? 5_000 : 3); seq++) writes.push(event(jobId, seq));
  }
  writes.push({ kind: "putSnapshot", jobId: "long", seq: 4_800, state: '{"n":1}' });
  for (let index = 0; index < 1_200; index++) {
    const item = { id: `w${index}`, kind: "timer", payload: { index }, runAt: 5_000 + index };
    writes.push({ kind: "enqueue", item: index % 2 === 0 ? item : { ...item, attempts: index } });
  }
  await store.commit(writes);
}

describe("copying a store", () => {
  let source: Store;
  let targets: Store[];
  const target = async (more: Parameters<typeof createTemporaryStore>[0] = {}): Promise<Store> => {
    const store = await createTemporaryStore(more);
    targets.push(store);
    return store;
  };
  beforeEach(async () => {
    targets = [];
    source = await createTemporaryStore();
    await fill(source);
  });
  afterEach(async () => {
    await source.close();
    for (const store of targets) await store.close();
  });

  it("takes over documents, logs, snapshots and work items as they are", async () => {
    const copy = await target();
    const parts = await copyStore(source, copy, options());
    expect(await dump(copy)).toEqual(await dump(source));
    expect(parts.filter(({ isEqual }) => !isEqual)).toEqual([]);
    const rows = Object.fromEntries(parts.map(({ name, source: { rows }, written }) => [name, [rows, written]]));
    expect(rows).toMatchObject({
      devices: [hardIds.length, hardIds.length],
      jobs: [3_000, 3_000],
      "job logs": [2, 5_004],
      "work items": [1_200, 1_200],
      accounts: [0, 0],
    });
  });

  it("refuses a target that holds anything, and leaves it as it was", async () => {
    const kinds: Write[] = [
      device("x"),
      event("x", 1),
      { kind: "enqueue", item: { id: "x", kind: "k", payload: {}, runAt: 1 } },
    ];
    for (const [index, write] of kinds.entries()) {
      const used = await target();
      await used.commit([write]);
      const before = await dump(used);
      await expect(copyStore(source, used, options())).rejects.toThrow(
        `the target is not empty: it has ${["devices", "job logs", "work items"][index]}`,
      );
      expect(await dump(used)).toEqual(before);
    }
  });

  it("goes on after a break at any commit, and writes nothing twice", async () => {
    const complete = await target();
    let total = 0;
    for (const part of await copyStore(source, complete, options())) total += part.written;
    const expected = await dump(source);
    let broken = 0;
    for (let n = 1; ; n++) {
      const copy = await target({ faults: failBefore(n) });
      const before = await copyStore(source, copy, options()).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (before === undefined) break;
      broken += 1;
      const parts = await copyStore(source, copy, options({ isResumed: true }));
      expect(await dump(copy)).toEqual(expected);
      expect(parts.every(({ isEqual }) => isEqual)).toBe(true);
      const again = await copyStore(source, copy, options({ isResumed: true }));
      const items = again.find(({ name }) => name === "work items")?.written ?? 0;
      expect(again.reduce((sum, { written }) => sum + written, 0) - items).toBeLessThanOrEqual(1);
    }
    expect(total).toBeGreaterThan(9_000);
    expect(broken).toBeGreaterThan(5);
  });

  it("finds by comparison what differs", async () => {
    const copy = await target();
    await copyStore(source, copy, options());
    await copy.commit([
      device(hardIds[3] ?? "", { z: 2 }),
      { kind: "remove", collection: "jobs", id: "j7" },
      { kind: "postpone", itemId: "w9", runAt: 1 },
      { kind: "removeLog", jobId: "long" },
    ]);
    const parts = await copyStore(source, copy, options({ isResumed: true }));
    expect(parts.filter(({ isEqual }) => !isEqual).map(({ name }) => name)).toEqual(["devices", "jobs", "job logs"]);
  });

  it("does not go on with a target that is no part of a copy", async () => {
    const other = await target();
    await other.commit([device("zzz")]);
    await expect(copyStore(source, other, options({ isResumed: true }))).rejects.toThrow(
      "the target is no part of a copy: the source has no zzz in devices",
    );
  });

  it("leaves behind what it is told to", async () => {
    const copy = await target();
    const isLeft = (collection: string, id: string): boolean => collection === "secrets" && id === "one";
    const parts = await copyStore(source, copy, options({ isLeft }));
    expect(await copy.find("secrets", {})).toEqual([{ _id: "two", key: "sealed" }]);
    expect(parts.every(({ isEqual }) => isEqual)).toBe(true);
  });

  it("tells of every row, first while copying, then while comparing", async () => {
    const seen: Record<string, number> = {};
    const onRow: CopyOptions["onRow"] = (part, phase, size) => {
      seen[`${phase} ${part}`] = (seen[`${phase} ${part}`] ?? 0) + size;
    };
    await copyStore(source, await target(), options({ onRow }));
    expect(seen).toMatchObject({ "copy jobs": 3_000, "verify jobs": 3_000, "copy job logs": 5_003 });
  });
});

describe.skipIf(!(await isPostgresAvailable()))("copying between kinds of stores", () => {
  it("brings everything to PostgreSQL and back as it was", async () => {
    const source = await createTemporaryStore();
    const database = await createTemporaryPostgresStore({ deadlineMs: 20_000 });
    const returned = await createTemporaryStore();
    try {
      await fill(source);
      const there = await copyStore(source, database, options());
      expect(there.filter(({ isEqual }) => !isEqual)).toEqual([]);
      expect(await dump(database)).toEqual(await dump(source));
      const back = await copyStore(database, returned, options());
      expect(back.filter(({ isEqual }) => !isEqual)).toEqual([]);
      expect(await dump(returned)).toEqual(await dump(source));
    } finally {
      for (const store of [source, database, returned]) await store.close();
    }
  });
});
