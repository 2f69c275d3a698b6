import { mkdir } from "node:fs/promises";
import { stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import { copyStores, type CopyArguments } from "../../../src/cli/copy-store-command.ts";
import { runDoctor } from "../../../src/cli/doctor-command.ts";
import type { Finding } from "../../../src/cli/doctor/finding.ts";
import { migrate } from "../../../src/cli/migrate-command.ts";
import type { Output } from "../../../src/cli/output.ts";
import { rebuild } from "../../../src/cli/rebuild-command.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createPasswordHasher } from "../../../src/platform-management/user-management/index.ts";
import { startPlatform, type Platform } from "../../../src/platform.ts";
import type { Write } from "../../../src/store/index.ts";
import { createSqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { adminPassword, signIn } from "../../support/platform.ts";
import { createTemporaryFolder } from "../../support/store-files.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const version = "0.0.1";
const stub = { incoming: { type: "success", delay: "", response: 1 } };

/** Runs a command in this process, without colours. */
async function run(act: (output: Output) => Promise<number>, isJson = false): Promise<{ code: number; out: string }> {
  let out = "";
  const write = (text: string): void => void (out += stripVTControlCharacters(text));
  const code = await act({ isJson, isTerminal: false, write, writeError: write });
  return { code, out };
}

/** A platform on SQLite in a folder, whatever store other tests run on. */
export function startOn(dataDir: string): Promise<Platform> {
  const configuration = { host: "127.0.0.1", port: 0, dataDir, adminPassword, logLevel: "error" as const };
  return startPlatform(
    { ...configuration, databaseUrl: undefined, encryptionKey: undefined, trustedProxies: [] },
    silentLogger,
    {
      passwordHasher: createPasswordHasher({ memoryCost: 1024, timeCost: 2, parallelism: 1 }),
      storeThread: "inline",
    },
  );
}

/** Requests as the administrator, which must succeed. */
export async function connect(url: string) {
  const token = await signIn(url, "admin", adminPassword);
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(new URL(path, url), { method, headers, ...text });
    expect(reply.ok).toBe(true);
    return (await reply.json()) as T;
  };
}

/** The commands of operators on a data folder that does not exist yet. */
export async function createOperatorBench() {
  const folder = await createTemporaryFolder();
  const dataDir = folder.file("data");
  const file = `${dataDir}/linewright.db`;
  const settings: Record<string, string> = { LINEWRIGHT_DATA_DIR: dataDir, LINEWRIGHT_PORT: "0" };
  const doctor = (more: Record<string, string> = {}, isJson = true) =>
    run((output) => runDoctor(output, { environment: { ...settings, ...more }, version }), isJson);
  return {
    folder,
    dataDir,
    /** Of the database. */
    file,
    settings,
    doctor,
    migrate: (more: { isCheck?: boolean; isJson?: boolean; environment?: Record<string, string> } = {}) =>
      run((output) => migrate(output, { environment: settings, isCheck: false, ...more }), more.isJson),
    copy: (given: Partial<CopyArguments> & { to: string }, isJson = false) =>
      run((output) => copyStores(output, { from: file, version, ...given }), isJson),
    rebuild: (isDryRun: boolean, isJson = false) =>
      run((output) => rebuild(output, { environment: settings, isDryRun }), isJson),

    /** What the doctor finds, and its exit code. */
    async examine(more: Record<string, string> = {}) {
      const { code, out } = await doctor(more);
      const { findings } = JSON.parse(out) as { findings: Finding[] };
      // How much room there is on the disk of the machine is no matter of these tests.
      const bad = findings.filter(({ check, state }) => state !== "ok" && check !== "disk");
      return { code, findings, bad, out };
    },

    /** Lets a platform run a job and keep a secret in the data folder. */
    async makeUsedData(): Promise<void> {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const platform = await startOn(dataDir);
      const send = await connect(platform.url);
      const workflow = workflowOf("cli", { a1: stub }, ["start > a1", "a1 > end"]);
      await send("POST", "/workflow_builder/import", { workflow, options: {} });
      await send("POST", "/operations-manager/jobs/start?wait=10000", { workflow: "cli" });
      await send("POST", "/inventory/devices", { name: "r1", host: "192.0.2.1", password: "device-secret" });
      await platform.stop();
    },

    async write(...writes: Write[]): Promise<void> {
      const store = await createSqliteStore({ file, thread: "inline" });
      await store.commit(writes);
      await store.close();
    },
    close: () => folder.remove(),
  };
}

export type OperatorBench = Awaited<ReturnType<typeof createOperatorBench>>;
