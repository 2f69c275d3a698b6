import pc from "picocolors";
import { readConfiguration, type Environment } from "../configuration.ts";
import { configuredLocation } from "../store/index.ts";
import {
  rebuildProjections,
  type RebuildOptions,
  type RebuildReport,
  type RowDifference,
} from "../workflow-engine/index.ts";
import { withStore } from "./operated-store.ts";
import { say, showResult, type Output } from "./output.ts";

const progressEveryMs = 1_000;
const mostShown = 20;

export interface RebuildCommandOptions {
  /** Settings that name the store. */
  environment: Environment;
  isDryRun: boolean;
}

/**
 * `linewright rebuild`: compares job headers, open tasks and the figures of workflows with the logs they are
 * made from, and puts them right. Exit code 1 when a log cannot be read, and with `--dry-run` when anything differs.
 */
export async function rebuild(output: Output, { environment, isDryRun }: RebuildCommandOptions): Promise<number> {
  const location = configuredLocation(readConfiguration(environment));
  const options = { dryRun: isDryRun, onProgress: createProgress(output) };
  const report = await withStore(location, (store) => rebuildProjections(store, options));
  showResult(output, { isDryRun, ...report }, () => textOf(report, isDryRun));
  const isDifferent = report.written + report.removed + report.figures.different > 0;
  return report.unreadable.length > 0 || (isDryRun && isDifferent) ? 1 : 0;
}

function createProgress(output: Output): NonNullable<RebuildOptions["onProgress"]> {
  let saidAt = performance.now();
  return ({ jobs }) => {
    if (performance.now() - saidAt < progressEveryMs) return;
    saidAt = performance.now();
    say(output, pc.dim(`  ${jobs.toLocaleString("en")} jobs compared`));
  };
}

function textOf(report: RebuildReport, isDryRun: boolean): string {
  const { jobs, written, removed, unchanged, different, unreadable, figures } = report;
  const lines = different.slice(0, mostShown).map(differenceLine);
  if (written + removed > mostShown) lines.push(`  and ${(written + removed - mostShown).toLocaleString("en")} more`);
  for (const { job, reason } of unreadable.slice(0, mostShown))
    lines.push(pc.red(`  the log of job ${job} cannot be read: ${reason}`));
  const done = isDryRun ? "would be" : "were";
  const count = `${jobs.toLocaleString("en")} jobs: ${unchanged.toLocaleString("en")} rows are as their logs say`;
  const changes = `${written.toLocaleString("en")} ${done} written, ${removed.toLocaleString("en")} ${done} removed`;
  const failed = unreadable.length > 0 ? `, ${unreadable.length.toLocaleString("en")} logs cannot be read` : "";
  return [...lines, `${count}, ${changes}${failed}.`, figuresLine(figures, done)].join("\n");
}

function figuresLine({ unchanged, different, skipped }: RebuildReport["figures"], done: string): string {
  if (skipped !== undefined) return `The figures of workflows were not compared: ${skipped}.`;
  const same = `Figures: ${unchanged.toLocaleString("en")} workflows and days are as the logs say`;
  return `${same}, ${different.toLocaleString("en")} ${done} put right.`;
}

const differenceTexts: Readonly<Record<RowDifference["difference"], string>> = {
  missing: "is missing",
  different: "is not as its log says",
  superfluous: "belongs to no log",
};

function differenceLine({ collection, id, difference }: RowDifference): string {
  return pc.yellow(`  ${collection} ${id} ${differenceTexts[difference]}`);
}
