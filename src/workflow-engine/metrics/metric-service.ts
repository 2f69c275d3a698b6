import type { Clock } from "../../core/clock.ts";
import { selectInMemory } from "../../core/list-in-memory.ts";
import type { ListCondition, ListSelection } from "../../core/list-query.ts";
import type { Store } from "../../store/store.ts";
import {
  dayOf,
  jobMetricCollection,
  startOfDay,
  taskMetricCollection,
  type JobMetricDocument,
  type TaskMetricDocument,
} from "../jobs/metric-documents.ts";
import { readMetrics } from "../jobs/metric-sums.ts";
import { createMetricArchive, type MetricArchive } from "./archive-service.ts";
import { JobRows, TaskRows } from "./metric-rows.ts";
import type { SignedLinkOptions } from "./signed-links.ts";
import {
  defaultDays,
  largestMetricPage,
  type JobMetrics,
  type MetricQuery,
  type TaskMetrics,
} from "./metric-schema.ts";

/** A page of rows, with the number of all rows that match. */
export interface MetricPage<Row> {
  results: Row[];
  skip: number;
  limit: number;
  total: number;
}

/**
 * Figures of jobs and tasks by workflow and day (workflow-engine.md §8.6), over the jobs of everybody. What a
 * request costs depends on the workflows and days it is about, not on the jobs they ran.
 */
export interface MetricService {
  /** One row for each workflow that ran in the days asked for. */
  jobs(query: MetricQuery): Promise<MetricPage<JobMetrics>>;
  /** One row for each task of such a workflow, and one for each application and name over all workflows. */
  tasks(query: MetricQuery): Promise<MetricPage<TaskMetrics>>;
  archive: MetricArchive;
}

const dayMs = 86_400_000;

/** Figures of a store. */
export function createMetricService(options: SignedLinkOptions): MetricService {
  const { store, clock } = options;
  return {
    archive: createMetricArchive(options),
    async jobs(query) {
      const rows = new JobRows();
      const documents = readMetrics<JobMetricDocument>(store, jobMetricCollection, rangeOf(query, clock));
      for await (const page of documents) for (const document of page) rows.add(document);
      const page = pageOf(rows.all(), query);
      return { ...page, results: await withPreAutomationTimes(store, page.results) };
    },
    async tasks(query) {
      const rows = new TaskRows();
      const documents = readMetrics<TaskMetricDocument>(store, taskMetricCollection, rangeOf(query, clock));
      for await (const page of documents) for (const document of page) rows.add(document);
      return pageOf(rows.all(), query);
    },
  };
}

/** Which documents a request is about: from a day on, and those of one workflow where it names one. */
function rangeOf({ greaterThanEquals, equals, equalsField = "workflow.name" }: MetricQuery, clock: Clock) {
  const from = firstDay(greaterThanEquals, clock.now());
  return equals !== undefined && equalsField === "workflow.name" ? { from, "workflow.name": equals } : { from };
}

/** The first day that begins at a moment or later. */
function firstDay(since: number | undefined, now: number): string {
  if (since === undefined) return dayOf(startOfDay(dayOf(now)) - (defaultDays - 1) * dayMs);
  return dayOf(Math.ceil(since / dayMs) * dayMs);
}

/** Sums are few and made for the request, so that they are filtered and sorted here. */
function pageOf<Row extends object>(rows: readonly Row[], query: MetricQuery): MetricPage<Row> {
  const { skip = 0, limit = largestMetricPage, order = 1, sort = "workflow.name" } = query;
  const conditions: ListCondition[] = [];
  const { equals, contains, equalsField = "workflow.name", containsField = "workflow.name" } = query;
  if (equals !== undefined) conditions.push({ field: equalsField, comparison: "equals", texts: [equals] });
  if (contains !== undefined) conditions.push({ field: containsField, comparison: "contains", texts: [contains] });
  const selection: ListSelection = { conditions, sort: { [sort]: order, _id: 1 }, skip, limit };
  return { ...selectInMemory(rows, selection), skip, limit };
}

/** Rows with what their workflows say now; one that is gone says nothing. */
async function withPreAutomationTimes(store: Store, rows: readonly JobMetrics[]): Promise<JobMetrics[]> {
  if (rows.length === 0) return [];
  const found = await store.find<{ _id: string; preAutomationTime?: unknown }>(
    "workflows",
    { _id: { $in: rows.map(({ _id }) => _id) } },
    { fields: { preAutomationTime: 1 } },
  );
  const times = new Map(found.map(({ _id, preAutomationTime }) => [_id, preAutomationTime]));
  return rows.map((row) => {
    const preAutomationTime = times.get(row._id);
    return typeof preAutomationTime === "number" ? { ...row, preAutomationTime } : row;
  });
}
