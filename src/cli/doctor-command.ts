import pc from "picocolors";
import type { Environment, NodeConfiguration } from "../configuration.ts";
import { createSystemClock, type Clock } from "../core/clock.ts";
import type { SecretBox } from "../core/secret-box.ts";
import { configuredLocation, type Store } from "../store/index.ts";
import { checkConfiguration } from "./doctor/configuration-checks.ts";
import { checkDataFolder } from "./doctor/data-folder-checks.ts";
import { checkEncryptionKey, checkStoredSecrets } from "./doctor/encryption-key-checks.ts";
import { failure, messageOf, type Finding, type FindingState } from "./doctor/finding.ts";
import { checkLatency } from "./doctor/latency-checks.ts";
import { judgeLocks } from "./doctor/lock-checks.ts";
import { checkNodeVersion, checkPort } from "./doctor/machine-checks.ts";
import { judgeNodes } from "./doctor/node-checks.ts";
import { checkDatabase, checkStore } from "./doctor/store-checks.ts";
import { judgeWork, surveyWork } from "./doctor/work-checks.ts";
import { surveyLocks } from "../workflow-engine/index.ts";
import { isAlive, nodesOf, withStore } from "./operated-store.ts";
import { say, showResult, type Output } from "./output.ts";

export interface DoctorOptions {
  /** Settings of the node that is examined. */
  environment: Environment;
  /** Release of this program. */
  version: string;
}

/** Called with findings as they come. */
type Report = (...findings: Finding[]) => void;

/**
 * `linewright doctor`: looks at everything a node needs, as this node would find it, and says what to do.
 * Changes nothing that stays. Exit code 1 when something fails; warnings are 0.
 */
export async function runDoctor(output: Output, { environment, version }: DoctorOptions): Promise<number> {
  const findings: Finding[] = [];
  const report: Report = (...found) => {
    findings.push(...found);
    for (const finding of found) say(output, lineOf(finding));
  };
  report(checkNodeVersion(process.version));
  const { configuration, findings: about } = checkConfiguration(environment);
  report(...about);
  if (configuration) await examineNode(configuration, version, report);
  return conclude(output, findings);
}

async function examineNode(configuration: NodeConfiguration, version: string, report: Report): Promise<void> {
  const clock = createSystemClock();
  const location = configuredLocation(configuration);
  await attempt("port", report, async () => report(await checkPort(configuration.host, configuration.port)));
  await attempt("data folder", report, async () => report(...(await checkDataFolder(configuration.dataDir))));
  const key = await checkEncryptionKey(configuration);
  report(...key.findings);
  const outlook = await checkStore(location, clock);
  report(...outlook.findings);
  let nodes = 1;
  if (outlook.isOpenable) {
    await attempt("store", report, () =>
      withStore(location, async (store) => {
        nodes = await examineStore(store, { clock, version, box: key.box, report });
      }),
    );
  }
  if (outlook.isReachable) {
    await attempt("database", report, async () => report(...(await checkDatabase(location, clock, nodes))));
  }
}

interface Examination {
  clock: Clock;
  version: string;
  box: SecretBox | undefined;
  report: Report;
}

/** Resolves with the number of nodes that are up. */
async function examineStore(store: Store, { clock, version, box, report }: Examination): Promise<number> {
  report(...(await checkLatency(store)));
  report(await checkStoredSecrets(store, box));
  const nodes = await nodesOf(store, version);
  report(...judgeNodes(nodes, version, clock.now()));
  report(...judgeWork(await surveyWork(store, clock.now())));
  await attempt("locks", report, async () => report(judgeLocks(await surveyLocks(store))));
  return nodes.filter(isAlive).length;
}

/** A check that cannot be made is a finding, and no reason to leave the others out. */
async function attempt(check: string, report: Report, examine: () => Promise<void>): Promise<void> {
  try {
    await examine();
  } catch (error) {
    report(failure(check, messageOf(error), "Remove the cause, then run the doctor again."));
  }
}

const marks: Readonly<Record<FindingState, string>> = {
  ok: pc.green("ok  "),
  warn: pc.yellow("warn"),
  fail: pc.red("fail"),
};

function lineOf({ check, state, message, advice }: Finding): string {
  const line = `${marks[state]}  ${check.padEnd(14)}  ${message}`;
  return advice === undefined ? line : `${line}. ${pc.bold(advice)}`;
}

function conclude(output: Output, findings: readonly Finding[]): number {
  const count = (state: FindingState): number => findings.filter((finding) => finding.state === state).length;
  const failures = count("fail");
  const warnings = count("warn");
  const report = { state: failures > 0 ? "fail" : warnings > 0 ? "warn" : "ok", failures, warnings, findings };
  showResult(output, report, () => `ok: ${count("ok")}, warnings: ${warnings}, failures: ${failures}`);
  return failures > 0 ? 1 : 0;
}
