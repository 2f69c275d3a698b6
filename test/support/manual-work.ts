import type { TestPlatform, TestReply } from "./platform.ts";
import { addSearchPerson, type SearchPerson } from "./search-people.ts";

/** The task of a person in a workflow. */
export const viewData = {
  name: "ViewData",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  summary: "Look at it",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "no" },
};

/** A task that is over at once. */
export const stub = { incoming: { type: "success", delay: "", response: "" } };

/** A job as answers show it. */
export interface ShownJob {
  _id: string;
  name: string;
  status: string;
  watchers: string[];
  groups: string[];
  variables: Record<string, unknown>;
  tasks: Record<string, { status: string; iterations: string[]; finish_state?: string; owner?: string }>;
}

export interface Enveloped<T> {
  message: string;
  data: T;
  metadata: { total: number };
}

/** What errors look like. */
export interface Refusal {
  code: string;
  message: string;
  metadata: { errors: { path: string; message: string }[] };
}

const applications = ["WorkFlowEngine", "OperationsManager", "MOP"];

/** Somebody who works on jobs (`operator`) or may change who sees them too (`engineering`). */
export function addWorker(platform: TestPlatform, username: string, role = "engineering"): Promise<SearchPerson> {
  return addSearchPerson(platform, username, role, applications);
}

/** Starts a job as the administrator. */
export async function startJob(platform: TestPlatform, workflow: string, options: object = {}): Promise<ShownJob> {
  const path = "/operations-manager/jobs/start";
  return (await platform.send<Enveloped<ShownJob>>("POST", path, { workflow, options })).data;
}

/** A job as it is now. */
export async function readJob(platform: TestPlatform, jobId: string, waitMs = 0): Promise<ShownJob> {
  return (await platform.send<Enveloped<ShownJob>>("GET", `/operations-manager/jobs/${jobId}?wait=${waitMs}`)).data;
}

/** Identifier of the iteration a task of a job is in. */
export async function iterationOf(platform: TestPlatform, jobId: string, task: string): Promise<string> {
  return (await readJob(platform, jobId)).tasks[task]?.iterations.at(-1) ?? "";
}

/** Looks again until the answer is as wanted; fails after ten seconds with what it was last. */
export async function untilTrue<T>(look: () => Promise<T>, isWanted: (found: T) => boolean): Promise<T> {
  const until = Date.now() + 10_000;
  for (;;) {
    const found = await look();
    if (isWanted(found)) return found;
    if (Date.now() > until) throw new Error(`never came about: ${JSON.stringify(found)}`);
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}

/** Status of a reply: what most checks of access look at. */
export async function statusOf(reply: Promise<TestReply>): Promise<number> {
  return (await reply).status;
}
