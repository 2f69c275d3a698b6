import type { JobEventRow, JobLog, LogPage } from "../store.ts";
import { GatheredReads } from "./gathered-reads.ts";
import type { ReaderPool } from "./reader-pool.ts";

interface LogKey {
  jobId: string;
  afterSeq: number;
}

interface LogRow {
  job_id: string;
  after_seq: number;
  seq: number;
  /** NULL for a snapshot, whose state is in `text`. */
  at: number | null;
  text: string;
}

// One statement, so that snapshots and events are of the same moment.
const logsSql = `
  WITH k AS MATERIALIZED (
    SELECT a.job_id, a.after_seq, s.seq AS snapshot_seq
    FROM unnest($1::text[], $2::integer[]) AS a (job_id, after_seq)
    LEFT JOIN job_snapshots AS s ON s.job_id = a.job_id COLLATE "C" AND s.seq > a.after_seq
  )
  SELECT k.job_id, k.after_seq, s.seq, NULL::bigint AS at, s.state AS text
  FROM k JOIN job_snapshots AS s ON s.job_id = k.job_id COLLATE "C" AND k.snapshot_seq IS NOT NULL
  UNION ALL
  SELECT k.job_id, k.after_seq, e.seq, e.at, e.delta
  FROM k CROSS JOIN LATERAL (
    SELECT seq, at, delta FROM job_events
    WHERE job_id = k.job_id COLLATE "C" AND seq > coalesce(k.snapshot_seq, k.after_seq) ORDER BY seq
  ) AS e`;

/** Reads logs of jobs; many that are asked for at once in one statement. */
export class LogReader {
  readonly #pool: ReaderPool;
  readonly #logs: GatheredReads<LogKey, JobLog>;

  constructor(pool: ReaderPool) {
    this.#pool = pool;
    this.#logs = new GatheredReads((keys) => this.#readMany(keys));
  }

  async read(jobId: string, afterSeq: number): Promise<JobLog> {
    if (jobId.includes("\0")) return { snapshot: undefined, events: [] };
    const log = await this.#logs.ask(`${afterSeq} ${jobId}`, { jobId, afterSeq });
    return log ?? { snapshot: undefined, events: [] };
  }

  async whole(jobId: string, { after = 0, limit }: LogPage): Promise<JobEventRow[]> {
    if (jobId.includes("\0")) return [];
    const sql = "SELECT seq, at, delta FROM job_events WHERE job_id = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    return this.#pool.all<JobEventRow>(sql, [jobId, after, limit ?? null]);
  }

  /** Every log begins with event 1. */
  async jobIds(after: string, limit: number): Promise<string[]> {
    const sql = "SELECT job_id AS id FROM job_events WHERE job_id > $1 AND seq = 1 ORDER BY job_id LIMIT $2";
    const rows = await this.#pool.all<{ id: string }>(sql, [after, limit]);
    return rows.map(({ id }) => id);
  }

  async #readMany(keys: readonly LogKey[]): Promise<ReadonlyMap<string, JobLog>> {
    const values = [keys.map(({ jobId }) => jobId), keys.map(({ afterSeq }) => afterSeq)];
    const rows = await this.#pool.all<LogRow>(logsSql, values, "logs");
    const logs = new Map<string, JobLog>();
    for (const { job_id, after_seq, seq, at, text } of rows) {
      const key = `${after_seq} ${job_id}`;
      const log = logs.get(key) ?? { snapshot: undefined, events: [] };
      if (at === null) log.snapshot = { seq, state: text };
      else log.events.push({ seq, at, delta: text });
      logs.set(key, log);
    }
    for (const { events } of logs.values()) events.sort((left, right) => left.seq - right.seq);
    return logs;
  }
}
