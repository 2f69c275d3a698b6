import type { JobOperation } from "../../src/workflow-engine/interpreter/state-machines.ts";
import type { Random } from "../fuzz/random.ts";
import type { KnownJobs, SeenJob, SeenTask } from "./known-jobs.ts";
import type { RaceClient } from "./race-nodes.ts";
import { racedEvent, raceShapes } from "./race-shapes.ts";

/** What is asked for: names of what the engine calls the same in its logs, and a few of our own. */
export type RacedOperation =
  | Exclude<JobOperation, "finish">
  | "finishManualTask"
  | "watch"
  | "unwatch"
  | "group"
  | "delete"
  | "start"
  | "publish";

/** One request of a race. */
export interface RaceRequest {
  operation: RacedOperation;
  method: string;
  path: string;
  body?: unknown;
  /** Whose log must tell of it. Absent: of no job, or of a task whose job is told by its answer. */
  jobId?: string;
  /** Only asks what would be. */
  isDryRun?: boolean;
  force?: boolean;
}

/** What a request is made from. */
export interface Choice {
  random: Random;
  client: RaceClient;
  clients: readonly RaceClient[];
  groupIds: readonly string[];
  known: KnownJobs;
  job: SeenJob;
  /** The first number of a job's description: all are different. */
  nextNumber(): number;
}

type Maker = (choice: Choice) => RaceRequest;

/** An operation that can be asked for. */
export interface Asked {
  weight: number;
  make: Maker;
  /** Jobs on which it would do something. */
  fits(job: SeenJob): boolean;
}

const isHeld = ({ status }: SeenJob): boolean => status === "paused" || status === "error";
const isInError = ({ status }: SeenJob): boolean => status === "error";
const isRunning = ({ status }: SeenJob): boolean => status === "running";
const isOpen = ({ status }: SeenJob): boolean => status !== "complete" && status !== "canceled";
const hasPerson = (job: SeenJob): boolean => waitingOf(job).length > 0;

const asked = (weight: number, make: Maker, fits: Asked["fits"]): Asked => ({ weight, make, fits });

/** Operations by how often they are asked for. */
const operations: readonly Asked[] = [
  asked(8, steering("pause"), isRunning),
  asked(14, steering("resume"), isHeld),
  asked(1, steering("cancel"), isOpen),
  asked(6, fix, isInError),
  asked(6, revert, isOpen),
  asked(6, continueJob, isOpen),
  asked(8, retry, isInError),
  asked(7, claim, hasPerson),
  asked(4, assign, hasPerson),
  asked(5, release, hasPerson),
  asked(10, finish, hasPerson),
  asked(3, watch, isOpen),
  asked(2, addWatchers, isOpen),
  asked(4, changeGroups, isOpen),
  asked(2, deleteJob, isOpen),
  asked(1, publish, isOpen),
];
const totalWeight = operations.reduce((sum, { weight }) => sum + weight, 0);

/** Any operation. */
export function randomOperation(random: Random): Asked {
  let left = random.below(totalWeight);
  for (const operation of operations) {
    if (left < operation.weight) return operation;
    left -= operation.weight;
  }
  throw new Error("the weights of operations do not add up");
}

/** Manual tasks of the job that wait for somebody. */
function waitingOf({ tasks }: SeenJob): SeenTask[] {
  return Object.values(tasks).filter(({ type, status }) => type === "manual" && status === "running");
}

/** Starts a job of the next shape, a third of them seen by a few groups only. */
export function startRequest({ random, groupIds, nextNumber }: Omit<Choice, "job">): RaceRequest {
  const number = nextNumber();
  const shape = raceShapes[number % raceShapes.length] ?? raceShapes[0]!;
  const groups = random.chance(0.33) && groupIds.length > 0 ? [random.pick(groupIds), random.pick(groupIds)] : [];
  const options = { description: `race ${number}`, variables: shape.variables, groups: [...new Set(groups)] };
  const body = { workflow: shape.workflow.name, options };
  return { operation: "start", method: "POST", path: "/operations-manager/jobs/start", body };
}

