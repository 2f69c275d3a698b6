import { isDeepStrictEqual } from "node:util";
import type { Store } from "../../src/store/store.ts";
import {
  compileWorkflow,
  type CompiledWorkflow,
  type WorkflowSnapshot,
} from "../../src/workflow-engine/interpreter/compiled-workflow.ts";
import type { JobState } from "../../src/workflow-engine/interpreter/job-state.ts";
import { beginState, createJobLogs, replay, type JobLogs } from "../../src/workflow-engine/jobs/job-log.ts";
import { createLargeValues, type LargeValues } from "../../src/workflow-engine/jobs/large-values.ts";
import { parseEvent, type LoggedEvent } from "../../src/workflow-engine/jobs/log-format.ts";
import { jobHeader } from "../../src/workflow-engine/jobs/projections.ts";
import { auditLog, type LogAudit } from "./audit-log.ts";

/** A job as its whole log tells of it. */
export interface AuditedJob {
  state: JobState;
  log: LogAudit;
  /** Where what is stored beside the log says something else than the log. */
  differences: string[];
}

/** Audits the jobs of a store one by one. */
export interface JobAuditor {
  audit(jobId: string): Promise<AuditedJob>;
}

interface Archive {
  store: Store;
  logs: JobLogs;
  largeValues: LargeValues;
  findWorkflow: (hash: string) => Promise<CompiledWorkflow>;
  further: (log: JobLogView) => readonly string[];
}

/** The whole log of a job, and the state it begins with. */
export interface JobLogView {
  begun: JobState;
  events: readonly LoggedEvent[];
  workflow: CompiledWorkflow;
}

/** An auditor of a store that is at rest. `further` looks at each log as well; what it says is wrong counts with the rest. */
export function createJobAuditor(store: Store, further: (log: JobLogView) => readonly string[] = () => []): JobAuditor {
  const findWorkflow = workflowFinder(store);
  const archive: Archive = {
    store,
    findWorkflow,
    further,
    logs: createJobLogs(store, findWorkflow),
    largeValues: createLargeValues(store),
  };
  return { audit: (jobId) => auditJob(archive, jobId) };
}

function workflowFinder(store: Store): Archive["findWorkflow"] {
  const known = new Map<string, CompiledWorkflow>();
  return async (hash) => {
    const compiled = known.get(hash);
    if (compiled) return compiled;
    const stored = await store.read<{ _id: string; snapshot: WorkflowSnapshot }>("workflow_snapshots", hash);
    if (!stored) throw new Error(`workflow snapshot ${hash} is not in the store`);
    const workflow = compileWorkflow(stored.document.snapshot);
    known.set(hash, workflow);
    return workflow;
  };
}

/** Replays the whole log of a job, and compares what is stored beside it. */
async function auditJob(archive: Archive, jobId: string): Promise<AuditedJob> {
  const { store, findWorkflow } = archive;
  const events = await readEvents(archive, jobId);
  const begun = await beginState(jobId, events, findWorkflow);
  if (!begun) throw new Error(`job ${jobId} has no log`);
  const workflow = await findWorkflow(begun.origin.snapshot);
  const state = replay(begun, events, workflow);
  const differences = [...(await snapshotDifferences(archive, state)), ...(await headerDifferences(store, state))];
  const log = auditLog(events, workflow);
  const violations = [...log.violations, ...archive.further({ begun, events, workflow })];
  return { state, log: { ...log, violations }, differences };
}

async function readEvents({ store, largeValues }: Archive, jobId: string): Promise<LoggedEvent[]> {
  const rows = await store.wholeLog(jobId);
  const parsed = rows.map((row) => parseEvent(jobId, row));
  await largeValues.restore(parsed.map(({ value, parts }) => ({ document: value.delta, parts })));
  return parsed.map(({ value }) => value);
}

/** The state by way of the newest snapshot is the one by way of the whole log. */
async function snapshotDifferences({ store, logs }: Archive, state: JobState): Promise<string[]> {
  const { snapshot } = await store.readLog(state.origin._id);
  if (!snapshot) return [];
  if (snapshot.seq > state.seq) return [`a snapshot of event ${snapshot.seq}, the log ends with ${state.seq}`];
  const loaded = (await logs.read(state.origin._id))?.state;
  return isDeepStrictEqual(asStored(loaded), asStored(state)) ? [] : ["the snapshot leads to another state"];
}

/** The header of a job that has ended is exactly what its state says; before, it may lag behind. */
async function headerDifferences(store: Store, state: JobState): Promise<string[]> {
  const stored = await store.read("jobs", state.origin._id);
  if (!stored) return ["there is no header"];
  const { document } = stored;
  if (document["status"] !== state.status) return [`the header is not ${state.status}, as the log is`];
  if (state.endedAt === undefined) return [];
  return isDeepStrictEqual(document, asStored(jobHeader(state))) ? [] : ["the header is not that of its end"];
}

/** As JSON can say it; maps and sets as lists. */
function asStored(value: unknown): unknown {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    member instanceof Map || member instanceof Set ? [...member] : member,
  );
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}
