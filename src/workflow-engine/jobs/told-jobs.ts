import type { JobState } from "../interpreter/job-state.ts";

/** States that are kept, to tell what is new in a log without reading all of it. */
const mostStates = 1_000;
/** Numbers take little: with them nothing is told twice, however many jobs there are. */
const mostSeqs = 20_000;

/** How far jobs were told of. Those told of longest ago are forgotten first. */
export class ToldJobs {
  readonly #states = new Map<string, JobState>();
  readonly #seqs = new Map<string, number>();

  /** The last event of the log that was told, or that need not be; undefined where that is not known. */
  seq(jobId: string): number | undefined {
    return this.#seqs.get(jobId);
  }

  /** The job after that event, as long as it is kept. */
  state(jobId: string): JobState | undefined {
    return this.#states.get(jobId);
  }

  add(state: JobState): void {
    const jobId = state.origin._id;
    putLast(this.#states, jobId, state, mostStates);
    putLast(this.#seqs, jobId, state.seq, mostSeqs);
  }

  clear(): void {
    this.#states.clear();
    this.#seqs.clear();
  }
}

function putLast<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