function posted(operation: RacedOperation, path: string, body: unknown, jobId?: string): RaceRequest {
  return { operation, method: "POST", path, body, ...(jobId === undefined ? {} : { jobId }) };
}

function perhapsDry({ random }: Choice, request: RaceRequest): RaceRequest {
  return random.chance(0.1) ? { ...request, path: `${request.path}?dryRun=true`, isDryRun: true } : request;
}

function steering(operation: "pause" | "resume" | "cancel"): Maker {
  return (choice) => {
    const { random, job } = choice;
    const force = operation === "cancel" && random.chance(0.3);
    const further = force ? { force } : {};
    const request = random.chance(0.5)
      ? posted(operation, `/workflow_engine/${operation}Job`, { job_id: job._id, ...further }, job._id)
      : posted(operation, `/operations-manager/jobs/${operation}`, { jobIds: [job._id], ...further }, job._id);
    return perhapsDry(choice, { ...request, ...further });
  };
}

/** A task of the job, one of this status if there is one and luck is with it. */
function taskOf({ random, job }: Choice, status: string): string {
  const ids = Object.keys(job.tasks);
  const fit = ids.filter((taskId) => job.tasks[taskId]?.status === status);
  return random.pick(fit.length > 0 && random.chance(0.8) ? fit : [...ids, "b1"]);
}

function fix(choice: Choice): RaceRequest {
  const errored = choice.random.chance(0.2) ? "job" : taskOf(choice, "error");
  const back = choice.random.chance(0.3) && errored !== "job" ? errored : taskOf(choice, "complete");
  const body = { job_id: choice.job._id, errored_task: errored, revert_task: back };
  return perhapsDry(choice, posted("fix", "/workflow_engine/fixJob", body, choice.job._id));
}

function revert(choice: Choice): RaceRequest {
  const { random, job } = choice;
  const from = taskOf(choice, "running");
  const to = taskOf(choice, "complete");
  const request = random.chance(0.5)
    ? posted(
        "revert",
        "/workflow_engine/revertToTask",
        { job_id: job._id, current_task: from, target_task: to },
        job._id,
      )
    : posted("revert", `/operations-manager/jobs/${job._id}/revert`, random.chance(0.2) ? {} : { toTask: to }, job._id);
  return perhapsDry(choice, request);
}

function continueJob(choice: Choice): RaceRequest {
  const { random, job } = choice;
  const from = taskOf(choice, "complete");
  const request = random.chance(0.5)
    ? posted("continue", `/workflow_engine/jobs/${job._id}/continueJob`, { fromTask: from }, job._id)
    : posted(
        "continue",
        `/operations-manager/jobs/${job._id}/continue`,
        random.chance(0.5) ? {} : { fromTask: from },
        job._id,
      );
  return perhapsDry(choice, request);
}

function retry(choice: Choice): RaceRequest {
  const { random, job } = choice;
  const task = taskOf(choice, "error");
  const variables = random.chance(0.4) ? { variables: { type: "success" } } : {};
  const request = random.chance(0.5)
    ? posted("retry", `/workflow_engine/jobs/${job._id}/retryTask`, { task_id: task, ...variables }, job._id)
    : posted("retry", `/operations-manager/jobs/${job._id}/tasks/${task}/retry`, variables, job._id);
  return perhapsDry(choice, request);
}

/** The iteration of a manual task that waits; now and then one of long ago, or one that never was. */
function iterationOf({ random, job, known }: Choice): string {
  const waiting = waitingOf(job);
  const current = waiting.length > 0 ? random.pick(waiting).iterations?.at(-1) : undefined;
  const stale = random.chance(current === undefined ? 0.8 : 0.1) ? known.staleIteration(random) : undefined;
  return stale ?? current ?? "5f0f4dd4-96a3-4f3c-8e0c-000000000000";
}

