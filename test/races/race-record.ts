import { parseIterationId } from "../../src/workflow-engine/jobs/iteration-id.ts";
import type { TestReply } from "../support/platform.ts";
import { problemOf, shownJob } from "./judge-reply.ts";
import type { RaceClient } from "./race-nodes.ts";
import type { RaceRequest } from "./race-operations.ts";

/** What a race was answered. */
export interface RaceRecord {
  /** Replies by operation, then by status. */
  replies: Record<string, Record<number, number>>;
  requests: number;
  unavailable: number;
  /** Replies that may not be so, in words. */
  problems: string[];
  problemCount: number;
  /** `job event person` → how often that was answered as done. */
  accepted: Map<string, number>;
  started: Set<string>;
  deleted: Set<string>;
  note(request: RaceRequest, client: RaceClient, reply: TestReply): void;
  complain(problem: string): void;
}

/** Key of `accepted`. */
export function acceptedKey(jobId: string, event: string, username: string): string {
  return `${jobId} ${event} ${username}`;
}

const mostProblems = 30;

/** A record of nothing yet. */
export function createRaceRecord(): RaceRecord {
  const record: RaceRecord = {
    replies: {},
    requests: 0,
    unavailable: 0,
    problems: [],
    problemCount: 0,
    accepted: new Map(),
    started: new Set(),
    deleted: new Set(),
    complain(problem) {
      record.problemCount += 1;
      if (record.problems.length < mostProblems) record.problems.push(problem.slice(0, 600));
    },
    note(request, client, reply) {
      record.requests += 1;
      const counts = (record.replies[request.operation] ??= {});
      counts[reply.status] = (counts[reply.status] ?? 0) + 1;
      if (reply.status === 503) record.unavailable += 1;
      const problem = problemOf(request, client, reply);
      if (problem !== undefined)
        record.complain(
          `${request.method} ${request.path} ${JSON.stringify(request.body)} of ${client.username}: ${problem}`,
        );
      if (reply.status < 300 && !request.isDryRun) accept(record, request, client, reply);
    },
  };
  return record;
}

function accept(record: RaceRecord, request: RaceRequest, { username }: RaceClient, { body }: TestReply): void {
  const jobId = request.jobId ?? jobOfAnswer(body);
  if (jobId === undefined) return;
  if (request.operation === "start") record.started.add(jobId);
  if (request.operation === "delete") record.deleted.add(jobId);
  const key = acceptedKey(jobId, request.operation, username);
  record.accepted.set(key, (record.accepted.get(key) ?? 0) + 1);
}

/** The job of a job document, or of a task document. */
function jobOfAnswer(body: unknown): string | undefined {
  const job = shownJob(body);
  if (job) return job._id;
  const { data = body } = (body ?? {}) as { data?: unknown };
  const { _id: iteration } = (data ?? {}) as { _id?: unknown };
  return typeof iteration === "string" ? parseIterationId(iteration)?.jobId : undefined;
}
