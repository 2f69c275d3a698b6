import type { Store } from "../../src/store/store.ts";
import { rebuildProjections } from "../../src/workflow-engine/index.ts";
import type { Findings } from "./findings.ts";
import { laterWork, workOfJobs } from "./later-work.ts";

const mostShown = 500;

interface Row {
  _id: string;
}

/** Where every job has ended there is no work, no open task, no wait and no lock, and what is kept has its end. */
export async function checkLeftovers(store: Store, findings: Findings): Promise<void> {
  for (const { id } of await workOfJobs(store, mostShown)) findings.add("leftover", `work item ${id}`);
  for (const { _id } of await rowsOf(store, "tasks")) findings.add("leftover", `open task ${_id}`);
  for (const { _id } of await rowsOf(store, "event_waits")) findings.add("leftover", `wait for an event ${_id}`);
  const held = await store.find<Row>("locks", { "holder.job": { $exists: true } }, { limit: mostShown });
  for (const { _id } of held) findings.add("leftover", `lock ${_id}`);
  await checkKeptEvents(store, findings);
}

/** For each event there is the work that removes it once its time is over. */
async function checkKeptEvents(store: Store, findings: Findings): Promise<void> {
  const sweeps = (await laterWork(store)).filter(({ kind }) => kind === "sweepEvents");
  const until = sweeps.map(({ payload }) => Number(payload["until"]));
  for (const { _id, expiresAt } of await store.find<Row & { expiresAt: number }>("events", {}, {}))
    if (!until.some((end) => end > expiresAt)) findings.add("leftover", `event ${_id}, which nobody will remove`);
}

/** Hours after all jobs have ended nothing is left of what was kept for a while. */
export async function checkSwept(store: Store, findings: Findings): Promise<void> {
  for (const { _id } of await rowsOf(store, "events")) findings.add("leftover", `event ${_id} beyond its time`);
  for (const { id, kind } of await laterWork(store))
    if (kind !== "retention") findings.add("leftover", `work item ${id} beyond its time`);
}

/** Rows and figures are what the logs say, and there is none that no log leads to. */
export async function checkRows(store: Store, findings: Findings): Promise<void> {
  const { different, unreadable, figures } = await rebuildProjections(store, { dryRun: true });
  for (const row of different) findings.add("view", `a row is not what its log says: ${JSON.stringify(row)}`);
  for (const { job, reason } of unreadable) findings.add("log", `job ${job} cannot be read: ${reason}`);
  if (figures.different > 0) findings.add("view", `${figures.different} figures are not the sums of the logs`);
}

function rowsOf(store: Store, collection: string): Promise<Row[]> {
  return store.find<Row>(collection, {}, { limit: mostShown, fields: { _id: 1 } });
}
