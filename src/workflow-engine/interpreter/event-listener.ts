import type { Draft } from "./draft.ts";
import { record } from "./draft.ts";
import { eventFilter } from "./event-filter.ts";
import type { JobEvent } from "./events.ts";
import { finishTask } from "./finish-task.ts";
import { taskState, type TakenEvent, type TaskState } from "./job-state.ts";
import type { Started, StartedTask } from "./start-task.ts";
import { eventOf, lookBackSeconds, nextSeq } from "./wait-any.ts";

/** eventListenerJob: waits for an event of a source and topic whose payload matches the schema (workflow-engine.md §5). */
export function startListener({ draft, task, incoming }: StartedTask): Started {
  const { source, topic, schema } = incoming;
  const moment = { at: draft.at, seq: nextSeq(draft.state), lookBackSeconds: lookBackSeconds(task) };
  return { wait: { for: "event", event: eventFilter({ source, topic, schema }, moment) } };
}

type Arrival = Extract<JobEvent, { event: "eventArrived" }>;

/**
 * Gives an event to a task that waits for it. Void when the job took the event before the task began to wait:
 * a listener that is run again, or the next one, waits for another.
 */
export function takeEvent(draft: Draft, { task: taskId, iteration, id, at, payload }: Arrival): void {
  const task = taskState(draft.state, taskId);
  if (!eventOf(task.wait) || isTakenBefore(draft.state.takenEvents ?? [], id, iteration)) return;
  record(draft, { change: "eventTaken", id, at, iteration: draft.state.iterationCount, keptFrom: keptFrom(draft) });
  const isListener = draft.workflow.task(taskId)?.name === "eventListenerJob";
  const outgoing = {
    ...(isListener ? { result: payload } : {}),
    ...(task.wait?.for === "any" ? { event: payload, winner: "event" } : {}),
  };
  dropOthers(draft, task);
  finishTask(draft, taskId, { finishState: "success", outgoing });
}

function isTakenBefore(taken: readonly TakenEvent[], id: string, iteration: number): boolean {
  return taken.some((event) => event.id === id && event.iteration < iteration);
}

/** One came first: the timer and the look for events that were kept are not wanted any more. */
export function dropOthers({ effects }: Draft, { wait, iteration }: TaskState): void {
  if (wait?.for === "any") effects.push({ effect: "forget", iteration });
}

/** Clocks of nodes may differ by less than this. */
const marginMs = 60_000;

/** What is older no task of the job can meet again. */
function keptFrom({ workflow, at }: Draft): number {
  let longest = 0;
  for (const taskId of workflow.taskIds) {
    const task = workflow.task(taskId);
    if (task) longest = Math.max(longest, lookBackSeconds(task));
  }
  return at - longest * 1_000 - marginMs;
}
