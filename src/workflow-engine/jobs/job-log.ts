import type { JobLog, Store } from "../../store/store.ts";
import { applyChange, createState } from "../interpreter/apply-change.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { draftOf, type JobState } from "../interpreter/job-state.ts";
import { JobSize, type KnownJob } from "./job-size.ts";
import { createLargeValues, type PartedDocument } from "./large-values.ts";
import { LogCommit } from "./log-commit.ts";
import {
  parseEvent,
  parseState,
  stateOfDocument,
  type LoggedEvent,
  type Parsed,
  type StateDocument,
} from "./log-format.ts";

/** Finds the compiled workflow of a job by the content hash of its snapshot. */
export type FindWorkflow = (snapshot: string) => Promise<CompiledWorkflow>;

/** The logs of jobs, read and written. */
export interface JobLogs {
  /**
   * A job as the store has it: the newest snapshot and every event after it, or what was missed since
   * `from`. Undefined for an unknown job; UNAVAILABLE when a newer release wrote the log.
   */
  read(jobId: string, from?: KnownJob): Promise<KnownJob | undefined>;
  /** Begins the writes of one commit to a job of this size. */
  open(size: JobSize): LogCommit;
}

/** The logs of a store. */
export function createJobLogs(store: Store, findWorkflow: FindWorkflow): JobLogs {
  const largeValues = createLargeValues(store);

  return {
    async read(jobId, from) {
      const log = parseLog(jobId, await store.readLog(jobId, from?.state.seq ?? 0));
      const { snapshot, events } = log;
      if (from && !snapshot && events.length === 0) return from;
      await largeValues.restore(partedDocuments(log));
      const logged = events.map(({ value }) => value);
      const base = snapshot ? stateOfDocument(snapshot.value) : from?.state;
      const state = base ?? (await beginState(jobId, logged, findWorkflow));
      if (!state) return undefined;
      const workflow = await findWorkflow(state.origin.snapshot);
      return { state: replay(state, logged, workflow), size: sizeAfter(log, from) };
    },
    open: (size) => new LogCommit(largeValues, size),
  };
}

interface ParsedLog {
  snapshot: (Parsed<StateDocument> & { text: string }) | undefined;
  events: (Parsed<LoggedEvent> & { text: string })[];
}

function parseLog(jobId: string, { snapshot, events }: JobLog): ParsedLog {
  return {
    snapshot: snapshot && { ...parseState(jobId, snapshot.state), text: snapshot.state },
    events: events.map((row) => ({ ...parseEvent(jobId, row), text: row.delta })),
  };
}

function partedDocuments({ snapshot, events }: ParsedLog): PartedDocument[] {
  const documents = events.map(({ value, parts }) => ({ document: value.delta, parts }));
  return snapshot ? [{ document: snapshot.value, parts: snapshot.parts }, ...documents] : documents;
}

function sizeAfter({ snapshot, events }: ParsedLog, from: KnownJob | undefined): JobSize {
  const size = snapshot || !from ? new JobSize() : from.size;
  if (snapshot) size.reset(snapshot.text, snapshot.parts);
  for (const { text, parts } of events) size.grow(text, parts);
  return size;
}

/** State of a job before its first event; undefined when there is none. */
export async function beginState(
  jobId: string,
  events: readonly LoggedEvent[],
  findWorkflow: FindWorkflow,
): Promise<JobState | undefined> {
  const [first] = events;
  if (!first) return undefined;
  const created = first.delta.changes[0];
  if (created?.change !== "created") throw new Error(`the log of job ${jobId} does not begin with its creation`);
  return createState(created.origin, created.at, await findWorkflow(created.origin.snapshot));
}

/** Applies logged events to a state in order. Also rebuilds any moment of a job: pass fewer events. */
export function replay(from: JobState, events: readonly LoggedEvent[], workflow: CompiledWorkflow): JobState {
  const state = draftOf(from);
  for (const event of events) applyEvent(state, event, workflow);
  return state;
}

/** Applies the next event to a draft of the state. */
export function applyEvent(state: JobState, { seq, at, delta }: LoggedEvent, workflow: CompiledWorkflow): void {
  if (seq !== state.seq + 1) throw new Error(`the log of job ${state.origin._id} has a gap after event ${state.seq}`);
  for (const change of delta.changes) applyChange(state, change, workflow);
  state.seq = seq;
  state.changedAt = at;
}
