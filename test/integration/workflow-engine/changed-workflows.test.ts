import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import type { Store } from "../../../src/store/store.ts";
import { storeWorkflows, type EngineNode } from "../../support/engine-bench.ts";
import { openSharedNodes, type SharedNodes } from "../../support/shared-nodes.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const name = "changing";
const saying = (value: string) =>
  workflowOf(
    name,
    { a1: { name: "newVariable", type: "operation", incoming: { name: "said", value }, outgoing: { value: "" } } },
    ["start > a1", "a1 > end"],
  );

// A node starts a workflow as it remembers it: what others changed since must show all the same.
describe("a workflow that was changed since a node started it last", () => {
  let nodes: SharedNodes;
  let store: Store;
  let node: EngineNode;

  beforeEach(async () => {
    nodes = await openSharedNodes([saying("first")]);
    store = nodes.store;
    node = await nodes.start({});
    expect(await said()).toBe("first");
  });
  afterEach(() => nodes.close());

  const start = (caller = systemCaller, options = {}) => node.engine.jobs.start(name, options, caller);
  const said = async () => (await start()).state.variables["said"];
  const jobs = () => store.count("jobs", {});

  it("runs as it is now, and so do those who start it at the moment of the change", async () => {
    await storeWorkflows(store, [saying("second")]);
    expect(await said()).toBe("second");
    const before = Array.from({ length: 20 }, () => said());
    const change = storeWorkflows(store, [saying("third")]);
    const after = Array.from({ length: 20 }, () => said());
    const answers = await Promise.all([...before, ...after]);
    await change;
    expect(new Set(answers)).toEqual(new Set(["second", "third"]));
    expect(answers.slice(20)).toEqual(after.map(() => "third"));
    expect(await jobs()).toBe(42);
  });

  it("is not found once it is deleted or has another name", async () => {
    await storeWorkflows(store, [{ ...saying("second"), _id: `workflow ${name}`, name: "renamed" }]);
    await expect(start()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await store.commit([{ kind: "remove", collection: "workflows", id: `workflow ${name}` }]);
    await expect(start()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await jobs()).toBe(1);
  });

  it("is seen by those who may see it now", async () => {
    const member = { ...systemCaller, accountId: "ann", username: "ann", isAdmin: false, groupIds: ["g1"] };
    await storeWorkflows(store, [{ ...saying("second"), groups: ["g2"] }]);
    await expect(start(member)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await storeWorkflows(store, [{ ...saying("third"), groups: ["g1"] }]);
    expect((await start(member)).state.variables["said"]).toBe("third");
  });

  it("is refused for what it has not now, and not for what it has", async () => {
    const mocks = { b1: {} };
    await expect(start(systemCaller, { mocks })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    const changed = workflowOf(name, { b1: { name: "stub", type: "operation" } }, ["start > b1", "b1 > end"]);
    await storeWorkflows(store, [changed]);
    expect((await start(systemCaller, { mocks })).state.status).toBe("complete");
    await storeWorkflows(store, [saying("last")]);
    await expect(start(systemCaller, { mocks })).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await jobs()).toBe(2);
  });
});
