import { addWorker } from "../support/manual-work.ts";
import { adminPassword, signIn, startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { raceWorkflows } from "./race-shapes.ts";

/** Somebody who sends operations, through one of the nodes. */
export interface RaceClient {
  username: string;
  accountId: string;
  isAdmin: boolean;
  /** May delete jobs and change who sees them. */
  mayWrite: boolean;
  token: string;
  node: TestPlatform;
}

/** One platform, or several on one PostgreSQL, with accounts and workflows. */
export interface RaceNodes {
  nodes: readonly TestPlatform[];
  clients: readonly RaceClient[];
  groupIds: readonly string[];
  stop(): Promise<void>;
}

/** Starts them on the store that `STORE` names. Every fourth client is an administrator, every fourth may change who sees a job, the others work on jobs alone. */
export async function startRaceNodes(nodeCount: number, clientCount: number): Promise<RaceNodes> {
  const first = await startTestPlatform();
  const nodes = [first];
  while (nodes.length < nodeCount) nodes.push(await first.beside());
  for (const workflow of raceWorkflows) await first.importWorkflow(workflow);
  const clients: RaceClient[] = [];
  const groupIds: string[] = [];
  for (let index = 0; index < clientCount; index++) {
    const node = nodes[index % nodes.length] ?? first;
    const { client, groupId } = await addClient(first, node, index);
    clients.push(client);
    if (groupId !== undefined) groupIds.push(groupId);
  }
  return {
    nodes,
    clients,
    groupIds,
    async stop() {
      for (const node of nodes.toReversed()) await node.stop();
    },
  };
}

async function addClient(
  first: TestPlatform,
  node: TestPlatform,
  index: number,
): Promise<{ client: RaceClient; groupId?: string }> {
  const isAdmin = index % 4 === 0;
  if (isAdmin) {
    const token = await signIn(node.platform.url, "admin", adminPassword);
    const accounts = await first.send<{ results: { _id: string }[] }>(
      "GET",
      "/user-management/accounts?equalsField=username&equals=admin",
    );
    const accountId = accounts.results[0]?._id ?? "";
    return { client: { username: "admin", accountId, isAdmin, mayWrite: true, token, node } };
  }
  const mayWrite = index % 4 === 1;
  const username = `racer${index}`;
  const { id, groupId, token } = await addWorker(first, username, mayWrite ? "engineering" : "operator");
  return { client: { username, accountId: id, isAdmin, mayWrite, token, node }, groupId };
}
