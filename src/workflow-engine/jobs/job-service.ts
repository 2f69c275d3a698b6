import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { notFound, PlatformError } from "../../core/errors.ts";
import { mayAccess } from "../../core/group-access.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { Json } from "../../core/json.ts";
import { findPage, type ListSelection } from "../../core/list-query.ts";
import type { Store } from "../../store/store.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobEvent } from "../interpreter/events.ts";
import type { JobState } from "../interpreter/job-state.ts";
import type { JobPreview } from "../interpreter/preview.ts";
import { shownMembers } from "./header-members.ts";
import { accessibleJobs } from "./job-access.ts";
import { isEnded } from "./job-states.ts";
import { jobDocument } from "./job-document.ts";
import { createJobStart, type StartOptions } from "./job-start.ts";
import { createJobTextWriter } from "./job-text.ts";
import type { JobNotices } from "./job-notices.ts";
import type { JobRunner } from "./job-runner.ts";
import type { WorkflowSnapshots } from "./workflow-snapshots.ts";

/** A job as it is committed, with the workflow it runs. */
export interface JobView {
  state: JobState;
  workflow: CompiledWorkflow;
}

export interface JobServices {
  store: Store;
  runner: JobRunner;
  snapshots: WorkflowSnapshots;
  notices: JobNotices;
  clock: Clock;
  identifiers: Identifiers;
  /** False while the job worker is switched off (workflow-engine.md §8.1). */
  canStart(): boolean;
}

/** Starting, reading and steering jobs, within what the caller may see (workflow-engine.md §7.4). */
export interface JobService {
  /** Starts a job; the answer waits as `viewAtRest` does, not at all by default. UNAVAILABLE while the job worker is switched off. */
  start(workflowName: string, options: StartOptions, caller: Caller, waitMs?: number): Promise<JobView>;
  /** The job, or NOT_FOUND when it does not exist or the caller may not see it. */
  view(jobId: string, caller: Caller): Promise<JobView>;
  /** Like `view`, once the job is no longer running or `waitMs` have passed. */
  viewAtRest(jobId: string, waitMs: number, caller: Caller): Promise<JobView>;
  /** Applies an event to a job that the caller may see at that very moment, whoever changes its groups meanwhile. */
  apply(jobId: string, event: JobEvent, caller: Caller): Promise<JobView>;
  /** What the event would do to a job the caller may see; nothing is written. Throws what `apply` would throw. */
  preview(jobId: string, event: JobEvent, caller: Caller): Promise<JobPreview>;
  /** The wire document of a viewed job as JSON text, for answers that are nothing else: it costs a third of the document. */
  text(view: JobView): string;
  /** Headers of jobs the caller may see. */
  list(
    selection: ListSelection,
    caller: Caller,
    further?: Record<string, Json>,
  ): Promise<{ results: object[]; total: number }>;
}

// News of other nodes may be missed: a wait looks again at least this often.
const longestWaitStepMs = 1_000;

/** Creates the job service of a node. */
export function createJobService(services: JobServices): JobService {
  const { runner, snapshots, store, notices, clock } = services;
  const texts = createJobTextWriter();
  const startWorkflow = createJobStart(services);

  const viewOf = async (state: JobState): Promise<JobView> => ({
    state,
    workflow: await snapshots.find(state.origin.snapshot),
  });

  const visible = async (jobId: string, caller: Caller): Promise<JobState> => {
    const state = await runner.read(jobId);
    if (!state || !mayAccess(state.groups, caller)) throw notFound(`Job ${jobId} not found`);
    return state;
  };

  const viewAtRest = async (jobId: string, waitMs: number, caller: Caller): Promise<JobView> => {
    const until = clock.now() + waitMs;
    for (;;) {
      const leftMs = until - clock.now();
      const isOver = leftMs <= 0 || notices.isClosed();
      // Listening begins before the look, so that an end in between is not missed.
      const change = isOver ? undefined : notices.nextChange(jobId, Math.min(longestWaitStepMs, leftMs));
      const state = await visible(jobId, caller);
      if (state.status !== "running" || !change) return viewOf(state);
      const told = await change;
      if (told && isEnded(told) && mayAccess(told.groups, caller)) return viewOf(told);
    }
  };

  return {
    async start(name, options, caller, waitMs = 0) {
      if (!services.canStart()) throw jobWorkerOff();
      // Who starts a job for other groups alone cannot follow it.
      const isAwaited = ({ status, groups }: JobState): boolean =>
        waitMs > 0 && status === "running" && mayAccess(groups, caller);
      const started = await startWorkflow(name, options, caller, ({ state, workflow }) => {
        if (!isAwaited(state)) texts.writeAhead(state, workflow);
      });
      return isAwaited(started.state) ? viewAtRest(started.state.origin._id, waitMs, caller) : started;
    },
    view: async (jobId, caller) => viewOf(await visible(jobId, caller)),
    viewAtRest,
    async apply(jobId, event, caller) {
      await visible(jobId, caller);
      const mayAct = (groups: readonly string[]) => mayAccess(groups, caller);
      return viewOf(await runner.activate(jobId, event, [], mayAct));
    },
    async preview(jobId, event, caller) {
      return runner.preview(await visible(jobId, caller), event);
    },
    text: ({ state, workflow }) => texts.write(state, workflow),
    list: (selection, caller, further = {}) =>
      findPage(store, "jobs", shownMembers(selection), accessibleJobs(caller, further)),
  };
}

/** The wire document of a viewed job. */
export function documentOf({ state, workflow }: JobView): Record<string, unknown> {
  return jobDocument(state, workflow);
}

function jobWorkerOff(): PlatformError {
  return new PlatformError(
    "UNAVAILABLE",
    "The job worker is switched off: no job starts until it is activated (POST /workflow_engine/jobWorker/activate).",
  );
}
