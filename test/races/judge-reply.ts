import { jobOperations, type JobOperation } from "../../src/workflow-engine/interpreter/state-machines.ts";
import type { TestReply } from "../support/platform.ts";
import type { RaceClient } from "./race-nodes.ts";
import type { RacedOperation, RaceRequest } from "./race-operations.ts";

/** What a refused operation may be told: the status, and how its message reads. */
type Refusal = readonly [status: number, message: RegExp];

const noJob: Refusal = [404, /^Job \S+ not found$/u];
const noTask: Refusal = [404, /^Task \S+ not found$/u];
const notNamed: Refusal = [404, /^The job has no task \S+\. It has /u];
const oldIteration: Refusal = [404, /is not the latest iteration of a task of the job$/u];
const compensating: Refusal = [409, /^What the job did is being compensated: that has to end first$/u];
const ofLoop: Refusal = [409, /^Task \S+ belongs to the loop \S+, which is not running/u];
const noPerson: Refusal = [409, /^Task is not waiting for a person$/u];
const owned: Refusal = [409, /^Task is (?:already )?claimed by \S+$/u];
const noSight: Refusal = [400, /^Account \S+ is in none of the groups that may see the task$/u];

const ofRepair = [noJob, notNamed, oldIteration, compensating, ofLoop];
const ofReturn: readonly Refusal[] = [
  ...ofRepair,
  [400, /^Task \S+ does not lie upstream of \S+\. These do: /u],
  [409, /^Task \S+ undoes what others did: it does not run by itself$/u],
  [409, /^Task \S+ has not run: a job is reverted to a task that it has come to$/u],
];

const refusals: Readonly<Record<RacedOperation, readonly Refusal[]>> = {
  pause: [noJob, [409, /^Job is already paused$/u]],
  resume: [noJob],
  cancel: [
    noJob,
    [409, /^Job is being canceled already: its compensations run\./u],
    [409, /^Compensation by task \S+ failed: resume the job to try it again, or cancel it with force$/u],
  ],
  fix: [...ofReturn, [409, /^Task \S+ is not in error\. In error: /u]],
  revert: ofReturn,
  continue: [
    ...ofRepair,
    [409, /^Task \S+ is \w+: a job goes on from a task that has finished$/u],
    [409, /^Task \S+ ended in \w+ and has no transition for it$/u],
    [409, /is under way already\. To repeat it, revert to it$/u],
    [409, /waits for other tasks as well$/u],
    [409, /^There is no finished task to go on from: /u],
  ],
  retry: [
    ...ofRepair,
    [409, /^Task \S+ is \w+(?: and the job went on)?: only a task in error is retried$/u],
    [400, /^Task \S+ has no incoming variable type\. It has /u],
  ],
  claim: [noTask, noPerson, owned, noSight],
  assign: [noTask, noPerson, owned, noSight],
  release: [noTask, noPerson, owned],
  finishManualTask: [noJob, noTask, noPerson, owned],
  watch: [noJob],
  unwatch: [noJob],
  group: [
    noJob,
    [400, /^Invalid group: \S+$/u],
    [404, /^The job is not restricted to group \S+$/u],
    [403, /^Only an administrator may open a job to everybody$/u],
    [403, /^You would lose access to the job: keep one of your own groups$/u],
  ],
  delete: [
    noJob,
    [409, /^Job \S+ is a child job: it goes with its root job \S+$/u],
    [409, /^Job \S+ is (?:running|paused|error) and cannot be deleted: cancel it first$/u],
    [409, /: try again when it has ended$/u],
  ],
  start: [],
  publish: [],
};

/** What the state machines call an operation. */
export function jobOperationOf(operation: string): JobOperation | undefined {
  if (operation === "finishManualTask") return "finish";
  return Object.hasOwn(jobOperations, operation) ? (operation as JobOperation) : undefined;
}

/** What is wrong with a reply; undefined when it may be so. */
export function problemOf(request: RaceRequest, client: RaceClient, reply: TestReply): string | undefined {
  const { status } = reply;
  if (status < 300) return answerProblem(request, reply);
  if (status === 503) return reply.headers.has("retry-after") ? undefined : "503 without Retry-After";
  const { message = "" } = (reply.body ?? {}) as { message?: string };
  return isFitting(request, client, { status, message }) ? undefined : `${status} does not fit: ${message}`;
}

function isFitting(request: RaceRequest, client: RaceClient, refusal: { status: number; message: string }): boolean {
  const { status, message } = refusal;
  if (isForLackOfRole(request, client, message)) return status === 403;
  if (isForStatus(request.operation, message)) return status === 409;
  return refusals[request.operation].some(([wanted, pattern]) => wanted === status && pattern.test(message));
}

function isForLackOfRole({ operation }: RaceRequest, { mayWrite }: RaceClient, message: string): boolean {
  return (
    !mayWrite && (operation === "group" || operation === "delete") && message.startsWith("You have no role that allows")
  );
}

/** Is it refused because of the job's status, and do the state machines refuse it there? */
function isForStatus(operation: RacedOperation, message: string): boolean {
  const asked = jobOperationOf(operation);
  const [, status, phrase] = /^Job is (\w+) and cannot (.+)$/u.exec(message) ?? [];
  if (asked === undefined || status === undefined) return false;
  return jobOperations[asked].phrase === phrase && !Object.hasOwn(jobOperations[asked].leads, status);
}

/** An answer shows the job as it is right after the operation. */
function answerProblem({ operation, isDryRun, force }: RaceRequest, { body }: TestReply): string | undefined {
  const wanted = operation === "pause" ? "paused" : operation === "cancel" && force ? "canceled" : undefined;
  const status = shownJob(body)?.status;
  return isDryRun || wanted === undefined || status === wanted ? undefined : `the job is ${status}, not ${wanted}`;
}

/** The job document in an answer of either family. */
export function shownJob(body: unknown): { _id: string; name: string; status: string; tasks: object } | undefined {
  const { data = body } = (body ?? {}) as { data?: unknown };
  const found: unknown = Array.isArray(data) ? data[0] : data;
  if (typeof found !== "object" || found === null) return undefined;
  const isJob = "_id" in found && "status" in found && "tasks" in found && !("taskId" in found);
  return isJob ? (found as ReturnType<typeof shownJob>) : undefined;
}
