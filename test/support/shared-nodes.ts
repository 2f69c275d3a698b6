import type { Store } from "../../src/store/store.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { createCurrentStore } from "./current-store.ts";
import { createCounter, createEngineNode, storeWorkflows, type EngineNode, type NodeParts } from "./engine-bench.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { asShared } from "./shared-store.ts";

/** Nodes over one store, as processes that know nothing of each other but by it, and by one clock. */
export interface SharedNodes {
  clock: ManualClock;
  /** The store itself. Each node has a view of its own, as of a store that others write to. */
  store: Store;
  /** Makes a node; `parts` in place of what it has otherwise. */
  make(parts?: Partial<NodeParts>): EngineNode;
  /** Makes a node and lets it work. */
  start(parts?: Partial<NodeParts>): Promise<EngineNode>;
  /** Stops all nodes and closes the store. */
  close(): Promise<void>;
}

/** A new store of the current kind with these workflows, and no node yet. */
export async function openSharedNodes(workflows: readonly WorkflowDocument[]): Promise<SharedNodes> {
  const clock = createManualClock();
  const store = await createCurrentStore();
  await storeWorkflows(store, workflows);
  const documentId = createCounter();
  const nodes: EngineNode[] = [];
  const make = (parts: Partial<NodeParts> = {}): EngineNode => {
    const node = createEngineNode({ store: asShared(store).store, clock, documentId, ...parts });
    nodes.push(node);
    return node;
  };
  return {
    clock,
    store,
    make,
    async start(parts) {
      const node = make(parts);
      await node.engine.start();
      return node;
    },
    async close() {
      await Promise.all(nodes.map(({ engine }) => engine.stop(0)));
      await store.close();
    },
  };
}