function claim(choice: Choice): RaceRequest {
  const iteration = iterationOf(choice);
  const { random, client, clients } = choice;
  if (random.chance(0.5)) return posted("claim", `/operations-manager/tasks/${iteration}/claim`, {});
  const other = client.isAdmin && random.chance(0.5) ? { user: random.pick(clients).username } : {};
  return posted("claim", "/workflow_engine/tasks/claim", { task_id: iteration, ...other });
}

function assign(choice: Choice): RaceRequest {
  const { random, clients } = choice;
  const path = `/operations-manager/tasks/${iterationOf(choice)}/assign`;
  const { username, accountId } = random.pick(clients);
  return posted("assign", path, random.chance(0.5) ? { username } : { userId: accountId });
}

function release(choice: Choice): RaceRequest {
  const iteration = iterationOf(choice);
  return choice.random.chance(0.5)
    ? posted("release", `/operations-manager/tasks/${iteration}/release`, {})
    : posted("release", "/workflow_engine/tasks/release", { task_id: iteration });
}

function finish(choice: Choice): RaceRequest {
  const { random, job } = choice;
  const task = random.chance(0.2) ? taskOf(choice, "running") : iterationOf(choice);
  const state = random.chance(0.75) ? "success" : random.pick(["failure", "error"]);
  const data = { finish_state: state, variables: {} };
  return random.chance(0.5)
    ? posted(
        "finishManualTask",
        `/operations-manager/jobs/${job._id}/tasks/${task}/finish`,
        { taskData: data },
        job._id,
      )
    : posted(
        "finishManualTask",
        "/workflow_engine/finishTask",
        { job_id: job._id, task_id: task, task_data: data },
        job._id,
      );
}

function watch({ random, job }: Choice): RaceRequest {
  const operation = random.pick(["watch", "unwatch"] as const);
  if (random.chance(0.5)) return posted(operation, `/operations-manager/jobs/${job._id}/${operation}`, {}, job._id);
  const method = operation === "watch" ? "PUT" : "DELETE";
  return { operation, method, path: `/workflow_engine/job/${job._id}/watch`, jobId: job._id };
}

function addWatchers({ random, clients, job }: Choice): RaceRequest {
  const watchers = [random.pick(clients).username, random.pick(clients).username];
  return random.chance(0.5)
    ? posted("watch", `/operations-manager/jobs/${job._id}/add-watchers`, { watchers }, job._id)
    : posted("watch", "/workflow_engine/job/watchers/watch", { job_id: job._id, watchers }, job._id);
}

function changeGroups({ random, groupIds, job }: Choice): RaceRequest {
  const family = random.pick(["workflow_engine", "operations-manager"]);
  const path = `/${family}/jobs/${job._id}/groups`;
  const group = random.pick([...groupIds, "5f0f4dd496a34f3c8e0c0000"]);
  const request = { operation: "group", jobId: job._id, path } as const;
  return random.pick<RaceRequest>([
    { ...request, method: "POST", body: { group } },
    { ...request, method: "PUT", body: { groups: [group, random.pick(groupIds)] } },
    { ...request, method: "DELETE" },
    { ...request, method: "DELETE" },
    { ...request, method: "DELETE", path: `${path}/${group}` },
  ]);
}

function deleteJob({ random, known, job }: Choice): RaceRequest {
  const jobs = [...known.all()].filter(({ status }) => status === "complete" || status === "canceled");
  const { _id: jobId } = jobs.length > 0 && random.chance(0.7) ? random.pick(jobs) : job;
  return { operation: "delete", method: "DELETE", path: `/operations-manager/jobs/${jobId}`, jobId };
}

function publish({ random }: Choice): RaceRequest {
  const path = `/operations-manager/events/${racedEvent.source}/${racedEvent.topic}?keepFor=1`;
  return posted("publish", path, { payload: { n: random.below(1_000) } });
}
