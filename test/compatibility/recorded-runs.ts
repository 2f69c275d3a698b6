import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";

/** A run as it was recorded: what went in, what tasks gave back, and how it ended. */
interface RecordedRun {
  input: { description?: string; variables: Record<string, unknown> };
  expectedTaskResults: { status: string; variables: Record<string, unknown> };
  stubTasks: { taskId: string; variables: { outgoing: Record<string, unknown> } }[];
}

/** A prebuilt with its workflows, transformations and recorded runs. */
export interface RecordedBundle {
  name: string;
  workflows: WorkflowDocument[];
  transformations: { _id: string; name: string }[];
  runs: { name: string; run: RecordedRun }[];
}

/** What replaying a run came to. */
export interface ReplayOutcome {
  run: string;
  isSame: boolean;
  /** What differs, in words. */
  difference?: string;
  durationMs: number;
}

/** How a replay talks to a platform: parsed reply, or an error on a status of 400 and above. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Finds every folder below `root` that has `recorded-runs` beside `bundles`, and reads it. */
export async function readBundles(root: string): Promise<RecordedBundle[]> {
  if (existsSync(join(root, "recorded-runs"))) return [await readBundle(root)];
  const folders = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const found = await Promise.all(folders.map((folder) => readBundles(join(root, folder.name)).catch(() => [])));
  return found.flat();
}

async function readBundle(folder: string): Promise<RecordedBundle> {
  const runs = await readJsonFiles<RecordedRun>(join(folder, "recorded-runs"));
  return {
    name: basename(folder),
    workflows: (await readJsonFiles<WorkflowDocument>(join(folder, "bundles", "workflows"))).map(({ value }) => value),
    transformations: (
      await readJsonFiles<{ _id: string; name: string }>(join(folder, "bundles", "transformations"))
    ).map(({ value }) => value),
    runs: runs.map(({ name, value }) => ({ name, run: value })),
  };
}

async function readJsonFiles<T>(folder: string): Promise<{ name: string; value: T }[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (name) => ({
      name: name.replace(/\.json$/u, ""),
      value: JSON.parse(await readFile(join(folder, name), "utf8")) as T,
    })),
  );
}

/** Replays every run of a bundle on a platform, one after the other. */
export async function replayBundle(send: Send, bundle: RecordedBundle): Promise<ReplayOutcome[]> {
  for (const transformation of bundle.transformations)
    await send("POST", "/transformations/import", { transformation });
  for (const workflow of bundle.workflows) await importWorkflow(send, workflow);
  const outcomes: ReplayOutcome[] = [];
  for (const { name, run } of bundle.runs) outcomes.push(await replayRun(send, bundle, name, run));
  return outcomes;
}

async function replayRun(send: Send, bundle: RecordedBundle, name: string, run: RecordedRun): Promise<ReplayOutcome> {
  const startedAt = performance.now();
  const workflow = workflowOfRun(bundle, name, run);
  const answer = (difference?: string): ReplayOutcome => ({
    run: name,
    isSame: difference === undefined,
    ...(difference === undefined ? {} : { difference }),
    durationMs: Math.round(performance.now() - startedAt),
  });
  if (!workflow) return answer("no workflow of the bundle has the recorded tasks");
  await importWorkflow(send, asRecorded(workflow, run));
  const options = { ...run.input, mocks: mocksOf(workflow, run) };
  const path = "/operations-manager/jobs/start?wait=30000";
  const { data: job } = (await send("POST", path, { workflow: workflow.name, options })) as { data: FinishedJob };
  await importWorkflow(send, workflow);
  return answer(differenceOf(job, run));
}

interface FinishedJob {
  status: string;
  variables: Record<string, unknown>;
  error?: unknown;
}

function workflowOfRun(bundle: RecordedBundle, name: string, run: RecordedRun): WorkflowDocument | undefined {
  const title = name.replace(/ Job\d+$/u, "");
  const named = bundle.workflows.find((workflow) => workflow.name === title);
  const hasTasks = (workflow: WorkflowDocument) =>
    run.stubTasks.every(({ taskId }) => Object.hasOwn(workflow.tasks, taskId));
  return named && hasTasks(named) ? named : bundle.workflows.find(hasTasks);
}

/**
 * The workflow as the recorder ran it: it put the recorded literal in the place of a stubbed task's
 * outgoing mapping, so those results were not written to job variables.
 */
function asRecorded(workflow: WorkflowDocument, run: RecordedRun): WorkflowDocument {
  const copy = structuredClone(workflow);
  for (const { taskId, variables } of run.stubTasks) {
    const task = copy.tasks[taskId];
    if (task) task.variables = { ...task.variables, outgoing: variables.outgoing };
  }
  return copy;
}

/** Recorded results as mocks; delays are passed over. Everything else is computed. */
function mocksOf(workflow: WorkflowDocument, run: RecordedRun): Record<string, unknown> {
  const recorded = run.stubTasks.map(({ taskId, variables }) => [
    taskId,
    { finish_state: "success", outgoing: variables.outgoing },
  ]);
  const delays = Object.entries(workflow.tasks).filter(
    ([, task]) => task.name === "delay" && task.app === "WorkFlowEngine",
  );
  return {
    ...Object.fromEntries(delays.map(([taskId]) => [taskId, { finish_state: "success" }])),
    ...Object.fromEntries(recorded),
  };
}

async function importWorkflow(send: Send, workflow: WorkflowDocument): Promise<void> {
  await send("DELETE", `/workflow_builder/workflows/delete/${encodeURIComponent(workflow.name)}`).catch(
    () => undefined,
  );
  await send("POST", "/workflow_builder/import", { workflow, options: {} });
}

function differenceOf(job: FinishedJob, run: RecordedRun): string | undefined {
  const { status, variables } = run.expectedTaskResults;
  if (job.status !== status)
    return `status is ${job.status}, recorded ${status}: ${JSON.stringify(job.error ?? null).slice(0, 300)}`;
  const { _id: _ownId, initiator: _initiator, ...got } = job.variables;
  const { _id: _recordedId, initiator: _recordedInitiator, ...expected } = variables;
  const names = new Set([...Object.keys(got), ...Object.keys(expected)]);
  const different = [...names].filter((name) => !isDeepStrictEqual(got[name], expected[name]));
  if (different.length === 0) return undefined;
  return different
    .map(
      (name) =>
        `${name} is ${JSON.stringify(got[name])?.slice(0, 200)}, recorded ${JSON.stringify(expected[name])?.slice(0, 200)}`,
    )
    .join("; ");
}
