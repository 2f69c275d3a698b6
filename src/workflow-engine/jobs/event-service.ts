import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { badRequest, notFound, PlatformError } from "../../core/errors.ts";
import type { Identifiers } from "../../core/identifiers.ts";
import type { Json } from "../../core/json.ts";
import type { Store } from "../../store/store.ts";
import type { WorkQueue } from "../../work-queue/work-queue.ts";
import { longestEventName } from "../interpreter/event-filter.ts";
import { engineEventDefinitions, externalDefinition, type EventDefinition } from "./event-definitions.ts";
import { engineSource, eventCollection, eventWork, type EventRecord } from "./event-records.ts";
import { eventWaitCollection, type EventWaitRow } from "./event-waits.ts";
import { eventItems } from "./step-writes.ts";

/** Characters of a payload as JSON, at most. */
export const largestPayload = 262_144;
/** External events that are listed: those of the newest events and of the tasks that wait, so many of each. */
const mostListed = 1_000;

/** What somebody tells the platform. */
export interface PublishedEvent {
  source: string;
  topic: string;
  payload: Json;
  /** How long tasks that look back find it. */
  keepForSeconds: number;
}

/** Events from outside, and which events there are. */
export interface EventService {
  /** Durable when it resolves; who waits for it gets it a moment later. */
  publish(event: PublishedEvent, caller: Caller): Promise<Omit<EventRecord, "payload">>;
  /** The engine's events, and those from outside that are kept or waited for. */
  definitions(): Promise<EventDefinition[]>;
  /** NOT_FOUND when nobody published it lately or waits for it. */
  definition(source: string, topic: string): Promise<EventDefinition>;
}

export interface EventServices {
  store: Store;
  queue: WorkQueue;
  clock: Clock;
  identifiers: Identifiers;
  leaseMs: number;
}

/** The event service of a node. */
export function createEventService(services: EventServices): EventService {
  const { store } = services;
  return {
    async publish(event, caller) {
      checkEvent(event);
      const record = await recordOf(services, event, caller);
      await commit(services, record);
      const { payload: _, ...published } = record;
      return published;
    },
    async definitions() {
      const names = await externalNames(store, {});
      return [...engineEventDefinitions, ...names.map(({ source, topic }) => externalDefinition(source, topic))];
    },
    async definition(source, topic) {
      const own = engineEventDefinitions.find((known) => known.source === source && known.topic === topic);
      if (own) return own;
      if (source === engineSource || (await externalNames(store, { source, topic }, 1)).length === 0) {
        throw notFound(`Event ${topic} of ${source} is not known`);
      }
      return externalDefinition(source, topic);
    },
  };
}

function checkEvent({ source, topic, payload }: PublishedEvent): void {
  const details = Object.entries({ source, topic })
    .filter(([, name]) => name.length > longestEventName)
    .map(([part]) => ({ path: `/params/${part}`, message: `is longer than ${longestEventName} characters` }));
  if (source === engineSource) details.push({ path: "/params/source", message: "is the source of the engine itself" });
  if (details.length > 0) throw badRequest("The event cannot be published under this name.", details);
  if (JSON.stringify(payload).length > largestPayload) {
    throw new PlatformError("PAYLOAD_TOO_LARGE", `The payload has more than ${largestPayload} characters as JSON.`);
  }
}

async function recordOf(services: EventServices, event: PublishedEvent, caller: Caller): Promise<EventRecord> {
  const { store, clock, identifiers } = services;
  const { source, topic, payload, keepForSeconds } = event;
  // Clocks of nodes differ a little: who is seen to wait now does so by the time of the event too.
  const options = { sort: { startedAt: -1 }, limit: 1, fields: { startedAt: 1 } } as const;
  const [newest] = await store.find<Pick<EventWaitRow, "startedAt">>(eventWaitCollection, { source, topic }, options);
  const at = Math.max(clock.now(), newest?.startedAt ?? 0);
  const expiresAt = at + keepForSeconds * 1_000;
  return { _id: identifiers.documentId(), source, topic, at, expiresAt, payload, publishedBy: caller.username };
}

async function commit({ store, queue, clock, leaseMs }: EventServices, record: EventRecord): Promise<void> {
  const work = eventWork(record);
  const items = eventItems(work, clock, leaseMs);
  await store.commit([...work.writes, ...items.map(({ item }) => queue.enqueue(item))]);
  queue.committed(items.filter(({ isLocal }) => !isLocal).map(({ item }) => item));
  for (const { item, isLocal } of items) if (isLocal) queue.runLocally(item);
}

interface EventName {
  source: string;
  topic: string;
}

async function externalNames(store: Store, query: Partial<EventName>, limit = mostListed): Promise<EventName[]> {
  const fields = { source: 1, topic: 1 } as const;
  const [kept, waited] = await Promise.all([
    store.find<EventName>(eventCollection, query, { sort: { _id: -1 }, limit, fields }),
    store.find<EventName>(eventWaitCollection, query, { sort: { _id: -1 }, limit, fields }),
  ]);
  const external = [...kept, ...waited].filter(({ source }) => source !== engineSource);
  const byName = new Map(external.map((name) => [JSON.stringify([name.source, name.topic]), name]));
  return [...byName].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, name]) => name);
}
