import type { Json } from "../../core/json.ts";
import type { JobTopic } from "../interpreter/draft.ts";
import type { JobState } from "../interpreter/job-state.ts";
import { eventOf } from "../interpreter/wait-any.ts";
import type { EngineTopics } from "./engine-topics.ts";
import { defaultKeepMs, engineSource, type EventRecord } from "./event-records.ts";
import type { Step } from "./judged-events.ts";
import { shownHeader } from "./projections.ts";

/**
 * What the engine tells of a step to tasks that wait for it: stored with the step itself, so that it is told
 * exactly when the step happened. Topics that nobody waits for cost nothing.
 */
export function engineEvents(step: Step, topics: EngineTopics): EventRecord[] {
  noteWaits(step, topics);
  return step.effects.flatMap((effect) => {
    if (effect.effect !== "publish") return [];
    const newestWait = topics.newestWait(effect.topic);
    return newestWait === undefined ? [] : [engineEvent(step.state, effect.topic, newestWait)];
  });
}

/** This node need not be told of what its own jobs begin to wait for. */
function noteWaits({ before, state, effects }: Step, topics: EngineTopics): void {
  for (const effect of effects) {
    if (effect.effect !== "lookForEvents") continue;
    const event = eventOf(state.tasks.get(effect.task)?.wait);
    const isNew = before?.tasks.get(effect.task)?.iteration !== effect.iteration;
    if (isNew && event?.source === engineSource) topics.add(event.topic, event.startedAt);
  }
}

/** `newestWait`: clocks of nodes differ a little; whoever was known to wait before does so by the time of the event too. */
function engineEvent(state: JobState, topic: JobTopic, newestWait: number): EventRecord {
  const { seq, origin } = state;
  const at = Math.max(state.changedAt, newestWait);
  return {
    _id: `${origin._id}.${seq}.${topic}`,
    source: engineSource,
    topic,
    at,
    expiresAt: at + defaultKeepMs,
    payload: jobPayload(state),
    job: origin._id,
    seq,
  };
}

/** The members of the job's header, and the header as a whole under `job`, which schemas of the field ask for. */
function jobPayload(state: JobState): Json {
  const header = jobPayloadHeader(state);
  return { ...header, job: header } as unknown as Json;
}

/** The header of a job as events carry it: long messages of errors are cut. */
export function jobPayloadHeader(state: JobState): object {
  return shownHeader(state, shortMessage);
}

const longestMessage = 4_000;

function shortMessage(message: unknown): unknown {
  const text = JSON.stringify(message) ?? "";
  return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : message;
}
