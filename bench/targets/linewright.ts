import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreLocation } from "../../src/store/index.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { startServerProcess, type ServerProcess } from "../../test/support/server-process.ts";
import { benchLocation } from "../bench-engine.ts";
import type { StoreKind } from "../options.ts";
import type { Databases } from "../processes/databases.ts";
import type { Environment } from "../processes/slow-fsync.ts";
import { engineChain } from "../workflows.ts";
import type { StartRequest, Target } from "./target.ts";

/** A place for the data of one installation, empty at first. */
export interface Place {
  location: StoreLocation;
  /** Of the first node. */
  dataDir: string;
  databaseUrl: string | undefined;
  /** Process of the database server, if there is one. */
  databasePid: number | undefined;
  remove(): Promise<void>;
}

export async function newPlace(kind: StoreKind, databases: Databases): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), "linewright-place-"));
  const server = kind === "postgres" ? await databases.postgres() : undefined;
  const database = await server?.createDatabase();
  return {
    location: benchLocation(dataDir, database?.url),
    dataDir,
    databaseUrl: database?.url,
    databasePid: server?.pid,
    async remove() {
      await database?.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts `linewright serve` on a place. `isFurther`: a node beside the first one, with a folder of its own. */
export function startNode(
  { dataDir, databaseUrl }: Place,
  { environment = {}, isFurther = false }: { environment?: Environment; isFurther?: boolean } = {},
): Promise<ServerProcess> {
  return startServerProcess({
    ...(isFurther ? {} : { dataDir }),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    // Nodes that share data share the key that seals secrets.
    environment: { LINEWRIGHT_ENCRYPTION_KEY: "5e".repeat(32), ...environment },
  });
}

/** `linewright serve` as users run it, with a workflow: by default ten engine tasks in a row. */
export function linewrightTarget(kind: StoreKind, workflow: WorkflowDocument = engineChain()): Target {
  return {
    name: `linewright-${kind}`,
    durability: kind === "sqlite" ? "each step, SQLite synchronous=FULL" : "each step, PostgreSQL",
    async start({ databases, environment }) {
      const place = await newPlace(kind, databases);
      const server = await startNode(place, { environment });
      await importWorkflow(server, workflow);
      return {
        pid: server.pid,
        databasePid: place.databasePid,
        coldStartMs: server.coldStartMs,
        request: startRequest(server, workflow.name, { device: "r1" }),
        resultOf: (answer) => (answer as { data: { variables?: { result?: unknown } } }).data.variables?.result,
        async stop() {
          await server.stop();
          await place.remove();
        },
      };
    },
  };
}

export async function importWorkflow(server: ServerProcess, workflow: WorkflowDocument): Promise<void> {
  await server.request("POST", "/workflow_builder/import", { workflow, options: {} });
}

/** The request that starts a workflow and is answered when it is at rest. */
export function startRequest(server: ServerProcess, workflow: string, variables: object): StartRequest {
  return {
    url: `${server.url}/operations-manager/jobs/start?wait=60000`,
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify({ workflow, options: { description: "bench", variables } }),
  };
}
