import { addMembers } from "../../core/add-members.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Store } from "../../store/store.ts";
import {
  jobMetricCollection,
  taskMetricCollection,
  type JobMetricDocument,
  type TaskMetricDocument,
} from "./metric-documents.ts";

/** The figures of one workflow and one day, all slots together. */
export interface MetricSum {
  collection: string;
  day: string;
  workflow: { _id: string; name: string };
  /** Figures by name for jobs, and by task and name for tasks. */
  figures: JsonObject;
}

/** Figures added up by workflow and day, wherever they come from. */
export class MetricSums {
  readonly #sums = new Map<string, MetricSum>();

  /** By collection, day and workflow. */
  get entries(): ReadonlyMap<string, MetricSum> {
    return this.#sums;
  }

  /** The document is given away: parts of it become parts of the sum. */
  add(collection: string, document: JobMetricDocument | TaskMetricDocument): void {
    const { _id, workflow, day, ...rest } = document;
    const key = `${collection} ${day} ${workflow._id}`;
    let sum = this.#sums.get(key);
    if (!sum) this.#sums.set(key, (sum = { collection, day, workflow, figures: {} }));
    addMembers(sum.figures, ("tasks" in rest ? rest.tasks : rest) as unknown as JsonObject);
  }
}

/** Documents of a page: of such a size that to read one holds nobody up. */
const documentsPerPage = 500;

/** Documents of one of the two collections in the order of their days, from a day on. */
export async function* readMetrics<T extends JobMetricDocument | TaskMetricDocument>(
  store: Store,
  collection: string,
  { from = "", ...further }: { from?: string; "workflow.name"?: string } = {},
): AsyncGenerator<T[]> {
  let _id: { $gte: string } | { $gt: string } = { $gte: from };
  for (;;) {
    const options = { sort: { _id: 1 }, limit: documentsPerPage } as const;
    const page: T[] = await store.find<T>(collection, { _id, ...further }, options);
    yield page;
    const last = page.at(-1);
    if (!last || page.length < documentsPerPage) return;
    _id = { $gt: last._id };
  }
}

/** All figures a store has. */
export async function readMetricSums(store: Store): Promise<MetricSums> {
  const sums = new MetricSums();
  for (const collection of [jobMetricCollection, taskMetricCollection]) {
    for await (const page of readMetrics(store, collection))
      for (const document of page) sums.add(collection, document);
  }
  return sums;
}
