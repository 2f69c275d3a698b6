import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { createSystemClock } from "../../../src/core/clock.ts";
import { createIdentifiers } from "../../../src/core/identifiers.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createNodeRegistry } from "../../../src/nodes/index.ts";
import { createPostgresStore } from "../../../src/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createGate } from "../../conformance/work-queue/queue-harness.ts";
import { createEngineNode, storeWorkflows, type EngineNode } from "../../support/engine-bench.ts";
import { createTemporaryDatabase, isPostgresAvailable } from "../../support/temporary-database.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const call = {
  app: "MOP",
  name: "getDeviceObjectsFiltered",
  type: "automatic",
  incoming: { options: { limit: 1 } },
  outgoing: { result: "" },
};
const calls = workflowOf("calls", { ab: call, ac: call }, ["start > ab", "ab > ac", "ac > end"]);

interface Node extends EngineNode {
  store: Store;
  called: string[];
}

describe.skipIf(!(await isPostgresAvailable()))("nodes on one PostgreSQL", () => {
  const clock = createSystemClock();
  let database: Awaited<ReturnType<typeof createTemporaryDatabase>>;
  let nodes: Node[];
  let whileCalling: (node: Node) => Promise<void>;

  const createNode = async (): Promise<Node> => {
    const store = await createPostgresStore({ url: database.url, clock });
    const called: string[] = [];
    const parts = createEngineNode({
      store,
      clock,
      identifiers: createIdentifiers(clock),
      async call({ idempotencyKey }) {
        called.push(idempotencyKey);
        await whileCalling(node);
        return { finishState: "success", outgoing: { result: [] } };
      },
    });
    const node: Node = { ...parts, store, called };
    nodes.push(node);
    await storeWorkflows(store, [calls]);
    await node.engine.start();
    return node;
  };
  const start = async ({ engine }: Node): Promise<string> =>
    (await engine.jobs.start("calls", {}, systemCaller)).state.origin._id;
  /** Asks the database again and again; answers how long it took, milliseconds. */
  const until = async ({ store }: Node, check: () => boolean | Promise<boolean>): Promise<number> => {
    const begunAt = clock.now();
    while (!(await check())) await store.nextWorkAt();
    return clock.now() - begunAt;
  };
  const open = ({ store }: Node) => store.count("jobs", { status: { $ne: "complete" } });
  const end = async ({ engine, store }: Node): Promise<void> => {
    await engine.stop(0);
    await store.close();
  };

  beforeEach(async () => {
    database = await createTemporaryDatabase();
    nodes = [];
    whileCalling = async () => undefined;
  });
  afterEach(async () => {
    await Promise.all(nodes.map(end));
    await database.remove();
  });

  it("take over what a dead node was doing within five seconds, and do it once", async () => {
    const dying = await createNode();
    const survivor = await createNode();
    const never = createGate();
    whileCalling = (node) => (node === dying ? never.passed : Promise.resolve());
    const jobs = await Promise.all(Array.from({ length: 20 }, () => start(dying)));
    await until(survivor, () => dying.called.length === jobs.length);
    await end(dying);
    const tookMs = await until(survivor, async () => (await open(survivor)) === 0);
    expect(tookMs).toBeLessThan(5000);
    expect(new Set(survivor.called).size).toBe(survivor.called.length);
    expect(survivor.called).toHaveLength(2 * jobs.length);
    expect(await survivor.store.workItems("", 10)).toEqual([]);
  });

  it("follow a switch within a second, and make each call once when it is on again", async () => {
    const one = await createNode();
    const two = await createNode();
    await one.engine.workers.set("taskWorker", false, systemCaller);
    const heardMs = await until(two, () => !two.engine.workers.isRunning("taskWorker"));
    expect(heardMs).toBeLessThan(1500);
    await Promise.all(Array.from({ length: 40 }, (_, index) => start(index % 2 === 0 ? one : two)));
    // Both have looked for work that is due, several times.
    await until(one, async () => ((await one.store.nextWorkAt()) ?? 0) < clock.now() - 2500);
    expect([...one.called, ...two.called]).toEqual([]);
    await two.engine.workers.set("taskWorker", true, systemCaller);
    expect(await until(one, async () => (await open(one)) === 0)).toBeLessThan(5000);
    const called = [...one.called, ...two.called];
    expect(called).toHaveLength(80);
    expect(new Set(called).size).toBe(80);
    expect(await one.store.workItems("", 10)).toEqual([]);
  });

  it("see each other", async () => {
    const shared = await Promise.all([createNode(), createNode()]);
    const registries = shared.map(({ store }, index) =>
      createNodeRegistry({
        store,
        clock,
        identifiers: createIdentifiers(clock),
        logger: silentLogger,
        host: `host ${index}`,
        pid: index,
        version: "1.2.3",
      }),
    );
    for (const registry of registries) await registry.start();
    for (const registry of registries) {
      const seen = (await registry.list()).map(({ host, status, isThis }) => ({ host, status, isThis }));
      expect(seen).toContainEqual({ host: "host 0", status: "running", isThis: registry === registries[0] });
      expect(seen).toContainEqual({ host: "host 1", status: "running", isThis: registry === registries[1] });
    }
    await registries[1]?.stop();
    expect((await registries[0]?.list())?.map(({ status }) => status).toSorted()).toEqual(["running", "stopped"]);
    await registries[0]?.stop();
  });
});
