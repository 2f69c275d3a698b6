import type { Store } from "../../store/store.ts";

/** A job below another, as its header says. */
export interface Descendant {
  _id: string;
  status: string;
  groups: readonly string[];
}

const pageSize = 1_000;
const parentsAtOnce = 100;
const header = { _id: 1, status: 1, groups: 1 } as const;

/** The children of some jobs, of a few parents at a time and page by page. */
async function* childrenOf(store: Store, parents: readonly string[]): AsyncGenerator<Descendant[]> {
  for (let at = 0; at < parents.length; at += parentsAtOnce)
    yield* childPages(store, parents.slice(at, at + parentsAtOnce));
}

async function* childPages(store: Store, parents: readonly string[]): AsyncGenerator<Descendant[]> {
  for (let after = ""; ;) {
    const query = { $and: [{ "parent.job": { $in: [...parents] } }, { _id: { $gt: after } }] };
    const page = await store.find<Descendant>("jobs", query, { sort: { _id: 1 }, limit: pageSize, fields: header });
    yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)?._id ?? after;
  }
}

/** Everything below a job, level by level. The root itself need not have a header any more. */
export async function* descendantsOf(store: Store, root: string): AsyncGenerator<Descendant> {
  for (let level = [root]; level.length > 0;) {
    const below: string[] = [];
    for await (const page of childrenOf(store, level)) {
      below.push(...page.map(({ _id }) => _id));
      yield* page;
    }
    level = below;
  }
}

/** Some children of a job: enough to go on with, and none only when there is none. */
export async function someChildren(store: Store, jobId: string, limit: number): Promise<string[]> {
  const page = await store.find<Descendant>("jobs", { "parent.job": jobId }, { limit, fields: header });
  return page.map(({ _id }) => _id);
}

const itemsAtOnce = 100;

/** Is a child of this job being started? Its item goes with the commit that creates the child. */
export async function startsChildren(store: Store, jobId: string): Promise<boolean> {
  const prefix = `${jobId}.`;
  for (let after = prefix; ;) {
    const items = await store.workItems(after, itemsAtOnce);
    const own = items.filter(({ id }) => id.startsWith(prefix));
    if (own.some(({ kind }) => kind === "startChild")) return true;
    if (own.length < itemsAtOnce) return false;
    after = own.at(-1)?.id ?? after;
  }
}

/** Why a tree of jobs whose root has an end cannot be deleted yet; undefined when it can. */
export async function whyNotAtRest(store: Store, root: string): Promise<string | undefined> {
  if (await startsChildren(store, root)) return `Job ${root} still starts child jobs`;
  for await (const { _id, status } of descendantsOf(store, root))
    if (status !== "complete" && status !== "canceled") return `Child job ${_id} of job ${root} is still ${status}`;
  return undefined;
}
