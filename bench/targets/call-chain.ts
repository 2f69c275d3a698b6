import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StoreKind } from "../options.ts";
import { startAnnounced } from "../processes/announced-process.ts";
import type { Target } from "./target.ts";

const file = fileURLToPath(new URL("../call-chain/call-chain-server.ts", import.meta.url));

/** The workflow engine alone, whose ten tasks are calls of another process. */
export function callChainTarget(kind: StoreKind): Target {
  return {
    name: `linewright-${kind}`,
    durability: "each call and each result",
    async start({ databases, environment }) {
      const folder = await mkdtemp(join(tmpdir(), "linewright-call-chain-"));
      const server = kind === "postgres" ? await databases.postgres() : undefined;
      const database = await server?.createDatabase();
      const process = await startAnnounced(["--import", "tsx", file], {
        ...environment,
        PEER_DATA_DIR: folder,
        ...(database ? { PEER_DATABASE_URL: database.url } : {}),
      });
      const { url, pid, coldStartMs } = process;
      return {
        pid,
        databasePid: server?.pid,
        coldStartMs,
        request: { url, headers: { "content-type": "application/json" }, body: JSON.stringify({ device: "r1" }) },
        resultOf: (answer) => (answer as { result?: unknown }).result,
        async stop() {
          await process.stop();
          await database?.remove();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  };
}
