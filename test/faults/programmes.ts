import type { CheckReport } from "./checker.ts";
import { clock } from "./clock.ts";
import { diskFull } from "./disk-full.ts";
import { faultCount } from "./findings.ts";
import { kill } from "./kill.ts";
import type { Laboratory } from "./laboratory.ts";
import type { StoreKind } from "./premises.ts";
import { nodes } from "./nodes.ts";
import { partitions } from "./partitions.ts";
import { postgresKill } from "./postgres-kill.ts";
import { removal } from "./removal.ts";
import { server } from "./server.ts";
import { start } from "./start.ts";
import { statements } from "./statements.ts";
import { stop } from "./stop.ts";

/** What a programme is told. */
export interface ProgrammeOptions {
  stores: readonly StoreKind[];
  seed: number;
  /** A size by its name, e.g. `jobs`. */
  size(name: string, fallback: number): number;
  say(line: string): void;
}

/** What came of a programme: figures, and how many faults there are among them. */
export interface ProgrammeReport {
  faults: number;
  runs: readonly object[];
}

/** A programme of the laboratory. */
export type Programme = (laboratory: Laboratory, options: ProgrammeOptions) => Promise<ProgrammeReport>;

/** One run for each store, side by side. */
async function withEachStore<Report extends Pick<CheckReport, "faults">>(
  { stores }: ProgrammeOptions,
  run: (kind: StoreKind) => Promise<Report>,
): Promise<ProgrammeReport> {
  const runs = await Promise.all(stores.map(run));
  return { faults: runs.reduce((sum, report) => sum + faultCount(report), 0), runs };
}

/** A programme of one run. */
function alone(report: Pick<CheckReport, "faults">): ProgrammeReport {
  return { faults: faultCount(report), runs: [report] };
}

/** All programmes by name. Sizes are those of the whole test; `test/faults/laboratory.test.ts` runs small ones. */
export const programmes: Readonly<Record<string, Programme>> = {
  kill: (laboratory, options) =>
    withEachStore(options, async (kind) =>
      kill(laboratory, {
        premises: await laboratory.premisesOf(kind),
        jobs: options.size("jobs", 20_000),
        kills: options.size("kills", 2_000),
        seed: options.seed,
        say: options.say,
      }),
    ),
  removal: (laboratory, options) =>
    withEachStore(options, async (kind) =>
      removal(laboratory, {
        premises: await laboratory.premisesOf(kind),
        jobs: options.size("jobs", 5_000),
        kills: options.size("kills", 500),
        seed: options.seed,
        say: options.say,
      }),
    ),
  start: (laboratory, options) =>
    withEachStore(options, async (kind) =>
      start(laboratory, {
        premises: await laboratory.premisesOf(kind),
        kills: options.size("kills", 500),
        seed: options.seed,
        say: options.say,
      }),
    ),
  statements: (laboratory, options) =>
    withEachStore(options, async (kind) =>
      statements(laboratory, {
        premises: await laboratory.premisesOf(kind),
        jobs: options.size("jobs", 20_000),
        chance: options.size("chance", 0.05),
        seed: options.seed,
        say: options.say,
      }),
    ),
  server: async (laboratory, { size, seed, say }) =>
    alone(await server(laboratory, { jobs: size("jobs", 1_000), kills: size("kills", 200), seed, say })),
  clock: (laboratory, options) =>
    withEachStore(options, async (kind) =>
      clock(laboratory, {
        premises: await laboratory.premisesOf(kind),
        timers: options.size("timers", 5_000),
        jumps: options.size("jumps", 40),
        seed: options.seed,
        say: options.say,
      }),
    ),
  "disk-full": (laboratory, options) =>
    withEachStore(options, (store) =>
      diskFull(laboratory, { store, fills: options.size("fills", 30), say: options.say }),
    ),
  nodes: async (laboratory, { size, seed, say }) => {
    const sizes = { nodes: size("nodes", 2), kills: size("kills", 100), jobs: size("jobs", 2_000) };
    return alone(await nodes(laboratory, { ...sizes, seed, say }));
  },
  partitions: async (laboratory, { size, seed, say }) => {
    const sizes = { cuts: size("cuts", 300), jobs: size("jobs", 10_000), longestCutMs: size("longest", 12_000) };
    return alone(await partitions(laboratory, { ...sizes, seed, say }));
  },
  "postgres-kill": async (laboratory, { size, seed, say }) => {
    const kills = size("kills", 50);
    return alone(await postgresKill(laboratory, { kills, jobsPerKill: size("jobs", 1_000) / kills, seed, say }));
  },
  stop: async (laboratory, { size, seed, say }) =>
    alone(
      await stop(laboratory, {
        stops: size("stops", 200),
        jobsPerStop: size("jobs", 2_000) / size("stops", 200),
        seed,
        say,
      }),
    ),
};
