import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { StoreFaults } from "../../../src/store/index.ts";
import type { Store } from "../../../src/store/store.ts";
import { readArchive, type ArchivedJob, type ArchiveLine } from "../../../src/workflow-engine/index.ts";
import { childJob, manual } from "../../faults/shape-tasks.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import {
  allIdle,
  createCounter,
  createEngineNode,
  passTime,
  storeWorkflows,
  type EngineNode,
} from "../../support/engine-bench.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const large = "A line of a value that is large. ".repeat(9_000);
const dayMs = 86_400_000;
const workflows = [
  workflowOf(
    "kept plain",
    { h1: { name: "newVariable", type: "operation", incoming: { name: "own", value: "$var.job.body" } } },
    ["start > h1", "h1 > end"],
  ),
  workflowOf("kept manual", { m1: manual() }, ["start > m1", "m1 > end"]),
  workflowOf("kept parent", { p1: childJob("kept plain", "parallel") }, ["start > p1", "p1 > end"]),
];

describe("the retention of finished jobs", () => {
  let clock: ManualClock;
  let store: Store;
  let folder: string;
  let node: EngineNode;
  let faults: StoreFaults;
  const documentId = createCounter();

  beforeEach(async () => {
    clock = createManualClock();
    faults = () => undefined;
    store = await createCurrentStore({ faults: (point) => faults(point) });
    folder = await mkdtemp(join(tmpdir(), "linewright-archive-"));
    await storeWorkflows(store, workflows);
    node = await open(3);
  });
  afterEach(async () => {
    await node.engine.stop(0);
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (days: number, archiveDir: string | undefined = folder): Promise<EngineNode> => {
    const opened = createEngineNode({ store, clock, documentId, retention: { days, archiveDir } });
    await opened.engine.start();
    return opened;
  };
  const start = async (name: string, variables: Record<string, unknown> = { body: "b", list: [1, 2] }) => {
    const { state } = await node.engine.jobs.start(name, { variables }, systemCaller);
    await allIdle([node]);
    return state.origin._id;
  };
  /** Sets the clock ahead, and lets the node do what is due by then. */
  const passHours = async (hours: number) => {
    clock.jump(hours * 3_600_000);
    await passTime(clock, [node], 20_000);
  };
  const archived = async (): Promise<ArchiveLine[]> => {
    const lines: ArchiveLine[] = [];
    for await (const line of readArchive(folder)) lines.push(line);
    return lines;
  };
  const archivedIds = async () => (await archived()).filter(({ kind }) => kind === "job").map(({ _id }) => _id);
  const jobIds = async () =>
    (await store.find<{ _id: string }>("jobs", {}, { sort: { _id: 1 } })).map(({ _id }) => _id);

  it("archives and deletes trees whose time is over, and keeps all others", async () => {
    const old = await start("kept parent", { body: large, list: [1, 2] });
    const canceled = await start("kept manual");
    await node.engine.jobs.apply(canceled, { event: "cancel", by: systemCaller }, systemCaller);
    const running = await start("kept manual");
    const live = (await node.engine.jobs.view(old, systemCaller)).state;
    const tree = [old, ...(await store.find<{ _id: string }>("jobs", { "parent.job": old })).map(({ _id }) => _id)];
    await passHours(48);
    const young = await start("kept plain");
    expect(await archived()).toEqual([]);
    await passHours(26);
    expect(await jobIds()).toEqual([running, young].toSorted());
    expect((await archivedIds()).toSorted()).toEqual([...tree, canceled].toSorted());
    expect(await readdir(folder)).toEqual(["2024-01-01"]);
    const lines = await archived();
    const line = lines.find(({ _id }) => _id === old) as ArchivedJob;
    expect(line).toMatchObject({ root: old, job: { _id: old, status: "complete" } });
    expect(line.tasks).toMatchObject([{ taskId: "p1", status: "complete" }]);
    expect(line.history).toHaveLength(live.seq);
    expect(line.history[0]).toMatchObject({ seq: 1, cause: { event: "start", by: "Pronghorn" } });
    const value = lines.find(({ kind, root }) => kind === "largeValue" && root === old);
    expect(value).toMatchObject({ value: large });
    expect(line.job["variables"]).toMatchObject({ body: { large_data: value?._id } });
    if (!store.isShared) expect((await store.jobIds("", 10)).toSorted()).toEqual([running, young].toSorted());
  }, 60_000);

  it("leaves a tree out of the archive whole when a person deletes it meanwhile", async () => {
    const old = await start("kept parent");
    await node.engine.stop(0);
    const batch = { day: "2024-01-01", roots: [old] };
    await store.commit([{ kind: "put", collection: "retention", document: { _id: "plan", batch } }]);
    node = await open(3);
    // Its child jobs are still there.
    node.queue.holdBack(["deleteTree"]);
    await node.engine.deletion.delete([old], systemCaller);
    await passHours(1);
    expect(await readdir(folder)).toEqual(["2024-01-01"]);
    expect(await archived()).toEqual([]);
    node.queue.holdBack([]);
  }, 60_000);

  it("deletes without an archive where none is wanted", async () => {
    await node.engine.stop(0);
    node = createEngineNode({ store, clock, documentId, retention: { days: 1, archiveDir: undefined } });
    await node.engine.start();
    await start("kept plain");
    await passHours(26);
    expect(await jobIds()).toEqual([]);
    expect(await archived()).toEqual([]);
  }, 60_000);

  it("keeps everything on a node without the setting, which drops the work", async () => {
    await start("kept plain");
    await node.engine.stop(0);
    node = createEngineNode({ store, clock, documentId });
    await node.engine.start();
    await passHours(80);
    expect(await jobIds()).toHaveLength(1);
    expect(await store.workItems("", 10)).toEqual([]);
  }, 60_000);

  it("goes on behind a job that cannot be read, and keeps that", async () => {
    const broken = await start("kept plain");
    const sound = await start("kept plain");
    const [first] = await store.wholeLog(broken);
    const delta = JSON.stringify({ cause: { event: "x" }, changes: [{ change: "rewound" }] });
    await store.commit([{ kind: "appendEvent", jobId: broken, seq: 2, at: first?.at ?? 0, delta }]);
    await passHours(75);
    expect(await jobIds()).toEqual([broken]);
    expect(await archivedIds()).toEqual([sound]);
  }, 60_000);

  it.each(["before", "after"] as const)(
    "loses and doubles no job, whichever of its commits fails (%s)",
    async (phase) => {
      let isBroken = true;
      for (let n = 1; isBroken; n++) {
        const ids = [await start("kept plain"), await start("kept parent"), await start("kept plain")];
        const all = await jobIds();
        expect(all.length).toBe(5);
        clock.jump(3 * dayMs);
        let count = 0;
        faults = (point) => {
          if (point.phase === phase && ++count === n) throw new Error(`fault ${phase} commit ${n}`);
        };
        await passHours(3);
        isBroken = count >= n;
        faults = () => undefined;
        await passHours(2);
        expect({ n, left: await jobIds() }).toEqual({ n, left: [] });
        const found = (await archivedIds()).filter((id) => all.includes(id));
        expect({ n, found: found.toSorted() }).toEqual({ n, found: all });
        expect(ids.every((id) => found.includes(id))).toBe(true);
        if (n > 100) throw new Error("the retention makes more commits than it can");
      }
    },
    240_000,
  );
});
