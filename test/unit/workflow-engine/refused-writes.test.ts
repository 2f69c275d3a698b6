import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VersionConflictError, type Store, type Write } from "../../../src/store/store.ts";
import { createCurrentStore } from "../../support/current-store.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { storeWorkflows } from "../../support/engine-bench.ts";
import { tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { createRunnerNode, type RunnerNode } from "./runner-bench.ts";

const jobId = "0123456789abcdef01234567";
const lock = (holder: string) => ({ _id: "name:x", holder, queue: [] });

describe("writes alongside an event that were overtaken", () => {
  let store: Store;
  let node: RunnerNode;
  beforeEach(async () => {
    store = await createCurrentStore();
    await storeWorkflows(store, [workflowOf("open", { a1: { type: "manual" } }, ["start > a1", "a1 > end"])]);
    node = createRunnerNode(store, createManualClock());
    await node.start("open", jobId);
    await store.commit([{ kind: "insert", collection: "locks", document: lock("first") }]);
    await store.commit([{ kind: "put", collection: "locks", document: lock("second") }]);
  });
  afterEach(() => store.close());

  it("fail alone: events of the same batch are applied", async () => {
    const stale: Write = { kind: "replace", collection: "locks", document: lock("stale"), version: 1 };
    const watch = (watcher: string, writes: readonly Write[] = []) =>
      node.runner.activate(jobId, { event: "watch", watchers: [watcher], by: tester }, writes);
    // The first is a batch of its own; the others wait for it and share the next.
    const results = await Promise.allSettled([watch("a"), watch("b"), watch("c", [stale]), watch("d")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(results[2]).toMatchObject({ reason: expect.any(VersionConflictError) as Error });
    expect((await node.runner.read(jobId))?.watchers).toEqual(["tester", "a", "b", "d"]);
    expect((await store.read("locks", "name:x"))?.document).toEqual(lock("second"));
  });
});
