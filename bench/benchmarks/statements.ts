import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openDatabases } from "../processes/databases.ts";
import { buildSlowFsync } from "../processes/slow-fsync.ts";
import { newPlace } from "../targets/linewright.ts";
import type { BenchContext } from "./benchmark.ts";

const file = fileURLToPath(new URL("../statements/count-statements.ts", import.meta.url));
const longestMs = 120_000;

/** What a workflow asks of its store: calls, statements, fsyncs and processor time, alone and in company. */
export async function measureStatements({ options, report }: BenchContext): Promise<void> {
  const counter = await buildSlowFsync(0);
  const databases = openDatabases(counter.environment);
  try {
    for (const kind of options.stores) {
      const place = await newPlace(kind, databases);
      const environment = {
        ...process.env,
        ...counter.environment,
        BENCH_FOLDER: place.dataDir,
        BENCH_CLIENTS: options.clients.join(","),
        ...(place.databaseUrl === undefined ? {} : { BENCH_DATABASE_URL: place.databaseUrl }),
      };
      const args = ["--import", "tsx", file];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment, timeout: longestMs });
      for (const line of stdout.trim().split("\n")) {
        await report.figure("statements", { store: kind, ...(JSON.parse(line) as object) });
      }
      await place.remove();
    }
  } finally {
    await databases.stop();
    await counter.remove();
  }
}
