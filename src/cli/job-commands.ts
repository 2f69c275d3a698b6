import pc from "picocolors";
import type { ApiClient } from "./api-client.ts";
import { readJsonObject } from "./json-argument.ts";
import { createProgressView, type JobProgress } from "./job-progress.ts";
import { say, showResult, table, type Output } from "./output.ts";

interface Envelope<T> {
  data: T;
  metadata: { total?: number };
}

/** What a start on the command line can say. */
export interface StartArguments {
  variables?: string | undefined;
  description?: string | undefined;
  watch?: boolean | undefined;
}

const watchStepMs = 2_000;

/** `linewright job start`: starts a workflow, and with `--watch` follows it. Exit code 1 when it does not complete. */
export async function startJob(
  client: ApiClient,
  output: Output,
  workflow: string,
  given: StartArguments,
): Promise<number> {
  const options = {
    variables: await readJsonObject("--variables", given.variables),
    ...(given.description === undefined ? {} : { description: given.description }),
  };
  const { data } = await client.request<Envelope<JobProgress>>("POST", "/operations-manager/jobs/start", {
    workflow,
    options,
  });
  if (given.watch) return watchJob(client, output, data._id);
  showResult(
    output,
    { _id: data._id, name: data.name, status: data.status },
    (job) => `Started ${job.name}: job ${job._id} is ${job.status}.`,
  );
  return 0;
}

/** `linewright job watch`: follows a job until it is at rest. Exit code 0 when it is complete. */
export async function watchJob(client: ApiClient, output: Output, jobId: string): Promise<number> {
  const view = createProgressView(output);
  for (;;) {
    const { data: job } = await client.request<Envelope<JobProgress>>(
      "GET",
      `/operations-manager/jobs/${jobId}?wait=${watchStepMs}`,
    );
    view.show(job);
    if (job.status !== "running") return conclude(output, job);
  }
}

function conclude(output: Output, job: JobProgress): number {
  showResult(
    output,
    { _id: job._id, name: job.name, status: job.status, error: job.error, variables: job.variables },
    () => {
      const text = `Job ${job._id} is ${job.status}.`;
      return job.status === "complete" ? pc.green(text) : pc.red(text);
    },
  );
  for (const error of job.error ?? []) say(output, `  ${error.task}: ${errorText(error.message)}`);
  return job.status === "complete" ? 0 : 1;
}

/** What a task ended in error for, in one line. */
export function errorText(message: unknown): string {
  const shown = (message as { IAPerror?: { displayString?: string } } | null)?.IAPerror?.displayString;
  return shown ?? (typeof message === "string" ? message : JSON.stringify(message));
}

/** `linewright job list`: the newest jobs first. */
export async function listJobs(
  client: ApiClient,
  output: Output,
  given: { status?: string | undefined; limit: number },
): Promise<number> {
  const filter = given.status === undefined ? "" : `&equals[status]=${encodeURIComponent(given.status)}`;
  const path = `/operations-manager/jobs?limit=${given.limit}&sort=metrics.start_time&order=-1${filter}`;
  const { data, metadata } = await client.request<Envelope<JobRow[]>>("GET", path);
  showResult(output, { jobs: data, total: metadata.total }, () => {
    const rows = data.map((job) => [job._id, job.status, job.name, new Date(job.metrics.start_time).toISOString()]);
    return `${table(["Job", "Status", "Workflow", "Started"], rows)}\n${data.length} of ${metadata.total ?? data.length} jobs`;
  });
  return 0;
}

interface JobRow {
  _id: string;
  name: string;
  status: string;
  metrics: { start_time: number };
}
