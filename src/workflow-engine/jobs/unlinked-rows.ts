import type { Json } from "../../core/json.ts";
import type { Store } from "../../store/store.ts";
import type { RowName } from "./projection-rows.ts";

/** Rows that lead to no job with a log, page by page. */
export async function* unlinkedRows(store: Store, pageSize: number): AsyncGenerator<RowName[]> {
  for await (const page of linkedRows(store, "jobs", "_id", pageSize)) yield page;
  for await (const page of linkedRows(store, "tasks", "job._id", pageSize)) yield page;
  for await (const page of linkedRows(store, "event_waits", "job", pageSize)) yield page;
  yield* rowsWithoutLink(store, pageSize);
}

/** Rows whose field names a job without a log. */
async function* linkedRows(store: Store, collection: string, link: Link, limit: number): AsyncGenerator<RowName[]> {
  const hasLog = jobsInOrder(store, limit);
  let query: Record<string, Json> = { [link]: { $gte: "" } };
  for (;;) {
    const fields = { _id: 1, [link]: 1 } as const;
    const rows = await store.find<LinkFields>(collection, query, { sort: { [link]: 1, _id: 1 }, limit, fields });
    const unlinked: RowName[] = [];
    for (const row of rows) if (!(await hasLog(jobOf(row, link)))) unlinked.push({ collection, id: row._id });
    yield unlinked;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    const job = jobOf(last, link);
    query = { $or: [{ [link]: { $gt: job } }, { $and: [{ [link]: job }, { _id: { $gt: last._id } }] }] };
  }
}

/** Rows of tasks that do not say whose they are. */
async function* rowsWithoutLink(store: Store, limit: number): AsyncGenerator<RowName[]> {
  for (let after = ""; ;) {
    const query = { $and: [{ "job._id": { $not: { $gte: "" } } }, { _id: { $gt: after } }] };
    const rows = await store.find<LinkFields>("tasks", query, { sort: { _id: 1 }, limit, fields: { _id: 1 } });
    yield rows.map(({ _id }) => ({ collection: "tasks", id: _id }));
    if (rows.length < limit) return;
    after = rows.at(-1)?._id ?? after;
  }
}

interface LinkFields {
  _id: string;
  job?: { _id: string } | string;
}

/** The member that names the job of a row. */
type Link = "_id" | "job._id" | "job";

function jobOf({ _id, job }: LinkFields, link: Link): string {
  if (link === "_id") return _id;
  return typeof job === "object" ? job._id : (job ?? "");
}

/** Tells whether a job has a log. To be asked in the order of identifiers. */
function jobsInOrder(store: Store, pageSize: number): (jobId: string) => Promise<boolean> {
  let page: string[] = [];
  let isLast = false;
  return async (jobId) => {
    while (!isLast && (page.at(-1) ?? "") < jobId) {
      page = await store.jobIds(page.at(-1) ?? "", pageSize);
      isLast = page.length < pageSize;
    }
    return page.includes(jobId);
  };
}
