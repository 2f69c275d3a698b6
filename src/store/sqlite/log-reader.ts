import type { JobEventRow, JobLog } from "../store.ts";
import type { StoreReader } from "./store-reader.ts";

const eventsSql =
  "SELECT seq, at, delta FROM job_events WHERE job_id = @jobId AND seq > @afterSeq ORDER BY seq LIMIT @limit";
const noLimit = -1;

/** The newest snapshot after `afterSeq`, if any, and the events after it. */
export function readLog(reader: StoreReader, jobId: string, afterSeq: number): JobLog {
  return reader.atOnce(() => {
    const snapshot = reader.get<{ seq: number; state: string }>(
      "SELECT seq, state FROM job_snapshots WHERE job_id = @jobId AND seq > @afterSeq",
      { jobId, afterSeq },
    );
    return { snapshot, events: readEvents(reader, jobId, snapshot?.seq ?? afterSeq) };
  });
}

export function readEvents(reader: StoreReader, jobId: string, afterSeq: number, limit = noLimit): JobEventRow[] {
  return reader.all<JobEventRow>(eventsSql, { jobId, afterSeq, limit });
}

/** Identifiers of jobs with a log: every log begins with event 1. */
export function readJobIds(reader: StoreReader, after: string, limit: number): string[] {
  const sql = "SELECT job_id AS id FROM job_events WHERE job_id > @after AND seq = 1 ORDER BY job_id LIMIT @limit";
  return reader.all<{ id: string }>(sql, { after, limit }).map(({ id }) => id);
}
