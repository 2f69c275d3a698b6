import type { Store, Write } from "../../src/store/index.ts";
import { storedJob } from "../workflows.ts";
import { jobCopier, type CopyJob } from "./job-copies.ts";
import { recordJob, type Ending } from "./recorded-job.ts";

/** Of a hundred jobs so many ended this way; those that run wait for a person. */
interface Share {
  ending: Ending;
  count: number;
  groups: readonly string[];
}

/** A tenth is of one group, a twentieth of another one that nobody is in. */
function shares(group: string): Share[] {
  return [
    { ending: "complete", count: 78, groups: [] },
    { ending: "complete", count: 9, groups: [group] },
    { ending: "complete", count: 5, groups: ["0123456789abcdef01234567"] },
    { ending: "error", count: 3, groups: [] },
    { ending: "error", count: 1, groups: [group] },
    { ending: "canceled", count: 3, groups: [] },
    { ending: "running", count: 1, groups: [] },
  ];
}

const doings = ["Upgrade", "Provision", "Audit", "Back up", "Decommission", "Turn up"];
const things = ["VLAN", "BGP peer", "firewall rule", "access switch", "DNS record"];
/** Thirty names of workflows. */
export const workflowNames = doings.flatMap((doing) => things.map((thing) => `${doing} ${thing}`));

const dayMs = 24 * 60 * 60 * 1000;
/** Over how long the starts of the jobs are spread. */
export const spanMs = 90 * dayMs;

const jobsPerCommit = 250;
const commitsAtOnce = 4;

/** Which jobs to store. */
export interface JobLoad {
  count: number;
  now: number;
  /** The group that a tenth of them is restricted to. */
  group: string;
  /** The account that started them all. */
  accountId: string;
}

/** Stores so many jobs as the engine would have left them, evenly over the 90 days before `now`. */
export async function loadJobs(store: Store, { count, now, group, accountId }: JobLoad): Promise<void> {
  const copiers = await prepareCopiers(store, shares(group), accountId);
  let next = 0;
  const loadGroups = async (): Promise<void> => {
    while (next < count) {
      const from = next;
      next = Math.min(count, next + jobsPerCommit);
      const writes: Write[] = [];
      for (let n = from; n < next; n++) writes.push(...copyOf(copiers, n, now - spanMs + (spanMs / count) * n));
      await store.commit(writes);
    }
  };
  await Promise.all(Array.from({ length: commitsAtOnce }, loadGroups));
}

/** A hundred copiers, one for each share of the endings. */
async function prepareCopiers(store: Store, kinds: readonly Share[], accountId: string): Promise<CopyJob[]> {
  const copiers: CopyJob[] = [];
  for (const { ending, groups, count } of kinds) {
    const recorded = await recordJob(ending, groups, accountId);
    await store.commit(recorded.snapshots);
    const copy = jobCopier(recorded, storedJob("manual").name);
    copiers.push(...Array.from({ length: count }, () => copy));
  }
  return copiers;
}

function copyOf(copiers: readonly CopyJob[], n: number, startedAt: number): Write[] {
  // Neighbours differ in name and ending.
  const copy = copiers[(n * 37) % copiers.length];
  if (!copy) throw new Error("there is nothing to copy");
  return copy({
    jobId: jobId(Math.floor(startedAt), n),
    name: workflowNames[(n * 7) % workflowNames.length] ?? "",
    startedAt: Math.floor(startedAt),
  });
}

/** As the engine makes them: seconds, then a number. */
export function jobId(startedAt: number, n: number): string {
  return (
    Math.floor(startedAt / 1000)
      .toString(16)
      .padStart(8, "0") + n.toString(16).padStart(16, "0")
  );
}
