import { iterationId, parseIterationId } from "../../src/workflow-engine/jobs/iteration-id.ts";
import type { LedgerEntry } from "../simulation/effects-ledger.ts";
import type { LogAudit } from "./audit-log.ts";

/** What an effect may be beside the first and only one of its iteration. */
export interface EffectRules {
  /** A life may repeat an effect whose result it could not write. Otherwise only another life may. */
  mayRepeatInOneLife: boolean;
  /** A node that was held up between looking and acting may call after another node wrote the result. */
  mayBeLate: boolean;
}

/** What the outside remembers, compared with what the logs say. */
export interface EffectsReport {
  /** Effects that were made. */
  effects: number;
  /** Of these: those that had been made before. */
  repeated: number;
  /** Of these: those made after the result of the first was durable. */
  late: number;
  violations: string[];
}

/** Compares all effects of a run with the logs of all its jobs, given by job. */
export function auditEffects(
  ledger: readonly LedgerEntry[],
  logs: ReadonlyMap<string, LogAudit>,
  rules: EffectRules,
): EffectsReport {
  const report: EffectsReport = { effects: ledger.length, repeated: 0, late: 0, violations: [] };
  const byKey = groupByKey(ledger);
  for (const [key, entries] of byKey) auditKey(report, key, entries, logs);
  if (!rules.mayRepeatInOneLife) report.violations.push(...repeatsInOneLife(byKey));
  if (!rules.mayBeLate && report.late > 0)
    report.violations.push(`${report.late} effects were made after their result was durable`);
  for (const [jobId, { iterations }] of logs) {
    for (const [number, { wait, finishedAt, task }] of iterations) {
      if (wait !== "call" || finishedAt === undefined || byKey.has(iterationId(jobId, number))) continue;
      report.violations.push(`job ${jobId}: ${task} ended without its effect`);
    }
  }
  return report;
}

function groupByKey(ledger: readonly LedgerEntry[]): Map<string, LedgerEntry[]> {
  const byKey = new Map<string, LedgerEntry[]>();
  for (const entry of ledger) {
    const entries = byKey.get(entry.key);
    if (entries) entries.push(entry);
    else byKey.set(entry.key, [entry]);
  }
  return byKey;
}

function auditKey(
  report: EffectsReport,
  key: string,
  entries: readonly LedgerEntry[],
  logs: ReadonlyMap<string, LogAudit>,
): void {
  const place = parseIterationId(key);
  const iteration = place && logs.get(place.jobId)?.iterations.get(place.iteration);
  if (iteration?.wait !== "call") {
    report.violations.push(`effect ${key} belongs to no call of any log`);
    return;
  }
  report.repeated += entries.length - 1;
  if (new Set(entries.map(({ incoming }) => incoming)).size > 1)
    report.violations.push(`effect ${key} was repeated with other arguments`);
  const { finishedAt = Number.POSITIVE_INFINITY } = iteration;
  report.late += entries.filter(({ at }) => at > finishedAt).length;
}

function repeatsInOneLife(byKey: ReadonlyMap<string, readonly LedgerEntry[]>): string[] {
  return [...byKey].flatMap(([key, entries]) => {
    const lives = new Set(entries.map(({ node }) => node)).size;
    return lives < entries.length ? [`effect ${key} was made ${entries.length} times in ${lives} lives`] : [];
  });
}
