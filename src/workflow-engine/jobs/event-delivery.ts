import { isJsonObject } from "../../core/json.ts";
import { PlatformError } from "../../core/errors.ts";
import type { PayloadCheck } from "../../core/validation/payload-schema.ts";
import type { Store, Write } from "../../store/store.ts";
import { compileEventSchema, isInTime } from "../interpreter/event-filter.ts";
import { eventOf } from "../interpreter/wait-any.ts";
import { eventCollection, sweepBatch, type EventRecord } from "./event-records.ts";
import { eventWaitCollection, type EventWaitRow } from "./event-waits.ts";
import { iterationId } from "./iteration-id.ts";
import type { JobRunner } from "./job-runner.ts";
import type { EngineWork } from "./work-items.ts";

type Work<Kind extends EngineWork["kind"]> = Extract<EngineWork, { kind: Kind }>;

export interface EventDeliveryServices {
  store: Store;
  runner: JobRunner;
}

/*
 * An event and a task that begins to wait cannot miss each other: whichever is committed first is seen by the
 * work of the other, the delivery of the event or the look of the task. Both may offer the same event; the
 * task takes it once, for by then it does not wait any more.
 */

/** Brings events to tasks. Schemas are compiled once and remembered, so many at most. */
export class EventDelivery {
  readonly #services: EventDeliveryServices;
  readonly #checks = new Map<string, PayloadCheck>();

  constructor(services: EventDeliveryServices) {
    this.#services = services;
  }

  /** Offers an event to every task that waits for one like it. */
  async deliver({ event }: Work<"deliverEvent">, complete: Write): Promise<void> {
    const { store } = this.#services;
    const failures: unknown[] = [];
    for (let after = ""; ;) {
      const rows = await this.#waitingAfter(event, after);
      await inTurn(
        rows.filter((row) => this.#isWanted(row, event)),
        (row) => this.#offer(row, event).catch((error: unknown) => void failures.push(error)),
      );
      if (rows.length < pageSize) break;
      after = rows.at(-1)?._id ?? after;
    }
    // One job that cannot be written keeps the event for itself, not from the others: they have it by now.
    if (failures.length > 0) throw failures[0];
    await store.commit([complete]);
  }

  /** Offers the events that are kept to a task that has begun to wait, the earliest first, until it takes one. */
  async look({ job, task, iteration }: Work<"lookForEvents">, complete: Write): Promise<void> {
    const { store } = this.#services;
    const stored = await store.read<EventWaitRow>(eventWaitCollection, iterationId(job, iteration));
    if (stored) await this.#offerKept({ ...stored.document, job, task, iteration });
    await store.commit([complete]);
  }

  /** Removes expired events, batch by batch. */
  async sweep({ until }: Work<"sweepEvents">, complete: Write): Promise<void> {
    const { store } = this.#services;
    for (;;) {
      const expired = await store.find<{ _id: string }>(
        eventCollection,
        { expiresAt: { $lt: until } },
        { fields: { _id: 1 }, limit: sweepBatch },
      );
      const writes = expired.map(({ _id }): Write => ({ kind: "remove", collection: eventCollection, id: _id }));
      const isLast = expired.length < sweepBatch;
      await store.commit(isLast ? [...writes, complete] : writes);
      if (isLast) return;
    }
  }

  async #waitingAfter({ source, topic }: EventRecord, after: string): Promise<EventWaitRow[]> {
    const query = { source, topic, _id: { $gt: after } };
    return this.#services.store.find<EventWaitRow>(eventWaitCollection, query, { sort: { _id: 1 }, limit: pageSize });
  }

  async #offerKept(row: EventWaitRow): Promise<void> {
    const { source, topic, since } = row;
    let last = { at: since, _id: "" };
    for (;;) {
      const later = { $or: [{ at: { $gt: last.at } }, { at: last.at, _id: { $gt: last._id } }] };
      const query = { source, topic, at: { $gte: last.at }, ...later };
      const sort = { at: 1, _id: 1 } as const;
      const events = await this.#services.store.find<EventRecord>(eventCollection, query, { sort, limit: pageSize });
      for (const event of events) if (this.#isWanted(row, event) && (await this.#offer(row, event))) return;
      if (events.length < pageSize) return;
      last = events.at(-1) ?? last;
    }
  }

  #isWanted(row: EventWaitRow, event: EventRecord): boolean {
    if (!isInTime(row, row.job, event)) return false;
    return row.schema === undefined || this.#checkOf(row.schema)(event.payload);
  }

  /** True when the task waits no more. */
  async #offer({ job, task, iteration }: EventWaitRow, { _id: id, at, payload }: EventRecord): Promise<boolean> {
    try {
      const state = await this.#services.runner.activate(job, {
        event: "eventArrived",
        task,
        iteration,
        id,
        at,
        payload,
      });
      const after = state.tasks.get(task);
      return after?.status !== "running" || after.iteration !== iteration || !eventOf(after.wait);
    } catch (error) {
      // The job is gone, or has ended.
      if (error instanceof PlatformError && (error.code === "CONFLICT" || error.code === "NOT_FOUND")) return true;
      throw error;
    }
  }

  #checkOf(schema: unknown): PayloadCheck {
    const text = JSON.stringify(schema);
    const known = this.#checks.get(text);
    if (known) return known;
    if (this.#checks.size >= mostChecks) this.#checks.clear();
    const check = compileSafely(schema);
    this.#checks.set(text, check);
    return check;
  }
}

const pageSize = 200;
const mostChecks = 500;
const atOnce = 32;

/** A task with a schema that cannot be used ended when it started; whatever is left of one takes no event. */
function compileSafely(schema: unknown): PayloadCheck {
  try {
    return isJsonObject(schema) ? guarded(compileEventSchema(schema)) : () => false;
  } catch {
    return () => false;
  }
}

/** A payload that a pattern cannot be decided for within its steps does not match. */
function guarded(check: PayloadCheck): PayloadCheck {
  return (payload) => {
    try {
      return check(payload);
    } catch {
      return false;
    }
  };
}

async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) await Promise.all(items.slice(at, at + atOnce).map(work));
}
