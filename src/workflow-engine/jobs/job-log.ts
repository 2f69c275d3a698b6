import type { JobEventRow, Store } from "../../store/store.ts";
import { applyChange, createState } from "../interpreter/apply-change.ts";
import type { Delta } from "../interpreter/changes.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { draftOf, type JobState, type TaskState } from "../interpreter/job-state.ts";
import { freshTask } from "../interpreter/joins.ts";

/** Finds the compiled workflow of a job by the content hash of its snapshot. */
export type FindWorkflow = (snapshot: string) => Promise<CompiledWorkflow>;

/** State of a job as the store has it: the newest snapshot and every event after it; undefined for an unknown job. */
export async function loadState(
  store: Store,
  jobId: string,
  findWorkflow: FindWorkflow,
): Promise<JobState | undefined> {
  const log = await store.readLog(jobId);
  if (log.snapshot) {
    const state = decodeState(log.snapshot.state);
    return replay(state, log.events, await findWorkflow(state.origin.snapshot));
  }
  const first = log.events[0];
  if (!first) return undefined;
  const created = (JSON.parse(first.delta) as Delta).changes[0];
  if (created?.change !== "created") throw new Error(`the log of job ${jobId} does not begin with its creation`);
  const workflow = await findWorkflow(created.origin.snapshot);
  return replay(createState(created.origin, created.at, workflow), log.events, workflow);
}

/** Applies logged events to a state in order. Also rebuilds any moment of a job: pass fewer events. */
export function replay(from: JobState, events: readonly JobEventRow[], workflow: CompiledWorkflow): JobState {
  const state = draftOf(from);
  for (const event of events) {
    for (const change of (JSON.parse(event.delta) as Delta).changes) applyChange(state, change, workflow);
    state.seq = event.seq;
    state.changedAt = event.at;
  }
  return state;
}

interface EncodedState extends Omit<JobState, "tasks" | "ready"> {
  tasks: [string, Partial<TaskState>][];
  ready: string[];
  /** Job variables that were assigned, but undefined, which JSON cannot say. */
  undefinedVariables: string[];
  variableOrder: string[];
}

/** A state as text for a snapshot. */
export function encodeState(state: JobState): string {
  const encoded: EncodedState = {
    ...state,
    tasks: [...state.tasks],
    ready: [...state.ready],
    undefinedVariables: Object.keys(state.variables).filter((name) => state.variables[name] === undefined),
    variableOrder: Object.keys(state.variables),
  };
  return JSON.stringify(encoded);
}

/** The state a text of `encodeState` stands for. */
export function decodeState(text: string): JobState {
  const { tasks, ready, undefinedVariables, variableOrder, ...rest } = JSON.parse(text) as EncodedState;
  const missing = new Set(undefinedVariables);
  const variables = Object.fromEntries(
    variableOrder.map((name) => [name, missing.has(name) ? undefined : rest.variables[name]]),
  );
  return {
    ...rest,
    description: rest.description,
    endedAt: rest.endedAt,
    variables,
    // JSON leaves undefined members out; a task's state has all of them.
    tasks: new Map(tasks.map(([taskId, task]) => [taskId, { ...freshTask, ...task }])),
    ready: new Set(ready),
  };
}
