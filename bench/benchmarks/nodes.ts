import type { ServerProcess } from "../../test/support/server-process.ts";
import { runClosedLoop } from "../closed-loop.ts";
import { createSender } from "../load.ts";
import { openDatabases, type Databases } from "../processes/databases.ts";
import { processUse } from "../processes/process-tree.ts";
import { importWorkflow, newPlace, startNode, startRequest, type Place } from "../targets/linewright.ts";
import { engineChain, inventoryChain } from "../workflows.ts";
import type { BenchContext } from "./benchmark.ts";
import { measureTakeOver } from "./take-over.ts";

const nodeCounts = [1, 2, 4];
const workflows = [engineChain(), inventoryChain(10)];

/** One, two and four nodes on one PostgreSQL, and what happens when one of two is killed. */
export async function measureNodes(context: BenchContext): Promise<void> {
  const databases = openDatabases();
  try {
    for (const count of nodeCounts) await measureCount(context, databases, count);
    await withNodes(databases, 2, async ([first, second]) => {
      if (first && second) await measureTakeOver(context, first, second);
    });
  } finally {
    await databases.stop();
  }
}

async function measureCount({ options, report }: BenchContext, databases: Databases, count: number): Promise<void> {
  await withNodes(databases, count, async (nodes, place) => {
    const clients = Math.max(...options.clients);
    for (const workflow of workflows) {
      const requests = nodes.map((node) => startRequest(node, workflow.name, { device: "r1" }));
      const sender = createSender(clients);
      let before = await cpuOf(nodes, place);
      const noteUse = async (): Promise<void> => {
        before = await cpuOf(nodes, place);
      };
      let turn = 0;
      const takeTurns = async (): Promise<void> => {
        const request = requests[turn++ % requests.length];
        if (request) await sender.post(request);
      };
      const load = await runClosedLoop(clients, options.seconds * 1000, takeTurns, noteUse);
      const after = await cpuOf(nodes, place);
      await sender.close();
      const each = (ms: number): number => Number((ms / load.requests).toFixed(3));
      const residentMb = Math.max(...(await Promise.all(nodes.map((node) => node.residentMb()))));
      await report.figure("nodes", {
        nodes: count,
        workflow: workflow.name,
        ...load,
        cpuMs: each(after.nodes - before.nodes),
        databaseCpuMs: each(after.database - before.database),
        residentMb,
      });
    }
  });
}

async function cpuOf(nodes: readonly ServerProcess[], place: Place): Promise<{ nodes: number; database: number }> {
  const uses = await Promise.all(nodes.map((node) => processUse(node.pid)));
  const database = await processUse(place.databasePid ?? -1);
  return { nodes: uses.reduce((sum, { cpuMs }) => sum + cpuMs, 0), database: database.cpuMs };
}

/** Nodes on a new database, with the workflows. They end with `work`. */
async function withNodes(
  databases: Databases,
  count: number,
  work: (nodes: readonly ServerProcess[], place: Place) => Promise<void>,
): Promise<void> {
  const place = await newPlace("postgres", databases);
  const nodes: ServerProcess[] = [];
  try {
    // The first one makes the schema and the administrator.
    for (let n = 0; n < count; n++) nodes.push(await startNode(place, { isFurther: n > 0 }));
    for (const workflow of workflows) if (nodes[0]) await importWorkflow(nodes[0], workflow);
    await work(nodes, place);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await place.remove();
  }
}
