import { execFile } from "node:child_process";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { promisify } from "node:util";
import { measureFsyncMs } from "./processes/slow-fsync.ts";

export type Figures = Readonly<Record<string, unknown>>;

/** Where figures go: one JSON line each, to standard output and to `bench/results/results.jsonl`. */
export interface Report {
  figure(benchmark: string, figures: Figures): Promise<void>;
  /** A figure that could not be had; the run goes on and ends with exit code 1. */
  failure(benchmark: string, what: string, error: unknown): Promise<void>;
  readonly failures: number;
  /** All figures so far of a benchmark, in order. */
  figuresOf(benchmark: string): Figures[];
  /** Writes `bench/results/report.md`: a table per benchmark. */
  writeTables(): Promise<string>;
}

const folder = "bench/results";

/** A report whose lines say on what they were measured: machine, time of an fsync, Node.js, commit, date. */
export async function createReport(): Promise<Report> {
  const circumstances = {
    machine: `${cpus()[0]?.model ?? "?"} x${availableParallelism()}`,
    node: process.version,
    commit: await commitName(),
    fsyncMs: await measureFsyncMs(),
  };
  const lines: { benchmark: string; figures: Figures }[] = [];
  let failures = 0;
  await mkdir(folder, { recursive: true });

  const figure = async (benchmark: string, figures: Figures): Promise<void> => {
    lines.push({ benchmark, figures });
    const line = JSON.stringify({ benchmark, ...figures, ...circumstances, at: new Date().toISOString() });
    console.log(line);
    await appendFile(`${folder}/results.jsonl`, `${line}\n`);
  };
  return {
    figure,
    async failure(benchmark, what, error) {
      failures += 1;
      const text = error instanceof Error ? error.message : String(error);
      await figure(benchmark, { what, error: text.slice(0, 1_000) });
    },
    get failures() {
      return failures;
    },
    figuresOf: (benchmark) => lines.filter((line) => line.benchmark === benchmark).map(({ figures }) => figures),
    async writeTables() {
      const names = [...new Set(lines.map(({ benchmark }) => benchmark))];
      const about = Object.entries(circumstances).map(([name, value]) => `${name} ${value}`);
      const text = [`Measured on ${about.join(", ")}.`, ...names.map((name) => tableOf(name, lines))].join("\n\n");
      await writeFile(`${folder}/report.md`, `${text}\n`);
      return text;
    },
  };
}

function tableOf(name: string, lines: readonly { benchmark: string; figures: Figures }[]): string {
  const rows = lines.filter(({ benchmark }) => benchmark === name).map(({ figures }) => figures);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: readonly unknown[]): string => `| ${cells.map((cell) => cellText(cell)).join(" | ")} |`;
  return [
    `### ${name}\n`,
    line(columns),
    line(columns.map(() => "---")),
    ...rows.map((row) => line(columns.map((column) => row[column]))),
  ].join("\n");
}

function cellText(cell: unknown): string {
  if (cell === undefined) return "";
  return typeof cell === "string" ? cell.replaceAll("|", "/").replaceAll("\n", " ") : JSON.stringify(cell);
}

/** The commit, with `+` when files differ from it. */
async function commitName(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)("git", args)).stdout.trim();
  try {
    const changed = await git("status", "--porcelain", "--untracked-files=no");
    return `${await git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "+"}`;
  } catch {
    return "?";
  }
}
