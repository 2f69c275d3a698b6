import type { Store } from "../../src/store/store.ts";
import type { LedgerEntry } from "../simulation/effects-ledger.ts";
import { checkLeftovers, checkRows } from "./audit-leftovers.ts";
import { auditEffects, type EffectRules } from "./audit-effects.ts";
import { createJobAuditor, type AuditedJob } from "./audit-job.ts";
import type { LogMoment } from "./audit-log.ts";
import type { CommitTimes } from "../support/commit-times.ts";
import { Findings, type FaultKind } from "./findings.ts";
import { faultOf, outcomeOf, type Outcome } from "./outcome.ts";

/** Outcome of each shape without faults, by the name of its workflow. */
export type ExpectedOutcomes = ReadonlyMap<string, Outcome>;

/** A run that has come to rest, as the checker is told of it. */
export interface CheckedRun {
  store: Store;
  expected: ExpectedOutcomes;
  /** Description → workflow, of every start that was asked for. */
  asked: ReadonlyMap<string, string>;
  /** Description → job, of every start that was answered. */
  acknowledged: ReadonlyMap<string, string>;
  /** Iterations of manual tasks whose finish was answered, one entry for each answer. */
  finished?: readonly string[];
  /** What the outside remembers, where it is under control. */
  ledger?: readonly LedgerEntry[];
  effectRules?: EffectRules;
  /** Where the store tells them. */
  commitTimes?: CommitTimes | undefined;
}

/** What came of a run. Each count of `faults` is to be 0. */
export interface CheckReport {
  /** Jobs that were asked for and are there, child jobs apart. */
  jobs: number;
  childJobs: number;
  /** Events in their logs. */
  events: number;
  acknowledged: number;
  /** Starts without an answer, and how many of them did happen. */
  unanswered: number;
  unansweredButThere: number;
  effects: number;
  repeatedEffects: number;
  lateEffects: number;
  faults: Record<FaultKind, number>;
  /** The first of them in words. */
  examples: string[];
}

/** Checks every job of a store that is at rest against what must hold whatever happened. */
export async function checkRun(run: CheckedRun): Promise<CheckReport> {
  const findings = new Findings();
  const jobs = await auditAllJobs(run.store, findings);
  const roots = [...jobs.values()].filter(({ state }) => !state.origin.parent);
  checkStarts(run, roots, findings);
  checkChildren(jobs, findings);
  for (const root of roots) checkOutcome(run, root, jobs, findings);
  checkAnswers(run, findings);
  await checkLeftovers(run.store, findings);
  await checkRows(run.store, findings);
  checkLocks(jobs, findings, run.commitTimes);
  const effects = checkEffects(run, jobs, findings);
  return {
    ...effects,
    ...startFigures(run, roots),
    childJobs: jobs.size - roots.length,
    events: [...jobs.values()].reduce((sum, { state }) => sum + state.seq, 0),
    faults: findings.faults,
    examples: findings.examples,
  };
}

function startFigures({ asked, acknowledged }: CheckedRun, roots: readonly AuditedJob[]) {
  const unanswered = [...asked.keys()].filter((description) => !acknowledged.has(description));
  const stored = new Set(roots.map(({ state }) => state.origin.description));
  return {
    jobs: roots.length,
    acknowledged: acknowledged.size,
    unanswered: unanswered.length,
    unansweredButThere: unanswered.filter((description) => stored.has(description)).length,
  };
}

const noEffects = { effects: 0, repeatedEffects: 0, lateEffects: 0 };
const strictest: EffectRules = { mayRepeatInOneLife: false, mayBeLate: false };

function checkEffects({ ledger, effectRules }: CheckedRun, jobs: ReadonlyMap<string, AuditedJob>, findings: Findings) {
  if (!ledger) return noEffects;
  const logs = new Map([...jobs].map(([jobId, { log }]) => [jobId, log]));
  const { effects, repeated, late, violations } = auditEffects(ledger, logs, effectRules ?? strictest);
  for (const violation of violations) findings.add("effect", violation);
  return { effects, repeatedEffects: repeated, lateEffects: late };
}

/** The same with a store that is opened for it and closed afterwards. */
export async function checkStore(
  openStore: () => Promise<Store>,
  run: Omit<CheckedRun, "store">,
): Promise<CheckReport> {
  const store = await openStore();
  try {
    return await checkRun({ ...run, store });
  } finally {
    await store.close();
  }
}

const jobsPerPage = 500;

async function auditAllJobs(store: Store, findings: Findings): Promise<Map<string, AuditedJob>> {
  const jobs = new Map<string, AuditedJob>();
  const auditor = createJobAuditor(store);
  for (let after = ""; ;) {
    const ids = await store.jobIds(after, jobsPerPage);
    for (const jobId of ids) {
      const job = await auditor.audit(jobId);
      for (const violation of job.log.violations) findings.add("log", `job ${jobId} ${violation}`);
      for (const difference of job.differences) findings.add("view", `job ${jobId}: ${difference}`);
      jobs.set(jobId, job);
    }
    const last = ids.at(-1);
    if (last === undefined) return jobs;
    after = last;
  }
}

