import type { Store } from "../../src/store/store.ts";
import { createJobAuditor, type AuditedJob, type JobLogView } from "../faults/audit-job.ts";
import { checkLocks } from "../faults/checker.ts";
import { Findings, type FaultKind } from "../faults/findings.ts";
import type { CommitTimes } from "../support/commit-times.ts";
import { illegalSteps } from "./legal-order.ts";
import { isEnded } from "./known-jobs.ts";
import { acceptedKey, type RaceRecord } from "./race-record.ts";

/** What the logs and the rest of the store say after a race. Each count of `faults` is to be 0. */
export interface RaceAudit {
  jobs: number;
  childJobs: number;
  deleted: number;
  events: number;
  /** The longest log. */
  mostEvents: number;
  /** Jobs by the status they ended in. */
  ends: Record<string, number>;
  faults: Record<FaultKind, number>;
  examples: string[];
}

const jobsPerPage = 500;

/** Where the jobs of a race are. */
export interface RacedStore {
  store: Store;
  /** Where the store tells them. */
  commitTimes: CommitTimes | undefined;
}

/** Audits every job of a store that is at rest against what was answered. */
export async function auditRace(
  { store, commitTimes }: RacedStore,
  record: RaceRecord,
  people: RacePeople,
): Promise<RaceAudit> {
  const findings = new Findings();
  const logged = new Map<string, number>();
  const auditor = createJobAuditor(store, (log) => {
    countEvents(logged, log, people.usernames);
    return illegalSteps(log, people.administrators);
  });
  const jobs = new Map<string, AuditedJob>();
  for (let after = ""; ;) {
    const ids = await store.jobIds(after, jobsPerPage);
    for (const jobId of ids) jobs.set(jobId, await auditor.audit(jobId));
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  for (const [jobId, job] of jobs) await auditJob(store, findings, jobId, job);
  auditAnswers(findings, record, logged, jobs);
  auditDeletions(findings, record, jobs);
  auditChildren(findings, jobs);
  checkLocks(jobs, findings, commitTimes);
  await auditLeftovers(store, findings);
  return { ...figures(jobs, record), faults: findings.faults, examples: findings.examples };
}

/** Who raced. */
export interface RacePeople {
  usernames: ReadonlySet<string>;
  administrators: ReadonlySet<string>;
}

async function auditJob(store: Store, findings: Findings, jobId: string, job: AuditedJob): Promise<void> {
  const { state, log, differences } = job;
  const place = `job ${jobId} (${state.origin.name})`;
  for (const violation of log.violations) findings.add("log", `${place} ${violation}`);
  if (state.isDeleted) {
    if (await store.read("jobs", jobId)) findings.add("view", `${place} is deleted and has a header`);
    return;
  }
  for (const difference of differences) findings.add("view", `${place}: ${difference}`);
  if (!isEnded(state)) findings.add("stuck", `${place} is ${state.status}`);
}

function countEvents(logged: Map<string, number>, { begun, events }: JobLogView, usernames: ReadonlySet<string>): void {
  for (const { delta } of events) {
    const { event, by } = delta.cause;
    if (by === undefined || !usernames.has(by)) continue;
    const key = acceptedKey(begun.origin._id, event, by);
    logged.set(key, (logged.get(key) ?? 0) + 1);
  }
}

/** Each of these that was answered as done is one event; the others may have changed nothing. */
const alwaysLogged = new Set([
  "start",
  "pause",
  "resume",
  "cancel",
  "fix",
  "revert",
  "continue",
  "retry",
  "finishManualTask",
]);
/** Child jobs are deleted, started and given groups in the name of who did so with the job above them. */
const handedDown = new Set(["delete", "start", "group"]);

/** What was answered as done is in the log, and what is in the log was answered. */
function auditAnswers(
  findings: Findings,
  { accepted }: RaceRecord,
  logged: ReadonlyMap<string, number>,
  jobs: ReadonlyMap<string, AuditedJob>,
): void {
  for (const key of new Set([...accepted.keys(), ...logged.keys()])) {
    const [jobId = "", event = ""] = key.split(" ");
    const job = jobs.get(jobId);
    if (!job || (job.state.origin.parent && handedDown.has(event))) continue;
    const answers = accepted.get(key) ?? 0;
    const events = logged.get(key) ?? 0;
    if (events > answers) findings.add("doubled", `${key}: ${events} events, ${answers} answers`);
    if (events < answers && alwaysLogged.has(event))
      findings.add("lost", `${key}: ${answers} answers, ${events} events`);
  }
}

/** What was started and not deleted is there, what was deleted is not. */
function auditDeletions(
  findings: Findings,
  { started, deleted }: RaceRecord,
  jobs: ReadonlyMap<string, AuditedJob>,
): void {
  for (const jobId of started) {
    const job = jobs.get(jobId);
    const isGone = job === undefined || job.state.isDeleted === true;
    if (isGone && !deleted.has(jobId)) findings.add("lost", `job ${jobId} was started, and nobody deleted it`);
    if (!isGone && deleted.has(jobId)) findings.add("leftover", `job ${jobId} was deleted`);
  }
}

/** A child belongs to one task that asked for it; the parent of a child that is there is there. */
function auditChildren(findings: Findings, jobs: ReadonlyMap<string, AuditedJob>): void {
  const askedFor = new Set<string>();
  for (const [jobId, { log, state }] of jobs) {
    for (const { _id, iteration } of log.children) {
      if (askedFor.has(_id)) findings.add("doubled", `child ${_id} belongs to two tasks`);
      askedFor.add(_id);
      // One whose task was given up before it began is never started.
      const isEnded = log.iterations.get(iteration)?.finishedAt !== undefined;
      if (isEnded && !jobs.has(_id) && !state.isDeleted) findings.add("lost", `child ${_id} of job ${jobId}`);
    }
  }
  for (const [jobId, { state }] of jobs)
    if (state.origin.parent && !state.isDeleted && !askedFor.has(jobId))
      findings.add("doubled", `nobody asked for ${jobId}`);
}

/** Work that is due at any time, or that only removes the logs of deleted jobs. */
const ownWork = new Set(["removeJob", "retention", "sweepEvents"]);

async function auditLeftovers(store: Store, findings: Findings): Promise<void> {
  for (const { id } of await openWork(store)) findings.add("leftover", `work item ${id}`);
  const rows = [
    ["tasks", {}],
    ["event_waits", {}],
    ["locks", { "holder.job": { $exists: true } }],
  ] as const;
  for (const [collection, query] of rows)
    for (const { _id } of await store.find<{ _id: string }>(collection, query, { limit: 100, fields: { _id: 1 } }))
      findings.add("leftover", `${collection} ${_id}`);
}

/** Work items that belong to jobs under way. */
export async function openWork(store: Store): Promise<{ id: string }[]> {
  const open: { id: string }[] = [];
  for (let after = ""; ;) {
    const page = await store.workItems(after, jobsPerPage);
    open.push(...page.filter(({ kind }) => !ownWork.has(kind)));
    const last = page.at(-1);
    if (!last) return open;
    after = last.id;
  }
}

function figures(jobs: ReadonlyMap<string, AuditedJob>, { deleted }: RaceRecord) {
  const states = [...jobs.values()].map(({ state }) => state);
  const ends: Record<string, number> = {};
  for (const { status } of states) ends[status] = (ends[status] ?? 0) + 1;
  const childJobs = states.filter(({ origin }) => origin.parent).length;
  return {
    jobs: states.length - childJobs,
    childJobs,
    deleted: deleted.size,
    events: states.reduce((sum, { seq }) => sum + seq, 0),
    mostEvents: Math.max(0, ...states.map(({ seq }) => seq)),
    ends,
  };
}
