import type { Store } from "../../store/store.ts";
import { applyChange, createState } from "../interpreter/apply-change.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { draftOf, type JobState } from "../interpreter/job-state.ts";
import { createJobSizes } from "./job-sizes.ts";
import { createLargeValues } from "./large-values.ts";
import { LogCommit } from "./log-commit.ts";
import { parseEvent, parseState, stateOfDocument, type LoggedEvent } from "./log-format.ts";

/** Finds the compiled workflow of a job by the content hash of its snapshot. */
export type FindWorkflow = (snapshot: string) => Promise<CompiledWorkflow>;

/** The logs of jobs, read and written. */
export interface JobLogs {
  /**
   * State of a job as the store has it: the newest snapshot and every event after it, or what was
   * missed since `from`. Undefined for an unknown job; UNAVAILABLE when a newer release wrote the log.
   */
  read(jobId: string, from?: JobState): Promise<JobState | undefined>;
  /** Begins the writes of one commit. */
  open(): LogCommit;
  /** About how much memory a state takes. */
  bytesOf(state: JobState): number;
}

/** The logs of a store. */
export function createJobLogs(store: Store, findWorkflow: FindWorkflow): JobLogs {
  const largeValues = createLargeValues(store);
  const sizes = createJobSizes();

  const parse = async (jobId: string, from: JobState | undefined) => {
    const log = await store.readLog(jobId, from?.seq ?? 0);
    const snapshot = log.snapshot && parseState(jobId, log.snapshot.state);
    const events = log.events.map((row) => parseEvent(jobId, row));
    const documents = events.map(({ value, parts }) => ({ document: value.delta, parts }));
    await largeValues.restore(
      snapshot ? [{ document: snapshot.value, parts: snapshot.parts }, ...documents] : documents,
    );
    return { log, snapshot, events };
  };

  return {
    async read(jobId, from) {
      const { log, snapshot, events } = await parse(jobId, from);
      const logged = events.map(({ value }) => value);
      const base = snapshot
        ? stateOfDocument(snapshot.value)
        : (from ?? (await beginState(jobId, logged, findWorkflow)));
      if (!base) return undefined;
      if (snapshot) sizes.reset(base.origin, log.snapshot?.state ?? "", snapshot.parts);
      log.events.forEach(({ delta }, index) => sizes.grow(base.origin, delta, events[index]?.parts ?? []));
      return logged.length === 0 ? base : replay(base, logged, await findWorkflow(base.origin.snapshot));
    },
    open: () => new LogCommit(largeValues, sizes),
    bytesOf: ({ origin }) => sizes.bytesOf(origin),
  };
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
