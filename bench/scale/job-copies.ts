import type { Write } from "../../src/store/index.ts";
import { iterationId, parseIterationId } from "../../src/workflow-engine/jobs/iteration-id.ts";
import { dayOf } from "../../src/workflow-engine/jobs/metric-documents.ts";
import type { RecordedJob } from "./recorded-job.ts";

/** What tells one copy of a recorded job from another. */
export interface CopyDetails {
  jobId: string;
  name: string;
  startedAt: number;
}

/** Makes the writes of a job that is like the recorded one, but for these details. */
export type CopyJob = (details: CopyDetails) => Write[];

/** A piece of the recorded text: itself, or what stands in its place in a copy. */
type Piece = string | ((details: CopyDetails) => string);

/** Prepares a recorded job of the workflow `workflowName` for copying. */
export function jobCopier({ jobId, writes }: RecordedJob, workflowName: string): CopyJob {
  const startedAt = timesIn(writes);
  const pieces = piecesOf(JSON.stringify(writes), { jobId, workflowName, startedAt });
  return (details) =>
    JSON.parse(pieces.map((piece) => (typeof piece === "string" ? piece : piece(details))).join("")) as Write[];
}

function timesIn(writes: readonly Write[]): number {
  const first = writes.find((write) => write.kind === "appendEvent");
  if (first?.kind !== "appendEvent") throw new Error("a recorded job has no event");
  return first.at;
}

interface Recorded {
  jobId: string;
  workflowName: string;
  startedAt: number;
}

const isoTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/u;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/u;
const isoDay = /\d{4}-\d\d-\d\d/u;
const longestJobMs = 60_000;

function piecesOf(text: string, recorded: Recorded): Piece[] {
  const places = new RegExp(
    `(${recorded.jobId}|${recorded.workflowName}|\\b\\d{13}\\b|${isoTime.source}|${uuid.source}|\\b${isoDay.source}\\b)`,
    "u",
  );
  return text.split(places).map((part) => pieceOf(part, recorded));
}

function pieceOf(part: string, { jobId, workflowName, startedAt }: Recorded): Piece {
  if (part === jobId) return (details) => details.jobId;
  if (part === workflowName) return ({ name }) => name;
  const iteration = parseIterationId(part);
  if (iteration?.jobId === jobId) return (details) => iterationId(details.jobId, iteration.iteration);
  if (part === dayOf(startedAt)) return (details) => dayOf(details.startedAt);
  const isNumber = /^\d{13}$/u.test(part);
  const after = (isNumber ? Number(part) : Date.parse(part)) - startedAt;
  const isTime = isNumber || isoTime.test(part);
  if (!isTime || after < 0 || after > longestJobMs) return part;
  return isNumber
    ? (details) => String(details.startedAt + after)
    : (details) => new Date(details.startedAt + after).toISOString();
}
