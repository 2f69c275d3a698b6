import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStoreAt } from "../../../src/store/index.ts";
import type { Store, Write } from "../../../src/store/store.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";

const add = (id: string, runs: number, task = "a"): Write => ({
  kind: "add",
  collection: "task_metrics",
  document: { _id: id, tasks: { [task]: { runs } } },
});

describe.skipIf(!(await isPostgresAvailable()))("additions of two nodes to one document", () => {
  let database: Awaited<ReturnType<typeof createTemporaryDatabase>>;
  let one: Store;
  let other: Store;

  beforeEach(async () => {
    database = await createTemporaryDatabase();
    const open = () => openStoreAt({ kind: "postgres", url: database.url });
    one = await open();
    other = await open();
  });
  afterEach(async () => {
    await Promise.all([one.close(), other.close()]);
    await database.remove();
  });

  const tasks = async (id = "day") => (await one.read("task_metrics", id))?.document["tasks"];

  it("add up, whoever knows what the document was", async () => {
    for (const [store, runs] of [
      [one, 1],
      [one, 2],
      [other, 4],
      [one, 8],
      [one, 16],
      [other, 32],
      [other, 64],
    ] as const) {
      await store.commit([add("day", runs)]);
    }
    expect(await tasks()).toEqual({ a: { runs: 127 } });
    expect((await one.read("task_metrics", "day"))?.version).toBe(7);
  });

  it("add up when both add at once, and so do those of other documents", async () => {
    const rounds = Array.from({ length: 200 }, (_, round) => round);
    await Promise.all(
      rounds.flatMap((round) => [
        one.commit([add("day", 1, `t${round % 3}`), add("of one", 1)]),
        other.commit([add("day", 1, `t${round % 3}`), add("of the other", 1)]),
      ]),
    );
    expect(await tasks()).toEqual({ t0: { runs: 134 }, t1: { runs: 134 }, t2: { runs: 132 } });
    expect([await tasks("of one"), await tasks("of the other")]).toEqual([{ a: { runs: 200 } }, { a: { runs: 200 } }]);
  });

  it("add to what took the place of a document, were it as often written as the one before", async () => {
    await one.commit([add("day", 1)]);
    await one.commit([add("day", 1)]);
    await other.commit([{ kind: "remove", collection: "task_metrics", id: "day" }]);
    await other.commit([add("day", 100)]);
    await other.commit([add("day", 100)]);
    await one.commit([add("day", 1)]);
    expect(await tasks()).toEqual({ a: { runs: 201 } });
  });

  it("add nothing where the commit is refused, and the same the next time", async () => {
    const event: Write = { kind: "appendEvent", jobId: "j", seq: 1, at: 0, delta: "{}" };
    await one.commit([add("day", 1), event]);
    await other.commit([add("day", 2)]);
    await expect(one.commit([add("day", 4), event])).rejects.toThrow();
    await one.commit([add("day", 8)]);
    expect(await tasks()).toEqual({ a: { runs: 11 } });
  });
});
