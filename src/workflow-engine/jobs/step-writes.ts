import type { Clock } from "../../core/clock.ts";
import type { WorkItem, Write } from "../../store/store.ts";
import type { Effect } from "../interpreter/draft.ts";
import type { eventWork } from "./event-records.ts";
import type { Step } from "./judged-events.ts";
import type { LogCommit } from "./log-commit.ts";
import type { MetricIncrements } from "./metric-increments.ts";
import { projectionWrites } from "./projections.ts";
import { iterationWork, iterationWorkId, workItem, workItemId, workOf } from "./work-items.ts";

/** What a step writes but the work it asks for: its event, the read models, what it adds to figures, and the end of work no longer wanted. */
export function stepWrites(step: Step, log: LogCommit, metricIncrements: MetricIncrements): Write[] {
  const { state, delta, before, workflow, effects } = step;
  const writes = log.writesOf(state, delta);
  writes.push(...projectionWrites(before, state, workflow, log.shorten), ...metricIncrements(step));
  for (const effect of effects) {
    writes.push(...unwantedItems(state.origin._id, effect).map((itemId): Write => ({ kind: "complete", itemId })));
  }
  return writes;
}

/** The work items that nobody wants any more after the effect. */
function unwantedItems(jobId: string, effect: Effect): string[] {
  if (effect.effect === "endSla") return [workItemId({ kind: "sla", job: jobId })];
  if (effect.effect !== "forget") return [];
  return iterationWork.map((kind) => iterationWorkId(kind, jobId, effect.iteration));
}

/** Work that a step asks for. */
export interface AskedWork {
  item: WorkItem;
  /** This node runs it at once; the stored item is its twin, due when the lease ends. */
  isLocal: boolean;
}

/** The work items of the steps of one commit, but those that a later effect of the same commit gives up. */
export function askedWork(steps: readonly Step[], clock: Clock, leaseMs: number): AskedWork[] {
  const now = clock.now();
  const wanted = new Map<string, AskedWork>();
  for (const { state, effects } of steps) {
    const jobId = state.origin._id;
    for (const effect of effects) {
      for (const itemId of unwantedItems(jobId, effect)) wanted.delete(itemId);
      const asked = workOf({ jobId, seq: state.seq }, effect, now);
      if (!asked) continue;
      const isLocal = asked.runAt <= now;
      const item = workItem(asked.work, isLocal ? now + leaseMs : asked.runAt);
      wanted.set(item.id, { item, isLocal });
    }
  }
  return [...wanted.values()];
}

/** The work items of an event that happens now. */
export function eventItems(
  { delivery, sweep }: ReturnType<typeof eventWork>,
  clock: Clock,
  leaseMs: number,
): AskedWork[] {
  return [
    { item: workItem(delivery, clock.now() + leaseMs), isLocal: true },
    { item: workItem(sweep.work, sweep.runAt), isLocal: false },
  ];
}
