import type { Clock } from "../../core/clock.ts";
import type { WorkItem, Write } from "../../store/store.ts";
import type { Effect } from "../interpreter/draft.ts";
import type { Step } from "./judged-events.ts";
import type { LogCommit } from "./log-commit.ts";
import { projectionWrites } from "./projections.ts";
import { iterationWorkId, workItem, workOf } from "./work-items.ts";

/** What a step writes but the work it asks for: its event, the read models, and the end of work no longer wanted. */
export function stepWrites({ state, delta, before, workflow, effects }: Step, log: LogCommit): Write[] {
  const writes = log.writesOf(state, delta);
  writes.push(...projectionWrites(before, state, workflow, log.shorten));
  for (const effect of effects) {
    if (effect.effect === "forget") writes.push(...forgetWrites(state.origin._id, effect.iteration));
  }
  return writes;
}

function forgetWrites(jobId: string, iteration: number): Write[] {
  return (["callTask", "timer"] as const).map((kind) => ({
    kind: "complete",
    itemId: iterationWorkId(kind, jobId, iteration),
  }));
}

/** Work that a step asks for. */
export interface AskedWork {
  item: WorkItem;
  /** This node runs it at once; the stored item is its twin, due when the lease ends. */
  isLocal: boolean;
}

/** The work items of a step. */
export function askedWork({ state, effects }: Step, clock: Clock, leaseMs: number): AskedWork[] {
  const now = clock.now();
  return effects.flatMap((effect: Effect) => {
    const asked = workOf({ jobId: state.origin._id, seq: state.seq }, effect, now);
    if (!asked) return [];
    const isLocal = asked.runAt <= now;
    return [{ item: workItem(asked.work, isLocal ? now + leaseMs : asked.runAt), isLocal }];
  });
}
