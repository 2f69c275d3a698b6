import { startServerProcess, type ServerProcess } from "../support/server-process.ts";
import { faultOf, outcomeOf, type FinishedJob, type JobOutcome } from "./job-outcome.ts";
import { childWorkflow, shapes } from "./shapes.ts";

/** How hard to try. */
export interface KillOptions {
  jobs: number;
  kills: number;
  /** Told now and then how it gets on. */
  say?: (line: string) => void;
}

/** What came of it. All counts but jobs and kills are to be 0. */
export interface KillReport {
  jobs: number;
  kills: number;
  unacknowledged: number;
  lost: number;
  doubled: number;
  stuck: number;
  different: number;
  /** Longest time from the first answer after a restart until a job moved on, milliseconds. */
  longestPauseMs: number;
  seconds: number;
}

interface Run {
  server: ServerProcess;
  /** Description → shape, of every start that was asked for. */
  asked: Map<string, number>;
  acknowledged: Map<string, string>;
  options: KillOptions;
  /** Answers of the living server that are errors. */
  strange: string[];
}

/**
 * Kills the server with SIGKILL at random moments while jobs of all shapes run, restarts it on the
 * same data, and compares every job with the same job run without faults. Throws when the server
 * answers with an error in between.
 */
export async function killNine(options: KillOptions): Promise<KillReport> {
  const startedAt = performance.now();
  const server = await startServerProcess();
  const run: Run = { server, asked: new Map(), acknowledged: new Map(), options, strange: [] };
  try {
    for (const workflow of [childWorkflow, ...shapes.map((shape) => shape.workflow)]) {
      await server.request("POST", "/workflow_builder/import", { workflow, options: {} });
    }
    const expected = await runWithoutFaults(server);
    const longestPauseMs = await killAgainAndAgain(run);
    const counts = await check(run, expected);
    if (run.strange.length > 0) throw new Error(`the server answered with errors: ${run.strange.join("; ")}`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { ...counts, longestPauseMs: Math.round(longestPauseMs), seconds };
  } finally {
    await run.server.stop();
  }
}

/** Returns the longest time it took until a job moved on after a restart. */
async function killAgainAndAgain(run: Run): Promise<number> {
  const { jobs, kills, say } = run.options;
  let longestPauseMs = 0;
  for (let kill = 0; kill < kills; kill++) {
    const work = disturb(run, Math.ceil(((kill + 1) * jobs) / kills));
    await pause(20 + Math.random() * 280);
    await run.server.kill();
    await work;
    run.server = await run.server.restart();
    longestPauseMs = Math.max(longestPauseMs, await timeToMove(run.server));
    if (kill % 20 === 19) say?.(`${kill + 1} kills, ${run.acknowledged.size} jobs started`);
  }
  return longestPauseMs;
}

/** Outcome of each shape where nothing goes wrong. */
async function runWithoutFaults(server: ServerProcess): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  for (const shape of shapes.keys()) {
    const id = await startJob(server, shape, "without faults");
    const outcome = outcomeOf(await finish(server, id, 20_000));
    if (outcome.status !== "complete") throw new Error(`shape ${shape} ends in ${outcome.status} without faults`);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function startJob(server: ServerProcess, shape: number, description: string): Promise<string> {
  const { workflow, variables } = shapes[shape] ?? shapes[0]!;
  const body = { workflow: workflow.name, options: { description, variables } };
  const { data } = (await server.request("POST", "/operations-manager/jobs/start", body)) as { data: { _id: string } };
  return data._id;
}

/** Starts jobs until as many were asked for as wanted, and works manual tasks, until the server is gone. */
async function disturb(run: Run, wanted: number): Promise<void> {
  try {
    while (run.asked.size < wanted) {
      const description = `job ${run.asked.size}`;
      const shape = run.asked.size % shapes.length;
      run.asked.set(description, shape);
      run.acknowledged.set(description, await startJob(run.server, shape, description));
    }
    for (;;) await workManualTasks(run.server);
  } catch (error) {
    // A TypeError is how fetch tells that the server was killed in the middle of a request.
    if (!(error instanceof TypeError)) run.strange.push(String(error));
  }
}

/** Finishes every open manual task. Returns how many. */
async function workManualTasks(server: ServerProcess): Promise<number> {
  const { data } = (await server.request("GET", "/operations-manager/tasks?equals[type]=manual&limit=100")) as {
    data: ManualTask[];
  };
  for (const task of data) {
    const path = `/operations-manager/jobs/${task.job._id}/tasks/${task.taskId}/finish`;
    // Somebody else may have finished it: the answer of a finish that was done can be lost.
    await server
      .request("POST", path, { taskData: { finish_state: "success", variables: {} } })
      .catch((error: Error) => {
        if (!error.message.includes(" 409")) throw error;
      });
  }
  return data.length;
}

interface ManualTask {
  taskId: string;
  job: { _id: string };
}

/** How long after a restart it takes until a job that was under way moves on; 0 when none waits for the engine. */
async function timeToMove(server: ServerProcess): Promise<number> {
  const startedAt = performance.now();
  const before = await openWork(server);
  if (before === "") return 0;
  while (performance.now() - startedAt < 10_000) {
    if ((await openWork(server)) !== before) return performance.now() - startedAt;
    await pause(20);
  }
  return performance.now() - startedAt;
}

/** The open tasks that wait for the engine, not for a person, as a text that changes when any of them moves. */
async function openWork(server: ServerProcess): Promise<string> {
  const { data } = (await server.request("GET", "/operations-manager/tasks?limit=1000&sort=_id")) as {
    data: { _id: string; type: string }[];
  };
  return data.flatMap((task) => (task.type === "manual" ? [] : [task._id])).join();
}

async function finish(server: ServerProcess, jobId: string, mostMs: number): Promise<FinishedJob> {
  const until = performance.now() + mostMs;
  for (;;) {
    await workManualTasks(server);
    const { data } = (await server.request("GET", `/operations-manager/jobs/${jobId}?wait=200`)) as {
      data: FinishedJob;
    };
    if (data.status !== "running" || performance.now() > until) return data;
  }
}

async function check(
  run: Run,
  expected: readonly JobOutcome[],
): Promise<Omit<KillReport, "longestPauseMs" | "seconds">> {
  const { server, asked, acknowledged, options } = run;
  const counts = { lost: 0, doubled: 0, stuck: 0, different: 0 };
  const stored = await storedJobs(server);
  const told = new Set(acknowledged.values());
  const jobs = [...acknowledged, ...stored.filter(([, jobId]) => !told.has(jobId))];
  for (const [description, jobId] of jobs) {
    const job = await finish(server, jobId, 30_000).catch(() => undefined);
    const outcome = job && outcomeOf(job);
    const fault = outcome ? faultOf(outcome, expected[asked.get(description) ?? 0]!) : "lost";
    if (!fault) continue;
    counts[fault] += 1;
    options.say?.(`${description} (${jobId}): ${fault} ${JSON.stringify(outcome)}`);
  }
  counts.doubled += stored.length - new Set(stored.map(([description]) => description)).size;
  counts.stuck += await openChildren(server);
  return { jobs: acknowledged.size, kills: options.kills, unacknowledged: asked.size - acknowledged.size, ...counts };
}

interface JobPage {
  data: { _id: string; description: string }[];
  metadata: { total: number; nextPageSkip: number | null };
}

/** Description and identifier of every job that was asked for and stored, also those whose answer was lost. */
async function storedJobs(server: ServerProcess): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (let skip: number | null = 0; skip !== null;) {
    const path = `/operations-manager/jobs?starts-with[description]=job%20&limit=1000&skip=${skip}`;
    const page = (await server.request("GET", path)) as JobPage;
    found.push(...page.data.map(({ _id, description }): [string, string] => [description, _id]));
    skip = page.metadata.nextPageSkip;
  }
  return found;
}

/** How many child jobs have not completed although their parents have. */
async function openChildren(server: ServerProcess): Promise<number> {
  const path = `/operations-manager/jobs?equals[name]=${encodeURIComponent(childWorkflow.name)}&not-equals[status]=complete`;
  return ((await server.request("GET", path)) as JobPage).metadata.total;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
