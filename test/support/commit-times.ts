import { Client } from "pg";

/** When an event of a job was committed, milliseconds since the epoch. */
export type CommitTimes = (jobId: string, seq: number) => number | undefined;

/** The setting of a server that keeps the times of commits. */
export const keepsCommitTimes = { track_commit_timestamp: "on" };

/**
 * When all events were committed, by the one clock of the server. An event itself bears the time at which its node
 * judged it: on a busy machine its commit, and all that follows from it for others, may come half a second later.
 */
export async function readCommitTimes(url: string): Promise<CommitTimes> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ event: string; at: number }>(
      `SELECT job_id || ' ' || seq AS event, (extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::float8 AS at FROM job_events`,
    );
    const times = new Map(rows.map(({ event, at }) => [event, at]));
    return (jobId, seq) => times.get(`${jobId} ${seq}`);
  } finally {
    await client.end();
  }
}
