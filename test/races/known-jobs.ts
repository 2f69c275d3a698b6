import type { Random } from "../fuzz/random.ts";

/** A task as job documents show it. */
export interface SeenTask {
  status: string;
  type?: string;
  iterations?: readonly string[];
}

/** A job document, as far as clients look at it. */
export interface SeenJob {
  _id: string;
  name: string;
  status: string;
  groups?: readonly string[];
  tasks: Readonly<Record<string, SeenTask>>;
}

/** What all clients together know of the jobs: a little out of date, and never forgotten. */
export interface KnownJobs {
  see(job: SeenJob): void;
  forget(jobId: string): void;
  /** A job that had not ended when it was last seen, the oldest ones most, and mostly one that fits; now and then any other, deleted ones among them. */
  pick(random: Random, fits: (job: SeenJob) => boolean): SeenJob | undefined;
  /** How many had not ended when they were last seen. */
  open(): number;
  all(): Iterable<SeenJob>;
  /** An iteration of a manual task that was seen once, of whatever job. */
  staleIteration(random: Random): string | undefined;
}

const hotJobs = 6;
const mostIterations = 400;

/** Clients that have seen nothing yet. */
export function createKnownJobs(): KnownJobs {
  const jobs = new Map<string, SeenJob>();
  const open = new Set<string>();
  const iterations: string[] = [];
  const note = (iteration: string | undefined): void => {
    if (iteration === undefined || iterations.includes(iteration)) return;
    iterations.push(iteration);
    if (iterations.length > mostIterations) iterations.shift();
  };
  const pickOpen = (random: Random, fits: (job: SeenJob) => boolean): SeenJob | undefined => {
    const seen = [...open].flatMap((jobId) => jobs.get(jobId) ?? []);
    const fit = seen.filter(fits);
    const among = fit.length > 0 && random.chance(0.7) ? fit : seen;
    return among.length > 0 ? random.pick(random.chance(0.5) ? among.slice(0, hotJobs) : among) : undefined;
  };
  return {
    see(job) {
      jobs.set(job._id, job);
      if (isEnded(job)) open.delete(job._id);
      else open.add(job._id);
      for (const { type, iterations: seen } of Object.values(job.tasks)) if (type === "manual") note(seen?.at(-1));
    },
    forget: (jobId) => void open.delete(jobId),
    pick: (random, fits) => (random.chance(0.93) ? pickOpen(random, fits) : undefined) ?? pickAny(random, jobs),
    open: () => open.size,
    all: () => jobs.values(),
    staleIteration: (random) => (iterations.length > 0 ? random.pick(iterations) : undefined),
  };
}

/** Is the job complete or canceled? */
export function isEnded({ status }: Pick<SeenJob, "status">): boolean {
  return status === "complete" || status === "canceled";
}

function pickAny(random: Random, jobs: ReadonlyMap<string, SeenJob>): SeenJob | undefined {
  return jobs.size > 0 ? random.pick([...jobs.values()]) : undefined;
}
