import type { JobEventRow, JobLog } from "../store.ts";
import type { StoreReader } from "./store-reader.ts";

const eventsSql =
  "SELECT seq, at, delta FROM job_events WHERE job_id = @jobId AND seq > @afterSeq ORDER BY seq LIMIT @limit";
const noLimit = -1;

/** A row of a log: an event, or the snapshot, which has no time. */
interface LogRow {
  seq: number;
  at: number | null;
  text: string;
}

// One statement, so that snapshot and events are of the same moment.
const logSql = `
  SELECT seq, NULL AS at, state AS text FROM job_snapshots WHERE job_id = @jobId AND seq > @afterSeq
  UNION ALL
  SELECT seq, at, text FROM (
    SELECT seq, at, delta AS text FROM job_events
    WHERE job_id = @jobId AND seq > coalesce(
      (SELECT seq FROM job_snapshots WHERE job_id = @jobId AND seq > @afterSeq), @afterSeq)
    ORDER BY seq
  )`;

/** The newest snapshot after `afterSeq`, if any, and the events after it. */
export function readLog(reader: StoreReader, jobId: string, afterSeq: number): JobLog {
  const log: JobLog = { snapshot: undefined, events: [] };
  for (const { seq, at, text } of reader.all<LogRow>(logSql, { jobId, afterSeq })) {
    if (at === null) log.snapshot = { seq, state: text };
    else log.events.push({ seq, at, delta: text });
  }
  return log;
}

export function readEvents(reader: StoreReader, jobId: string, afterSeq: number, limit = noLimit): JobEventRow[] {
  return reader.all<JobEventRow>(eventsSql, { jobId, afterSeq, limit });
}

/** Identifiers of jobs with a log: every log begins with event 1. */
export function readJobIds(reader: StoreReader, after: string, limit: number): string[] {
  const sql = "SELECT job_id AS id FROM job_events WHERE job_id > @after AND seq = 1 ORDER BY job_id LIMIT @limit";
  return reader.all<{ id: string }>(sql, { after, limit }).map(({ id }) => id);
}
