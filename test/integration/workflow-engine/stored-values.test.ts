import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { StoredValue } from "../../../src/core/stored-value.ts";
import { copyStore } from "../../../src/store/index.ts";
import { collectionIndexes } from "../../../src/store/indexes.ts";
import type { Store } from "../../../src/store/store.ts";
import {
  readArchive,
  rebuildProjections,
  type ArchivedPiece,
  type ArchiveLine,
  type TaskCall,
} from "../../../src/workflow-engine/index.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import {
  allIdle,
  createCounter,
  createEngineNode,
  leaseMs,
  passTime,
  storeWorkflows,
  type EngineNode,
  type NodeParts,
} from "../../support/engine-bench.ts";
import { bytesOf, digestOf, longList, measured, measuredValue } from "../../support/large-answers.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { asShared } from "../../support/shared-store.ts";
import { brokenBytes, happening, mebi, shown, taken, text, workflows } from "../../support/stored-values-bench.ts";

// Each writes at least 16 MiB, as anything smaller is no such value.
describe("values kept in the store", { timeout: 120_000 }, () => {
  let clock: ManualClock;
  let store: Store;
  let node: EngineNode;
  /** What the task `read` answers. */
  let answer: (call: TaskCall) => Promise<unknown>;
  const documentId = createCounter();

  const createNode = (parts: Partial<NodeParts> = {}): EngineNode =>
    createEngineNode({
      store,
      clock,
      documentId,
      call: async (call) =>
        call.task.name === "take"
          ? taken(call.incoming["given"])
          : { finishState: "success", outgoing: { result: await answer(call) } },
      ...parts,
    });

  beforeEach(async () => {
    answer = ({ keep }) => keep(bytesOf(text));
    clock = createManualClock();
    store = await createCurrentStore();
    await storeWorkflows(store, workflows);
    node = createNode();
    await node.engine.start();
  });
  afterEach(async () => {
    await node.engine.stop(0);
    await store.close();
  });

  const start = async (name: string) => {
    const { state } = await node.engine.jobs.start(name, { variables: {} }, systemCaller);
    await allIdle([node]);
    return state.origin._id;
  };
  const view = async (jobId: string, from = node) => (await from.engine.jobs.view(jobId, systemCaller)).state;
  const valueIds = async () =>
    (await store.find<{ _id: string }>("large_values", {}, { fields: { _id: 1 } })).map(({ _id }) => _id);
  const handles = async () => (await valueIds()).filter((id) => id.includes(".s"));
  const answered = async (jobId: string) => (await view(jobId)).variables["answer"] as StoredValue;
  const errorOf = async (jobId: string) => {
    const messages = (await view(jobId)).errors.map(({ message }) => message) as {
      IAPerror: { displayString: string };
    }[];
    return messages[0]?.IAPerror.displayString;
  };

  it("go through variables, child jobs and tasks, and are streamed to the byte", async () => {
    const jobId = await start("stored parent");
    const { status, variables, tasks } = await view(jobId);
    expect(status).toBe("complete");
    const value = variables["answer"] as StoredValue;
    expect(value).toBeInstanceOf(StoredValue);
    expect(await measuredValue(value)).toEqual(shown);
    expect(variables["details"]).toMatchObject({ status: "complete", taken: shown, answer: { id: value.id } });
    expect(tasks.get("c1")?.incoming?.["variables"]).toMatchObject({ answer: { size: text.length } });
    expect(await handles()).toEqual([value.id]);
    const events = await store.wholeLog(jobId);
    expect(events.reduce((sum, { delta }) => sum + delta.length, 0)).toBeLessThan(10_000);
    // Another node knows the job from its log alone.
    const restarted = (await view(jobId, createNode())).variables;
    expect(await measuredValue(restarted["answer"] as StoredValue)).toEqual(shown);
    expect(JSON.stringify(restarted["answer"])).toBe(JSON.stringify({ large_data: value.id, size: text.length }));
  });

  it("are ordinary values when they are not large, and keep nothing", async () => {
    answer = ({ keep }) => keep(bytesOf('{"small": ["é😀", 1]}'));
    const jobId = await start("stored read");
    expect((await view(jobId)).variables).toMatchObject({
      answer: { small: ["é😀", 1] },
      taken: { given: { small: ["é😀", 1] } },
    });
    expect(await valueIds()).toEqual([]);
  });

  it("survive snapshots, and are shown by markers in lists, history and what is rebuilt", async () => {
    const jobId = await start("stored manual");
    for (let event = 0; event < 210; event++)
      await node.engine.jobs.apply(jobId, { event: "watch", watchers: [`w${event}`], by: systemCaller }, systemCaller);
    expect((await store.readLog(jobId)).snapshot?.seq).toBe(200);
    const marker = { large_data: (await answered(jobId)).id, size: text.length };
    expect((await view(jobId, createNode())).variables["answer"]).toMatchObject({ id: marker.large_data });
    const [row] = await store.find<{ variables: { incoming: object } }>("tasks", { type: "manual" });
    expect(row?.variables.incoming).toMatchObject({ body: marker });
    const { entries } = await node.engine.history.page(jobId, { after: 0, limit: 9 }, systemCaller);
    expect(JSON.stringify(entries)).toContain(JSON.stringify(marker));
    const then = await node.engine.history.at(jobId, 2, systemCaller);
    expect(JSON.parse(JSON.stringify(then.state.variables))).toMatchObject({ answer: marker });
    expect((await rebuildProjections(store, { dryRun: true })).different).toEqual([]);
  });

  it.each<[string, () => AsyncIterable<Uint8Array | string>, string]>([
    ["is broken", () => bytesOf(`${text.slice(0, -1)},]`), 'The text is not JSON: "]" after'],
    ["ends too early", () => bytesOf(text.slice(0, -1)), "The text ends too early"],
    ["is two values", () => bytesOf(`${text} 1`), 'The text is not JSON: "1" after'],
    ["is no UTF-8", () => brokenBytes(), "The text is not UTF-8"],
    [
      "is longer than the setting allows",
      () => bytesOf(longList(19 * mebi)),
      `takes more than ${18 * mebi} characters`,
    ],
  ])("end the task in error when the text %s", async (_, source, message) => {
    await node.engine.stop(0);
    node = createNode({ largestValue: 18 * mebi });
    await node.engine.start();
    answer = ({ keep }) => keep(source());
    const jobId = await start("stored read");
    expect((await view(jobId)).status).toBe("error");
    expect(await errorOf(jobId)).toContain(message);
    expect((await view(jobId)).variables).not.toHaveProperty("answer");
    expect(await handles()).toEqual([]);
  });

  it("leave nothing that can be found when the node dies in the middle, and the job ends", async () => {
    const stuck = happening();
    answer = ({ keep }) =>
      keep(
        (async function* () {
          yield* bytesOf(text.slice(0, -100));
          stuck.happens();
          await new Promise(() => undefined);
        })(),
      );
    const { state } = await node.engine.jobs.start("stored read", { variables: {} }, systemCaller);
    await stuck.seen;
    await node.engine.stop(0);
    expect(await handles()).toEqual([]);
    answer = ({ keep }) => keep(bytesOf(text));
    node = createNode();
    await node.engine.start();
    await passTime(clock, [node], 3 * leaseMs);
    const { _id } = state.origin;
    expect((await view(_id)).variables["taken"]).toEqual(shown);
    expect(await handles()).toEqual([(await answered(_id)).id]);
  });

  it("are written no further once nobody waits for them", async () => {
    const [begun, canceled] = [happening(), happening()];
    const failure = happening<unknown>();
    answer = async ({ keep }) => {
      const source = (async function* () {
        yield* bytesOf(text.slice(0, -100));
        begun.happens();
        await canceled.seen;
        yield* bytesOf(`${text.slice(-100, -1)},${text.slice(1)}`);
      })();
      return keep(source).catch((error: unknown) => {
        failure.happens(error);
        throw error;
      });
    };
    const { state } = await node.engine.jobs.start("stored read", { variables: {} }, systemCaller);
    await begun.seen;
    const { _id } = state.origin;
    await node.engine.jobs.apply(_id, { event: "cancel", by: systemCaller }, systemCaller);
    const before = await valueIds();
    canceled.happens();
    expect(await failure.seen).toMatchObject({ message: "Nobody waits for the value any more" });
    expect(await valueIds()).toEqual(before);
    await allIdle([node]);
    expect((await view(_id)).status).toBe("canceled");
  });

  it("of an attempt that failed stay with the job, and the next attempt has its own", async () => {
    const other = `${text.slice(0, -1)},1]`;
    let attempt = 0;
    await node.engine.stop(0);
    node = createNode({
      call: async ({ keep }) => {
        attempt += 1;
        const result = await keep(bytesOf(attempt === 1 ? text : other));
        return { finishState: attempt === 1 ? "error" : "success", outgoing: { result }, error: { result } };
      },
    });
    await node.engine.start();
    const jobId = await start("stored retry");
    await passTime(clock, [node], leaseMs);
    expect(attempt).toBe(2);
    expect(await measuredValue(await answered(jobId))).toEqual({ size: other.length, digest: digestOf(other) });
    expect(await handles()).toHaveLength(2);
    // What both begin with is there once.
    expect((await valueIds()).length).toBeLessThan(2 + 2 * Math.ceil(text.length / mebi) - 10);
  });

  it("of another job are refused: they go with that one", async () => {
    const first = await start("stored read");
    const foreign = await answered(first);
    answer = async () => ({ within: [foreign] });
    const second = await start("stored read");
    expect(await errorOf(second)).toBe(`The result holds large value ${foreign.id}, which belongs to another job`);
    await expect(
      node.engine.jobs.start("stored read", { variables: { answer: foreign } }, systemCaller),
    ).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("are read by who may see the job at the top, and by nobody else", async () => {
    const jobId = await start("stored parent");
    const { id } = await answered(jobId);
    const { largeValue } = node.engine.history;
    expect(await measured(await largeValue(id, undefined, systemCaller))).toEqual(shown);
    const [child] = await store.find<{ _id: string }>("jobs", { name: "stored child" });
    expect(await measured(await largeValue(id, child?._id, systemCaller))).toEqual(shown);
    const person = { ...systemCaller, accountId: "p1", username: "p1", isAdmin: false };
    expect(await measured(await largeValue(id, undefined, person))).toEqual(shown);
    await store.commit([{ kind: "put", collection: "groups", document: { _id: "g1", name: "g1" } }]);
    await node.engine.sharing.changeGroups(jobId, { change: "add", groups: ["g1"] }, systemCaller);
    const member = { ...person, groupIds: ["g1"] };
    expect(await measured(await largeValue(id, undefined, member))).toEqual(shown);
    for (const job of [undefined, jobId])
      await expect(largeValue(id, job, person)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const piece = (await valueIds()).find((each) => each.includes(".p")) ?? "";
    for (const [unknown, job] of [
      [piece, undefined],
      [`${jobId}.s${"0".repeat(64)}`, undefined],
      [`${jobId}.${"0".repeat(64)}`, jobId],
      ["nothing", undefined],
      [id, "nothing"],
    ] as const)
      await expect(largeValue(unknown, job, systemCaller)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("are read no further than somebody takes them", async () => {
    const jobId = await start("stored read");
    const { store: counted, calls } = asShared(store, { isShared: store.isShared });
    const value = (await view(jobId, createNode({ store: counted }))).variables["answer"] as StoredValue;
    const before = calls.read ?? 0;
    const pieces = value.open()[Symbol.asyncIterator]();
    await pieces.next();
    // The list of the pieces, the piece that was taken, and the one after it.
    expect((calls.read ?? 0) - before).toBe(3);
    await pieces.return?.();
  });

  it("go with the tree of jobs", async () => {
    const jobId = await start("stored parent");
    const handle = await answered(jobId);
    expect(await valueIds()).not.toEqual([]);
    await node.engine.deletion.delete([jobId], systemCaller);
    await passTime(clock, [node], leaseMs);
    if (!store.isShared) expect(await valueIds()).toEqual([]);
    clock.jump(3_600_000);
    await passTime(clock, [node], 5_000);
    expect(await valueIds()).toEqual([]);
    await expect(measuredValue(handle)).rejects.toThrow(`large value ${handle.id} is not in the store`);
  });

  it("are archived piece by piece", async () => {
    const folder = await mkdtemp(join(tmpdir(), "linewright-archive-"));
    try {
      await node.engine.stop(0);
      node = createNode({ retention: { days: 1, archiveDir: folder } });
      await node.engine.start();
      const jobId = await start("stored parent");
      const { id } = await answered(jobId);
      clock.jump(50 * 3_600_000);
      await passTime(clock, [node], 20_000);
      const lines: ArchiveLine[] = [];
      for await (const line of readArchive(folder)) lines.push(line);
      const at = lines.findIndex(({ kind }) => kind === "largeText");
      const pieces = lines.slice(at + 1).filter((line): line is ArchivedPiece => line.kind === "textPiece");
      expect(lines[at]).toEqual({ kind: "largeText", _id: id, root: jobId, size: text.length, pieces: pieces.length });
      expect(digestOf(pieces.map((piece) => piece.text).join(""))).toBe(shown.digest);
      expect(lines.filter(({ kind }) => kind === "job")).toHaveLength(2);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("are copied with the store", async () => {
    const jobId = await start("stored read");
    await node.engine.stop(0);
    const source = store;
    store = await createCurrentStore();
    const collections = Object.keys(collectionIndexes);
    const parts = await copyStore(source, store, { collections });
    await source.close();
    expect(parts.every(({ isEqual }) => isEqual)).toBe(true);
    node = createNode();
    expect(await measuredValue(await answered(jobId))).toEqual(shown);
  });
});
