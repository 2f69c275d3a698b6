import type { Store } from "../../store/store.ts";
import {
  jobMetricCollection,
  taskMetricCollection,
  type JobMetricDocument,
  type TaskMetricDocument,
} from "../jobs/metric-documents.ts";
import { csvLine } from "./csv.ts";
import { daysOf, documentsOfDay } from "./metric-days.ts";
import { JobRows, TaskRows } from "./metric-rows.ts";

/** A file of an archive. Its content is made when it is read, in pieces of a day: small ones would cost more to pack than to make. */
export interface ArchiveFile {
  path: string;
  content(): AsyncIterable<string>;
}

/** Figures of a workflow, or of a task of a workflow, on one day. */
type FigureRecord = Readonly<Record<string, string | number>>;

interface ArchivePart {
  /** Of its files. */
  name: string;
  collection: string;
  /** Members of its records, in the order of the columns. */
  columns: readonly string[];
  records(store: Store, day: string): Promise<FigureRecord[]>;
}

const jobPart: ArchivePart = {
  name: "job-metrics",
  collection: jobMetricCollection,
  columns: [
    "day",
    "startDate",
    "workflowId",
    "workflow",
    "jobsComplete",
    "totalRunTime",
    "slaTargetsMissed",
    "totalManualTime",
  ],
  async records(store, day) {
    const rows = new JobRows();
    for (const document of await documentsOfDay<JobMetricDocument>(store, jobMetricCollection, day)) rows.add(document);
    return rows
      .all()
      .flatMap(({ workflow, metrics }) =>
        metrics.map((figures) => ({ day, workflowId: workflow._id, workflow: workflow.name, ...figures })),
      );
  },
};

const taskPart: ArchivePart = {
  name: "task-metrics",
  collection: taskMetricCollection,
  columns: [
    "day",
    "startDate",
    "workflowId",
    "workflow",
    "taskId",
    "app",
    "name",
    "taskType",
    "totalSuccesses",
    "totalFailures",
    "totalErrors",
    "totalRunTime",
  ],
  async records(store, day) {
    const rows = new TaskRows();
    for (const document of await documentsOfDay<TaskMetricDocument>(store, taskMetricCollection, day))
      rows.add(document);
    return rows.all().flatMap(({ workflow, taskId = "", app, name, taskType, metrics }) =>
      // Sums over all workflows follow from the others.
      workflow
        ? metrics.map((figures) => ({
            day,
            workflowId: workflow._id,
            workflow: workflow.name,
            taskId,
            app,
            name,
            taskType,
            ...figures,
          }))
        : [],
    );
  },
};

/** The files of the archive of all figures: for jobs and for tasks one of JSON lines for each day, and one table over all days. */
export async function archiveFiles(store: Store): Promise<ArchiveFile[]> {
  const files: ArchiveFile[] = [];
  for (const part of [jobPart, taskPart]) {
    for await (const day of daysOf(store, part.collection)) {
      files.push({ path: `${part.name}/${day}.jsonl`, content: () => jsonLines(store, part, day) });
    }
    files.push({ path: `${part.name}.csv`, content: () => table(store, part) });
  }
  return files;
}

async function* jsonLines(store: Store, { columns, records }: ArchivePart, day: string): AsyncGenerator<string> {
  const lines = (await records(store, day)).map((record) =>
    JSON.stringify(Object.fromEntries(columns.map((name) => [name, record[name]]))),
  );
  yield `${lines.join("\n")}\n`;
}

async function* table(store: Store, { collection, columns, records }: ArchivePart): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const day of daysOf(store, collection)) {
    const lines = (await records(store, day)).map((record) => csvLine(columns.map((name) => record[name] ?? "")));
    yield lines.join("");
  }
}
