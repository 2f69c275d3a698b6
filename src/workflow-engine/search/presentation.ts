import type { Caller } from "../../core/caller.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { selectFields } from "../../core/list-query.ts";
import { parseFindOptions } from "../../store/query/find-options.ts";
import type { Store } from "../../store/store.ts";
import { shownFields } from "../jobs/header-members.ts";
import { accessibleJobs } from "../jobs/job-access.ts";
import { expandAccounts, pathsToExpand } from "./expand-accounts.ts";
import { readFields } from "./search-request.ts";

/** How documents are to be shown (workflow-engine.md §9.1): lists of members, separated by commas. */
export interface Presentation {
  /** Members to keep. */
  include?: string | undefined;
  /** Members to leave out, where none are to be kept. */
  exclude?: string | undefined;
  /** Members to be replaced by what they name: accounts, and `job` of tasks. */
  dereference?: string | undefined;
}

/** Documents with what they name in place of its id; BAD_REQUEST names what cannot be dereferenced. */
export async function dereferenced(
  store: Store,
  documents: readonly JsonObject[],
  { dereference = "" }: Presentation,
  caller: Caller,
): Promise<JsonObject[]> {
  const names = dereference.split(",").flatMap((name) => name.trim() || []);
  const paths = pathsToExpand(
    names.filter((name) => name !== "job"),
    () => "/query/dereference",
  );
  const withJobs = names.includes("job") ? await withHeaders(store, documents, caller) : documents;
  return expandAccounts(store, withJobs, paths);
}

/** A whole document as it is to be shown. */
export async function presented(
  store: Store,
  document: JsonObject,
  presentation: Presentation,
  caller: Caller,
): Promise<JsonObject> {
  const fields = readFields(selectFields(presentation), "/query");
  const [shown = document] = await dereferenced(store, [document], presentation, caller);
  return parseFindOptions(fields ? { fields } : {}).project(shown);
}

/** Tasks with the header of their job in place of the link to it. */
async function withHeaders(store: Store, tasks: readonly JsonObject[], caller: Caller): Promise<readonly JsonObject[]> {
  const linkOf = (task: JsonObject): JsonObject => (task["job"] as JsonObject | undefined) ?? {};
  const jobIds = new Set(tasks.flatMap((task) => (linkOf(task)["_id"] as string | undefined) ?? []));
  const query: Record<string, Json> = { _id: { $in: [...jobIds] } };
  const headers = await store.find<JsonObject & { _id: string }>("jobs", accessibleJobs(caller, query), {
    fields: shownFields(undefined),
  });
  const byId = new Map(headers.map((header) => [header._id, header]));
  return tasks.map((task) => {
    const header = byId.get(linkOf(task)["_id"] as string);
    return header ? { ...task, job: { ...linkOf(task), ...header } } : task;
  });
}
