import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIdentifiers } from "../../../src/core/identifiers.ts";
import { createLogger } from "../../../src/core/logger.ts";
import { createNodeRegistry, type NodeRegistry } from "../../../src/nodes/index.ts";
import type { StoreFaults } from "../../../src/store/faults.ts";
import type { Store } from "../../../src/store/store.ts";
import { createGate } from "../../conformance/work-queue/queue-harness.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform } from "../../support/platform.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";

const dayMs = 86_400_000;

describe("the registry of nodes", () => {
  let store: Store;
  let commits: number;
  let hold: Promise<void> | undefined;
  let isDown: boolean;
  let log: string[];
  let registries: NodeRegistry[];

  const faults: StoreFaults = ({ phase }) => {
    if (phase !== "before") return undefined;
    commits += 1;
    if (isDown) throw new Error("no room");
    return hold;
  };
  beforeEach(async () => {
    store = await createTemporaryStore({ faults });
    commits = 0;
    hold = undefined;
    isDown = false;
    log = [];
    registries = [];
  });
  afterEach(() => store.close());

  const createNode = (host: string, clock: ManualClock): NodeRegistry => {
    const logger = createLogger("warn", (line) => log.push(line), clock.now);
    const identifiers = createIdentifiers(clock);
    const registry = createNodeRegistry({ store, clock, identifiers, logger, host, pid: 7, version: "1.2.3" });
    registries.push(registry);
    return registry;
  };
  const shown = async (registry: NodeRegistry) =>
    Object.fromEntries((await registry.list()).map(({ host, status }) => [host, status]));

  it("tells of every node where it runs, which release, since when and how it is", async () => {
    const clock = createManualClock();
    const startedAt = clock.now();
    const [one, two] = [createNode("one", clock), createNode("two", clock)];
    await one.start();
    await clock.advance(500);
    await two.start();
    const [second, first] = await one.list();
    expect(first).toEqual({
      id: one.id,
      host: "one",
      pid: 7,
      version: "1.2.3",
      startedAt,
      heardAt: startedAt,
      clockOffMs: 0,
      status: "running",
      isThis: true,
    });
    expect(second).toMatchObject({ id: two.id, startedAt, heardAt: startedAt + 500, isThis: false });
    expect(one.id).not.toBe(two.id);
  });

  it("tells how far the time of day is from the clock of a node", async () => {
    const clock = createManualClock();
    const node = createNode("one", Object.assign(clock, { offMs: () => 3_600_000 }));
    await node.start();
    expect((await node.list())[0]?.clockOffMs).toBe(3_600_000);
  });

  it("hears of each node every second, with one commit", async () => {
    const clock = createManualClock();
    const node = createNode("one", clock);
    await node.start();
    commits = 0;
    await clock.advance(60_000);
    expect(commits).toBe(60);
    expect((await node.list())[0]?.heardAt).toBe(clock.now());
  });

  it("shows a node as lost that has not been heard of for five seconds, until it is heard of again", async () => {
    const clock = createManualClock();
    const stopped = createManualClock();
    const [one, two] = [createNode("one", clock), createNode("two", stopped)];
    await one.start();
    await two.start();
    await clock.advance(5000);
    expect(await shown(one)).toEqual({ one: "running", two: "running" });
    await clock.advance(1000);
    expect(await shown(one)).toEqual({ one: "running", two: "lost" });
    await stopped.advance(6000);
    expect(await shown(one)).toEqual({ one: "running", two: "running" });
  });

  it("tells of a node that drains, then has stopped, and does not take it for lost", async () => {
    const clock = createManualClock();
    const [one, two] = [createNode("one", clock), createNode("two", clock)];
    await one.start();
    await two.start();
    two.drain();
    expect(two.status()).toBe("draining");
    await clock.advance(10_000);
    expect(await shown(one)).toEqual({ one: "running", two: "draining" });
    await two.stop();
    await clock.advance(10_000);
    expect(await shown(one)).toEqual({ one: "running", two: "stopped" });
    expect(await shown(two)).toEqual({ one: "running", two: "stopped" });
  });

  it("forgets what has not been heard of for a day", async () => {
    const clock = createManualClock();
    const gone = createNode("gone", createManualClock());
    await gone.start();
    const one = createNode("one", clock);
    await one.start();
    clock.jump(dayMs);
    await clock.advance(1000);
    expect(await shown(one)).toEqual({ one: "running", gone: "lost" });
    await clock.advance(10_000);
    expect(await shown(one)).toEqual({ one: "running" });
  });

  it("does no harm when the store is away: says so once, and is heard of again", async () => {
    const clock = createManualClock();
    isDown = true;
    const node = createNode("one", clock);
    await node.start();
    await clock.advance(30_000);
    expect(log).toHaveLength(1);
    isDown = false;
    await clock.advance(1000);
    expect(await shown(node)).toEqual({ one: "running" });
    isDown = true;
    await node.stop();
    expect(log).toHaveLength(2);
  });

  it("sends no second heartbeat while the store holds the first, and does not wait for it to stop", async () => {
    const clock = createManualClock();
    const node = createNode("one", clock);
    await node.start();
    const gate = createGate();
    hold = gate.passed;
    commits = 0;
    await clock.advance(60_000);
    expect(commits).toBe(1);
    let hasStopped = false;
    const stopped = node.stop().then(() => {
      hasStopped = true;
    });
    await clock.advance(999);
    expect(hasStopped).toBe(false);
    await clock.advance(1);
    await stopped;
    hold = undefined;
    gate.open();
    await clock.advance(0);
    expect(commits).toBe(2);
    expect(await shown(node)).toEqual({ one: "stopped" });
  });

  it("tells once of each node whose clock is ahead", async () => {
    const clock = createManualClock();
    const ahead = createManualClock();
    ahead.jump(3000);
    const [one, two] = [createNode("one", clock), createNode("two", ahead)];
    await two.start();
    await one.start();
    for (let second = 0; second < 60; second++) {
      await ahead.advance(1000);
      await clock.advance(1000);
    }
    const told = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ node: two.id, host: "two", aheadMs: 3000 });
  });
});

describe("a platform among its nodes", () => {
  it("lists itself, and those that ran before on the same data", async () => {
    const before = await startTestPlatform();
    const first = await before.send<{ results: { id: string }[] }>("GET", "/health/nodes");
    expect(first).toMatchObject({ total: 1, results: [{ status: "running", isThis: true, pid: process.pid }] });
    const after = await before.restart();
    const second = await after.send<{ results: object[] }>("GET", "/health/nodes");
    expect(second).toMatchObject({
      total: 2,
      results: [
        { status: "running", isThis: true },
        { id: first.results[0]?.id, status: "stopped", isThis: false },
      ],
    });
    await after.stop();
  });

  it("names itself among the services of the status", async () => {
    const server = await startTestPlatform();
    const { status, body } = await server.request<{ services: object[] }>("GET", "/health/status", undefined, null);
    expect(status).toBe(200);
    expect(body.services).toEqual([
      { service: "store", status: "running" },
      { service: "node", status: "running" },
    ]);
    await server.stop();
  });
});
