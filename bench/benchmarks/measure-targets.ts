import { loadTarget, tryOut, type TargetLoad } from "../load.ts";
import type { Databases } from "../processes/databases.ts";
import type { Environment } from "../processes/slow-fsync.ts";
import type { Target } from "../targets/target.ts";
import type { BenchContext } from "./benchmark.ts";

export interface TargetRun {
  /** Name of the figures. */
  benchmark: string;
  targets: readonly Target[];
  databases: Databases;
  environment?: Environment;
  /** More to say with each load. */
  describe?: (load: TargetLoad) => object;
}

/** Measures targets one after the other, each in processes of its own. One that fails does not stop the others. */
export async function measureTargets(context: BenchContext, run: TargetRun): Promise<void> {
  for (const target of run.targets) {
    try {
      await measureTarget(context, run, target);
    } catch (error) {
      await context.report.failure(run.benchmark, target.name, error);
    }
  }
}

async function measureTarget({ options, report }: BenchContext, run: TargetRun, target: Target): Promise<void> {
  const { databases, environment = {}, describe } = run;
  const running = await target.start({ databases, environment });
  try {
    await tryOut(running);
    for (const clients of options.clients) {
      const load = await loadTarget(running, clients, options.seconds);
      const { coldStartMs } = running;
      await report.figure(run.benchmark, {
        target: target.name,
        ...load,
        coldStartMs,
        durability: target.durability,
        ...describe?.(load),
      });
    }
  } finally {
    await running.stop();
  }
}

/** How many times the rate of every other target Linewright reaches on each store, at each number of clients. */
export async function reportRatios({ report }: BenchContext, benchmark: string): Promise<void> {
  const loads = report.figuresOf(benchmark).filter((figures) => "perSecond" in figures) as unknown as {
    target: string;
    clients: number;
    perSecond: number;
  }[];
  const own = loads.filter(({ target }) => target.startsWith("linewright-"));
  for (const { target, clients, perSecond } of loads) {
    if (target.startsWith("linewright-")) continue;
    const ratios = own
      .filter((load) => load.clients === clients)
      .map((load) => [load.target, Number((load.perSecond / perSecond).toFixed(1))] as const);
    await report.figure(`${benchmark}-ratios`, { target, clients, ...Object.fromEntries(ratios) });
  }
}
