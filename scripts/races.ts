import { parseArgs } from "node:util";
import { runRace, wrongsOf } from "../test/races/race-run.ts";
import { serveTemporaryDatabases } from "../test/support/temporary-databases.ts";
import { addressVariable } from "../test/support/temporary-database.ts";

// npm run races -- [--operations N] [--clients N] [--store sqlite|postgres] [--nodes N, on postgres] [--seed N]

const text = { type: "string" } as const;
const { values } = parseArgs({ options: { operations: text, clients: text, store: text, nodes: text, seed: text } });
const { store = "sqlite" } = values;
const nodes = Number(values.nodes ?? 1);
if (nodes > 1 && store !== "postgres") throw new Error("several nodes share PostgreSQL alone: --store postgres");
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const say = (line: string): void => console.error(line);
say(`seed ${seed}`);

process.env["STORE"] = store;
const databases = await serveTemporaryDatabases();
process.env[addressVariable] = databases.address;
try {
  const operations = Number(values.operations ?? 50_000);
  const report = await runRace({ operations, clients: Number(values.clients ?? 8), nodes, seed, say });
  console.log(JSON.stringify({ store, nodes, seed, ...report }, null, 2));
  process.exitCode = wrongsOf(report) === 0 ? 0 : 1;
} finally {
  await databases.close();
}
