import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { StoreUnavailableError, type Store } from "../../../src/store/store.ts";
import {
  allIdle,
  createCounter,
  createEngineNode,
  passTime,
  storeWorkflows,
  type EngineNode,
} from "../../support/engine-bench.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { asShared } from "../../support/shared-store.ts";
import { createStoreObserver } from "../../support/observed-store.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const listener = (source: string, topic: string) => ({
  name: "eventListenerJob",
  type: "operation",
  incoming: { source, topic, schema: "" },
  outgoing: { result: "$var.job.got" },
});
const engine = "@itential/app-workflow_engine";
const workflows = [
  workflowOf("hears", { a: listener("erp", "order") }, ["start > a", "a > end"]),
  workflowOf("hears jobs", { a: listener(engine, "jobCancel") }, ["start > a", "a > end"]),
  workflowOf("a person", { a: { type: "manual", name: "ViewData" } }, ["start > a", "a > end"]),
];

describe("events on two nodes", () => {
  let clock: ManualClock;
  let base: Store;
  let one: EngineNode;
  let other: EngineNode;
  let createNode: () => EngineNode;

  beforeEach(async () => {
    const observer = createStoreObserver();
    clock = createManualClock(undefined, () => observer.settle());
    base = await createCurrentStore();
    const documentId = createCounter();
    createNode = () => createEngineNode({ store: observer.observe(asShared(base).store), clock, documentId });
    [one, other] = [createNode(), createNode()];
    await storeWorkflows(base, workflows);
    await one.engine.start();
    await other.engine.start();
  });
  afterEach(async () => {
    await Promise.all([one.engine.stop(0), other.engine.stop(0)]);
    await base.close();
  });

  const start = async ({ engine: on }: EngineNode, name: string): Promise<string> =>
    (await on.jobs.start(name, {}, systemCaller)).state.origin._id;
  const view = async ({ engine: on }: EngineNode, id: string) => (await on.jobs.view(id, systemCaller)).state;
  const publish = ({ engine: on }: EngineNode, payload: string) =>
    on.events.publish({ source: "erp", topic: "order", payload, keepForSeconds: 60 }, systemCaller);
  const statuses = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await view(one, id)).status));

  it("reach tasks of jobs of the other", async () => {
    const id = await start(one, "hears");
    await publish(other, "hello");
    await allIdle([one, other]);
    expect((await view(one, id)).variables["got"]).toBe("hello");
  });

  it("end each of many tasks once, though both nodes publish and start at the same time", async () => {
    const started = await Promise.all(Array.from({ length: 30 }, (_, n) => start(n % 2 ? one : other, "hears")));
    await Promise.all(Array.from({ length: 8 }, (_, n) => publish(n % 2 ? one : other, `e${n}`)));
    await allIdle([one, other]);
    expect(new Set(await statuses(started))).toEqual(new Set(["complete"]));
    for (const id of started) {
      const events = await base.wholeLog(id);
      expect(events.filter(({ delta }) => delta.includes("eventTaken"))).toHaveLength(1);
    }
  });

  it("neither miss a task that begins to wait while they come, nor come twice", async () => {
    const working = Array.from({ length: 20 }, async (_, n) => {
      const id = await start(n % 2 ? one : other, "hears");
      await publish(n % 3 ? one : other, `e${n}`);
      return id;
    });
    const started = await Promise.all(working);
    await allIdle([one, other]);
    expect(new Set(await statuses(started))).toEqual(new Set(["complete"]));
  });

  it("are told by another node when the one that took them dies at once", async () => {
    const id = await start(other, "hears");
    await one.engine.stop(0);
    await publish(one, "last words");
    await passTime(clock, [other], 5_000);
    expect((await view(other, id)).variables["got"]).toBe("last words");
  });

  it("are neither lost nor doubled when any one commit fails", async () => {
    for (let failing = 1; failing <= 8; failing++) {
      let commits = 0;
      const commit: Store["commit"] = async (writes) => {
        commits += 1;
        if (commits === failing) throw new StoreUnavailableError("not now");
        await base.commit(writes);
      };
      const documentId = () => `65930000${(failing * 1_000 + commits).toString(16).padStart(16, "0")}`;
      const weak = createEngineNode({ store: asShared(base, { commit }).store, clock, documentId });
      await weak.engine.start();
      const id = await start(weak, "hears").catch(() => start(weak, "hears"));
      await publish(weak, "once").catch(() => publish(weak, "once"));
      await passTime(clock, [weak, one, other], 3_000);
      expect((await view(one, id)).status).toBe("complete");
      const events = await base.wholeLog(id);
      expect(events.filter(({ delta }) => delta.includes("eventTaken"))).toHaveLength(1);
      await weak.engine.stop(0);
      await clock.advance(10);
    }
  });

  it("are removed by whichever node is there", async () => {
    await publish(one, "unheard");
    await allIdle([one, other]);
    expect(await base.count("events", {})).toBe(1);
    await one.engine.stop(0);
    clock.jump(2 * 3_600_000);
    await passTime(clock, [other], 3_000);
    expect(await base.count("events", {})).toBe(0);
    expect(await base.workItems("", 10)).toEqual([]);
  });

  it("of the engine are told by a node that heard of the listener within a second", async () => {
    const watched = await start(other, "a person");
    const id = await start(one, "hears jobs");
    await passTime(clock, [one, other], 1_000);
    await other.engine.jobs.apply(watched, { event: "cancel", by: systemCaller }, systemCaller);
    await allIdle([one, other]);
    expect((await view(one, id)).variables["got"]).toMatchObject({ _id: watched, status: "canceled" });
  });

  it("of the engine are told by a node that could not hear of the listener", async () => {
    let isCut = false;
    const find: Store["find"] = async (collection, query, options) => {
      if (isCut && collection === "event_waits") throw new StoreUnavailableError("cut off");
      return base.find(collection, query, options);
    };
    const documentId = () => "659400000000000000000001";
    const cut = createEngineNode({ store: asShared(base, { find }).store, clock, documentId });
    await cut.engine.start();
    const watched = await start(cut, "a person");
    isCut = true;
    const id = await start(one, "hears jobs");
    await passTime(clock, [one, other, cut], 10_000);
    await cut.engine.jobs.apply(watched, { event: "cancel", by: systemCaller }, systemCaller);
    isCut = false;
    await passTime(clock, [one, other, cut], 5_000);
    await cut.engine.stop(0);
    expect((await view(one, id)).variables["got"]).toMatchObject({ _id: watched, status: "canceled" });
  });

  it("of the engine are told to a task of the same node at once", async () => {
    const watched = await start(one, "a person");
    const id = await start(one, "hears jobs");
    await one.engine.jobs.apply(watched, { event: "cancel", by: systemCaller }, systemCaller);
    await allIdle([one, other]);
    expect((await view(one, id)).status).toBe("complete");
  });
});
