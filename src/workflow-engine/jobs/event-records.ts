import type { Json } from "../../core/json.ts";
import type { Write } from "../../store/store.ts";
import type { OfferedEvent } from "../interpreter/event-filter.ts";
import type { EngineWork } from "./work-items.ts";

/** Events while they are kept. */
export const eventCollection = "events";

/** The source of what the engine tells of jobs. */
export const engineSource = "@itential/app-workflow_engine";

/** An event as it is stored. Times in milliseconds since the epoch. */
export interface EventRecord extends OfferedEvent {
  _id: string;
  source: string;
  topic: string;
  payload: Json;
  /** Username of who published it; absent for the engine's own. */
  publishedBy?: string;
}

/** How long an event is found by tasks that look back, where its publisher says nothing: an hour. */
export const defaultKeepMs = 3_600_000;

/** Expired events are removed so much at a time. */
export const sweepBatch = 500;
const sweepEveryMs = 600_000;
/** An expired event stays a while longer: a task that began to wait before has its look still to make. */
const marginMs = 600_000;

/**
 * What makes an event happen, in one commit with what it tells of: the event for those who look back, its
 * delivery to those who wait, and its removal. The delivery carries the event, so that it needs nothing kept.
 */
export function eventWork(event: EventRecord): {
  writes: Write[];
  delivery: EngineWork;
  sweep: { work: EngineWork; runAt: number };
} {
  // Events that expire in the same ten minutes are removed by one item, whoever asks for it how often.
  const until = (Math.floor(event.expiresAt / sweepEveryMs) + 1) * sweepEveryMs;
  return {
    writes: [{ kind: "put", collection: eventCollection, document: event }],
    delivery: { kind: "deliverEvent", event },
    sweep: { work: { kind: "sweepEvents", until }, runAt: until + marginMs },
  };
}
