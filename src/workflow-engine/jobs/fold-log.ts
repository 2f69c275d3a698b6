import { largeValueMarker } from "../../core/stored-value.ts";
import type { JobEventRow } from "../../store/store.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import { draftOf, type JobState } from "../interpreter/job-state.ts";
import { applyEvent, beginState, type FindWorkflow } from "./job-log.ts";
import { placeParts } from "./large-parts.ts";
import { parseEvent, type LoggedEvent } from "./log-format.ts";
import type { MetricIncrements, MetricWrite } from "./metric-increments.ts";
import { projectionWrites, type ProjectionWrite } from "./projections.ts";

/** A document of a read model. */
export interface ProjectedRow {
  collection: string;
  id: string;
  document: object;
}

/** The read models of one job after its last event. */
export interface JobProjection {
  seq: number;
  /** By `rowKey`. */
  rows: ReadonlyMap<string, ProjectedRow>;
  /** What its events added to figures. */
  metrics: readonly MetricWrite[];
}

/** Tells rows of all read models apart. */
export function rowKey(collection: string, id: string): string {
  return `${collection}/${id}`;
}

/** What logs are folded with. */
export interface FoldParts {
  findWorkflow: FindWorkflow;
  metricIncrements: MetricIncrements;
}

/**
 * The read models that a whole log leads to, step by step as they were written when its events happened.
 * Large values are not read: where they were, rows have markers. Undefined for a log without events.
 */
export async function foldLog(
  jobId: string,
  log: readonly JobEventRow[],
  { findWorkflow, metricIncrements }: FoldParts,
): Promise<JobProjection | undefined> {
  const events = log.map((row) => {
    const { value, parts } = parseEvent(jobId, row);
    placeParts(value.delta, parts, largeValueMarker);
    return value;
  });
  const state = await beginState(jobId, events, findWorkflow);
  return state && foldEvents(state, events, await findWorkflow(state.origin.snapshot), metricIncrements);
}

function foldEvents(
  begin: JobState,
  events: readonly LoggedEvent[],
  workflow: CompiledWorkflow,
  metricIncrements: MetricIncrements,
): JobProjection {
  const metrics: MetricWrite[] = [];
  const rows = new Map<string, ProjectedRow>();
  let before: JobState | undefined;
  for (const event of events) {
    const after = draftOf(before ?? begin);
    applyEvent(after, event, workflow);
    for (const write of projectionWrites(before, after, workflow)) applyWrite(rows, write);
    metrics.push(...metricIncrements({ before, state: after, delta: event.delta, workflow }));
    before = after;
  }
  return { seq: before?.seq ?? 0, rows, metrics };
}

function applyWrite(rows: Map<string, ProjectedRow>, write: ProjectionWrite): void {
  const { collection } = write;
  if (write.kind === "remove") rows.delete(rowKey(collection, write.id));
  else {
    const { document } = write;
    const id = (document as { _id: string })._id;
    rows.set(rowKey(collection, id), { collection, id, document });
  }
}
