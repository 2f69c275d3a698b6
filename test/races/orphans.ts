import type { Store } from "../../src/store/store.ts";
import { createJobAuditor } from "../faults/audit-job.ts";

const longestMs = 20_000;
const pauseMs = 200;

/** Child jobs that go on although the task that asked for them does not wait for them any more. Time is given to cancel them. */
export async function findOrphans(store: Store): Promise<string[]> {
  const until = performance.now() + longestMs;
  for (;;) {
    const orphans = await orphansNow(store);
    if (orphans.length === 0 || performance.now() > until) return orphans;
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
  }
}

async function orphansNow(store: Store): Promise<string[]> {
  const open = { status: { $nin: ["complete", "canceled"] } };
  const headers = await store.find<{ _id: string }>("jobs", open, { limit: 1_000, fields: { _id: 1 } });
  const auditor = createJobAuditor(store);
  const orphans: string[] = [];
  for (const { _id } of headers) {
    const child = (await auditor.audit(_id)).state;
    const { parent } = child.origin;
    if (!parent || child.compensation?.then === "cancel") continue;
    const { state } = await auditor.audit(parent.job);
    const task = state.tasks.get(parent.task);
    const isWanted = task?.iteration === parent.iteration && task.status === "running";
    if (!isWanted)
      orphans.push(`child ${_id} is ${child.status}, task ${parent.task} of job ${parent.job} ${task?.status}`);
  }
  return orphans;
}
