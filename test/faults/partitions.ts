import { rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { startNode } from "../simulation/node-process.ts";
import { randomNumbers } from "../simulation/statement-faults.ts";
import type { PostgresServer } from "../support/postgres-server.ts";
import { startServerProcess, type ServerProcess } from "../support/server-process.ts";
import { ApiProbe, type ProbeFigures } from "./api-probe.ts";
import { checkStore, type CheckReport, type ExpectedOutcomes } from "./checker.ts";
import { httpClient, importShapes, quiet, settle } from "./http-run.ts";
import { untilWorkIsDone } from "./later-work.ts";
import { checkPremises, leaseMs, type Laboratory } from "./laboratory.ts";
import { createPremises } from "./premises.ts";
import { sumReports } from "./reports.ts";
import { createRunRecord, type RunRecord } from "./run-record.ts";
import { openTcpProxy, type LinkState, type TcpProxy } from "../support/tcp-proxy.ts";

export interface PartitionOptions {
  cuts: number;
  jobs: number;
  /** Cuts last from a tenth of a second to so long, milliseconds; short ones are more frequent. */
  longestCutMs: number;
  seed: number;
  say?: (line: string) => void;
}

export interface PartitionReport extends CheckReport {
  cuts: number;
  /** How long the link was not as it should be, all cuts together, seconds. */
  cutSeconds: number;
  /** Starts that a node refused. */
  refused: number;
  api: ProbeFigures;
  seconds: number;
}

const shortestCutMs = 100;
const longestRestMs = 150_000;
const kinds: readonly Exclude<LinkState, "open">[] = ["blackhole", "reset", "slow"];

/**
 * Cuts, breaks and slows the link between nodes and PostgreSQL. A node process runs the jobs; a whole
 * server is asked all the while, and has to answer: during a cut with 503 at the latest after 2 s, and as
 * usual at the latest 3 s after it.
 */
export async function partitions(laboratory: Laboratory, options: PartitionOptions): Promise<PartitionReport> {
  const startedAt = performance.now();
  const where = await laboratory.premisesOf("postgres");
  if (where.kind !== "postgres") throw new Error("partitions need PostgreSQL");
  const { expected } = await laboratory.rehearse({ kind: "sqlite" });
  const proxy = await openTcpProxy(where.server.port);
  const premises = await createPremises(where);
  const api = await openApi(where.server, proxy);
  try {
    const record = createRunRecord();
    const { store } = premises.settings;
    const url = store.kind === "postgres" ? throughProxy(store.url, proxy) : "";
    const settings = { ...premises.settings, store: { kind: "postgres", url }, life: "only", leaseMs } as const;
    const node = await startNode(laboratory.main, settings, record.listen);
    const random = randomNumbers(options.seed);
    let cutMs = 0;
    for (let cut = 0; cut < options.cuts; cut++) {
      node.send({ do: "start", jobs: record.nextJobs(Math.ceil(options.jobs / options.cuts)) });
      await pause(random() * 400);
      const ms = shortestCutMs * (options.longestCutMs / shortestCutMs) ** random();
      cutMs += ms;
      await cutOnce(proxy, api.probe, { kind: kinds[cut % kinds.length] ?? "reset", ms });
      if (cut % 20 === 19) options.say?.(`${cut + 1} cuts, ${JSON.stringify(api.probe.figures())}`);
    }
    node.send({ do: "settle", withinMs: longestRestMs });
    await node.next("settled");
    await node.stop();
    const rules = { mayRepeatInOneLife: true, mayBeLate: false };
    const reports = [await checkPremises(premises, record, expected, rules), await api.check(expected)];
    for (const example of reports.flatMap(({ examples }) => examples)) options.say?.(example);
    const report = sumReports(reports);
    const figures = api.probe.figures();
    report.faults.stuck += figures.tooLate.length;
    report.faults.different += figures.strange.length;
    return {
      ...report,
      cuts: options.cuts,
      cutSeconds: Math.round(cutMs / 1000),
      refused: record.refused,
      api: figures,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    await api.close();
    await proxy.close();
    await premises.remove();
  }
}

async function cutOnce(
  proxy: TcpProxy,
  probe: ApiProbe,
  { kind, ms }: { kind: Exclude<LinkState, "open">; ms: number },
): Promise<void> {
  proxy.set(kind);
  if (kind !== "slow") probe.begin();
  await pause(ms);
  proxy.set("open");
  await probe.heal();
}

function throughProxy(url: string, proxy: TcpProxy): string {
  const changed = new URL(url);
  changed.port = String(proxy.port);
  return changed.href;
}

/** A whole server behind the proxy, on a database of its own, with the probe that asks it. */
interface WatchedApi {
  probe: ApiProbe;
  check(expected: ExpectedOutcomes): Promise<CheckReport>;
  close(): Promise<void>;
}

async function openApi(postgres: PostgresServer, proxy: TcpProxy): Promise<WatchedApi> {
  const database = await postgres.createDatabase();
  const server: ServerProcess = await startServerProcess({
    databaseUrl: throughProxy(database.url, proxy),
    environment: quiet,
  });
  const client = httpClient(server);
  await importShapes(client);
  const record: RunRecord = createRunRecord();
  const probe = new ApiProbe(client, record);
  return {
    probe,
    async check(expected) {
      await probe.stop();
      const openStore = () => createPostgresStore({ url: database.url });
      await settle(client, record, longestRestMs);
      await untilWorkIsDone(openStore, longestRestMs);
      await server.kill();
      return checkStore(openStore, { expected, ...record });
    },
    async close() {
      await probe.stop();
      await server.kill();
      await rm(server.dataDir, { recursive: true, force: true });
      await database.remove();
    },
  };
}
