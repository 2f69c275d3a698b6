import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { joinReports, runModel, type ModelRange, type ModelReport } from "../test/model/model-run.ts";

// npm run model -- [--workflows N] [--seed S] [--first I] [--processes N]
// A difference is played again with: --seed S --first I --workflows 1

const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    workflows: text,
    seed: text,
    first: text,
    processes: text,
    part: { type: "boolean" },
  },
});
const workflows = Number(values.workflows ?? 20_000);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const first = Number(values.first ?? 0);
const say = (line: string): void => console.error(line);

if (values.part) process.send?.(runModel({ seed, first, count: workflows }, say));
else await runAll(Number(values.processes ?? Math.min(availableParallelism(), workflows)));

async function runAll(processes: number): Promise<void> {
  say(`seed ${seed}`);
  const started = performance.now();
  const share = Math.ceil(workflows / processes);
  const ranges = Array.from({ length: processes }, (_, part) => {
    const from = Math.min(part * share, workflows);
    return { seed, first: first + from, count: Math.min(share, workflows - from) };
  });
  const { differences, ...counts } = joinReports(await Promise.all(ranges.map((range) => runPart(range))));
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  console.log(JSON.stringify({ seed, ...counts, seconds, differences }));
  process.exitCode = differences.length === 0 ? 0 : 1;
}

async function runPart({ seed, first, count }: ModelRange): Promise<ModelReport> {
  const numbers = ["--seed", seed, "--first", first, "--workflows", count].map(String);
  const part: ChildProcess = fork(fileURLToPath(import.meta.url), ["--part", ...numbers]);
  let report: ModelReport | undefined;
  part.on("message", (message) => (report = message as ModelReport));
  const [code] = (await once(part, "close")) as [number | null];
  if (!report) throw new Error(`a part of the run ended with ${code} and told nothing`);
  return report;
}
