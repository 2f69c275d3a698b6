import type { BenchContext } from "./benchmark.ts";
import { taskWorks, type TaskWork } from "../tasks/task-works.ts";

const warmUpSeconds = 0.5;

/**
 * What computing costs without store and HTTP: tasks of the library, the interpreter, transformations, templates. Rates are
 * for one core: by processor time of this process, and by the wall beside it.
 */
export async function measureTasks({ options, report }: BenchContext): Promise<void> {
  for (const work of taskWorks()) {
    try {
      runFor(work, warmUpSeconds);
      const { units, cpuSeconds, seconds } = runFor(work, options.seconds);
      const perCpuSecond = rounded(units / cpuSeconds);
      await report.figure("tasks", {
        what: work.name,
        unit: work.unit,
        perCpuSecond,
        perSecond: rounded(units / seconds),
        ...(work.aim === undefined ? {} : { aim: work.aim, isReached: perCpuSecond >= work.aim }),
      });
    } catch (error) {
      await report.failure("tasks", work.name, error);
    }
  }
}

/** Does the work again and again for so many seconds of the processor. */
function runFor(work: TaskWork, mostSeconds: number): { units: number; cpuSeconds: number; seconds: number } {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let units = 0;
  let cpuSeconds = 0;
  for (let batch = 1; cpuSeconds < mostSeconds; batch = Math.min(batch * 2, 1_024)) {
    for (let times = 0; times < batch; times++) units += work.run();
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuSeconds = (user + system) / 1e6;
  }
  return { units, cpuSeconds, seconds: (performance.now() - startedAt) / 1_000 };
}

function rounded(rate: number): number {
  return rate >= 100 ? Math.round(rate) : Number(rate.toFixed(1));
}
