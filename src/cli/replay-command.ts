import pc from "picocolors";
import type { ApiClient } from "./api-client.ts";
import { say, showResult, table, type Output } from "./output.ts";

interface Entry {
  seq: number;
  at: number;
  cause: { event: string; by?: string };
  changes: Change[];
}

interface Change {
  change: string;
  task?: string;
  status?: string;
  finish_state?: string;
  name?: string;
}

interface Page {
  data: Entry[];
  metadata: { total: number; nextPageAfter: number | null };
}

interface ReplayedJob {
  _id: string;
  name: string;
  status: string;
  tasks: Record<string, { name?: string; summary?: string; status: string; finish_state?: string }>;
  variables: Record<string, unknown>;
}

const pageSize = 1_000;

/**
 * `linewright job replay`: shows what happened to a job, from the first event up to number `until` or the last, and
 * how the job was then. In JSON mode each event is a line, and the document of the job is the last one.
 */
export async function replayJob(client: ApiClient, output: Output, jobId: string, until?: number): Promise<number> {
  const path = `/operations-manager/jobs/${encodeURIComponent(jobId)}/history`;
  let last = 0;
  // The last event is looked up first, so that a number that is too high is told at once.
  const { data: job } = await client.request<{ data: ReplayedJob }>(
    "GET",
    `${path}/${until ?? (await total(client, path))}`,
  );
  for await (const entry of entriesOf(client, path, until)) {
    if (output.isJson) output.write(`${JSON.stringify(entry)}\n`);
    else showEntry(output, entry, job);
    last = entry.seq;
  }
  showResult(output, job, () => textOf(job, last));
  return 0;
}

async function total(client: ApiClient, path: string): Promise<number> {
  const { metadata } = await client.request<Page>("GET", `${path}?limit=1`);
  return metadata.total;
}

async function* entriesOf(client: ApiClient, path: string, until = Number.POSITIVE_INFINITY): AsyncGenerator<Entry> {
  for (let after: number | null = 0; after !== null && after < until;) {
    const limit = Math.min(pageSize, until - after);
    const { data, metadata }: Page = await client.request<Page>("GET", `${path}?after=${after}&limit=${limit}`);
    yield* data;
    after = metadata.nextPageAfter;
  }
}

function showEntry(output: Output, { seq, at, cause, changes }: Entry, job: ReplayedJob): void {
  const who = cause.by === undefined ? "" : ` by ${cause.by}`;
  say(output, `${pc.dim(String(seq).padStart(5))}  ${new Date(at).toISOString()}  ${pc.bold(cause.event)}${who}`);
  for (const change of changes) say(output, `       ${changeText(change, job)}`);
}

function changeText({ change, task, status, finish_state, name }: Change, job: ReplayedJob): string {
  const subject = task === undefined ? name : taskText(task, job);
  const state = finish_state ?? status;
  return [change, subject, state].filter((part) => part !== undefined && part !== "").join("  ");
}

function taskText(taskId: string, { tasks }: ReplayedJob): string {
  const task = tasks[taskId];
  const text = task?.summary ?? task?.name;
  return text === undefined || text === taskId ? taskId : `${taskId} ${text}`;
}

function textOf(job: ReplayedJob, seq: number): string {
  const rows = Object.entries(job.tasks).map(([taskId, { status, finish_state }]) => [
    taskText(taskId, job),
    status,
    finish_state ?? "",
  ]);
  const heading = `Job ${job._id} (${job.name}) after event ${seq}: ${job.status}`;
  return `\n${heading}\n${table(["Task", "Status", "Finish state"], rows)}`;
}