/** No acknowledged job is lost; what was not acknowledged exists once or not at all; there is nothing else. */
function checkStarts({ asked, acknowledged }: CheckedRun, roots: readonly AuditedJob[], findings: Findings): void {
  const byDescription = new Map<string, string>();
  for (const { state } of roots) {
    const { _id, description = "" } = state.origin;
    if (!asked.has(description)) findings.add("doubled", `job ${_id} (${description}) was never asked for`);
    const twin = byDescription.get(description);
    if (twin !== undefined) findings.add("doubled", `${description} was started as ${twin} and as ${_id}`);
    byDescription.set(description, _id);
  }
  for (const [description, jobId] of acknowledged) {
    if (byDescription.get(description) !== jobId) findings.add("lost", `${description} was acknowledged as ${jobId}`);
  }
}

/** Each child that a log asks for is there once, and nobody else's. */
function checkChildren(jobs: ReadonlyMap<string, AuditedJob>, findings: Findings): void {
  const askedFor = new Set<string>();
  for (const [jobId, { log, state }] of jobs) {
    for (const { _id, task } of log.children) {
      if (askedFor.has(_id)) findings.add("doubled", `child ${_id} belongs to two tasks`);
      askedFor.add(_id);
      // A job that was canceled meanwhile need not start a child.
      const isMissing = !jobs.has(_id) && state.status !== "canceled";
      if (isMissing) findings.add("lost", `child ${_id} of task ${task} of job ${jobId}`);
    }
  }
  for (const [jobId, { state }] of jobs) {
    if (state.origin.parent && !askedFor.has(jobId)) findings.add("doubled", `nobody asked for child ${jobId}`);
  }
}

function checkOutcome(
  { expected }: CheckedRun,
  job: AuditedJob,
  jobs: ReadonlyMap<string, AuditedJob>,
  findings: Findings,
): void {
  const { origin } = job.state;
  const wanted = expected.get(origin.name);
  if (!wanted) {
    findings.add("different", `job ${origin._id} runs ${origin.name}, which has no expected outcome`);
    return;
  }
  const outcome = outcomeOfJob(job, jobs);
  const fault = faultOf(outcome, wanted);
  if (fault) findings.add(fault, `${origin.description} ${origin._id} ${origin.name}: ${JSON.stringify(outcome)}`);
}

/** Outcome of a job with those of its children. */
export function outcomeOfJob({ state, log }: AuditedJob, jobs: ReadonlyMap<string, AuditedJob>): Outcome {
  const children = log.children.toSorted(
    (left, right) =>
      left.task.localeCompare(right.task) || left.iteration - right.iteration || left.index - right.index,
  );
  return outcomeOf(
    state,
    children.flatMap(({ _id }) => {
      const child = jobs.get(_id);
      return child ? [outcomeOfJob(child, jobs)] : [];
    }),
  );
}

/** Clocks of nodes on one machine differ by less, and locks of the shapes are held for longer. Milliseconds. */
const lockSlackMs = 30;

/**
 * A lock has one holder at a time: from the commit that gives it to the one that ends its task. Where the times of
 * commits are not known, those of the events have to do, which is right as long as commits are quick.
 */
export function checkLocks(jobs: ReadonlyMap<string, AuditedJob>, findings: Findings, commitTimes?: CommitTimes): void {
  const slackMs = commitTimes ? 0 : lockSlackMs;
  const timeOf = (job: string, { seq, at }: LogMoment): number => commitTimes?.(job, seq) ?? at;
  const held = [...jobs].flatMap(([job, { log }]) =>
    log.locks.map(({ key, from, to }) => ({ key, job, from: timeOf(job, from), to: to && timeOf(job, to) })),
  );
  const sorted = held.toSorted((left, right) => left.key.localeCompare(right.key) || left.from - right.from);
  sorted.forEach((lock, index) => {
    const next = sorted[index + 1];
    const end = lock.to ?? Infinity;
    if (next?.key === lock.key && next.from < end - slackMs)
      findings.add(
        "doubled",
        `lock ${lock.key} of job ${lock.job} until ${end}, and of job ${next.job} from ${next.from}`,
      );
  });
}

/** A finish that was answered is durable: the same iteration cannot be finished, and answered, again. */
function checkAnswers({ finished = [] }: CheckedRun, findings: Findings): void {
  const seen = new Set<string>();
  for (const iteration of finished) {
    if (seen.has(iteration)) findings.add("lost", `the finish of manual task ${iteration} was answered twice`);
    seen.add(iteration);
  }
}

/** The outcomes of a run without faults, by workflow. Throws where the checker finds anything wrong with it. */
export async function expectedOutcomes(store: Store): Promise<Map<string, Outcome>> {
  const findings = new Findings();
  const jobs = await auditAllJobs(store, findings);
  checkChildren(jobs, findings);
  await checkLeftovers(store, findings);
  if (findings.examples.length > 0) throw new Error(`a run without faults went wrong: ${findings.examples.join("; ")}`);
  const outcomes = new Map<string, Outcome>();
  for (const job of jobs.values()) {
    if (!job.state.origin.parent) outcomes.set(job.state.origin.name, outcomeOfJob(job, jobs));
  }
  return outcomes;
}
