import type { Store } from "../../store/store.ts";
import type { JobMetricDocument, TaskMetricDocument } from "../jobs/metric-documents.ts";

/** The days a collection has figures of, in order. */
export async function* daysOf(store: Store, collection: string): AsyncGenerator<string> {
  let _id: { $gte: string } | { $gt: string } = { $gte: "" };
  for (;;) {
    const options = { sort: { _id: 1 }, limit: 1, fields: { day: 1 } } as const;
    const [first]: { day: string }[] = await store.find<{ day: string }>(collection, { _id }, options);
    if (!first) return;
    yield first.day;
    // Identifiers of the day go on with "|".
    _id = { $gt: `${first.day}}` };
  }
}

/** The documents of one day. */
export function documentsOfDay<T extends JobMetricDocument | TaskMetricDocument>(
  store: Store,
  collection: string,
  day: string,
): Promise<T[]> {
  return store.find<T>(collection, { _id: { $gte: `${day}|`, $lt: `${day}}` } }, { sort: { _id: 1 } });
}
