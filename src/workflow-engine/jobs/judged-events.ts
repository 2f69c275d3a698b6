import { notFound } from "../../core/errors.ts";
import { advance, type Activation, type ActivationContext } from "../interpreter/advance.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { JobEvent } from "../interpreter/events.ts";
import type { JobState } from "../interpreter/job-state.ts";

/** An event that somebody asks for. */
export interface AskedEvent {
  event: JobEvent;
  /** May who asks act on a job that has these groups? Absent: the engine itself asks. */
  mayAccess?: MayAccess | undefined;
}

/** May somebody act on a job that has these groups? */
export type MayAccess = (groups: readonly string[]) => boolean;

/** One event that changed a job, with the states before and after. */
export interface Step extends Activation {
  /** Undefined: the job was created. */
  before: JobState | undefined;
  workflow: CompiledWorkflow;
}

/** What became of each request. */
export interface Judgement<Request> {
  steps: Step[];
  accepted: { request: Request; state: JobState }[];
  refused: { request: Request; error: unknown }[];
  /** An event was refused or changed nothing: on a later state it might be judged otherwise. */
  isDoubtful: boolean;
}

/** Applies events one after the other. One that the job's state forbids is refused; the others go on. To who may not act on the job as it is by then, there is none (NOT_FOUND). */
export function judgeEvents<Request extends AskedEvent>(
  from: JobState,
  requests: readonly Request[],
  context: ActivationContext,
): Judgement<Request> {
  const judgement: Judgement<Request> = { steps: [], accepted: [], refused: [], isDoubtful: false };
  let state = from;
  for (const request of requests) {
    try {
      requireAccess(state, request);
      const activation = advance(state, request.event, context);
      if (activation.delta.changes.length > 0) {
        judgement.steps.push({ ...activation, before: state, workflow: context.workflow });
        state = activation.state;
      } else judgement.isDoubtful = true;
      judgement.accepted.push({ request, state });
    } catch (error) {
      judgement.isDoubtful = true;
      judgement.refused.push({ request, error });
    }
  }
  return judgement;
}

function requireAccess({ origin, groups }: JobState, { mayAccess }: AskedEvent): void {
  if (mayAccess && !mayAccess(groups)) throw notFound(`Job ${origin._id} not found`);
}
