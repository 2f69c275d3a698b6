import type { ServerProcess } from "../../test/support/server-process.ts";
import { percentiles } from "../closed-loop.ts";
import { importWorkflow } from "../targets/linewright.ts";
import { inventoryChain } from "../workflows.ts";
import type { BenchContext } from "./benchmark.ts";

const jobs = 100;
const workflow = inventoryChain(150);
const longestMs = 60_000;
const lookAgainMs = 20;

/** Kills a node while it works on a hundred jobs, and looks from the other how long each of them stands still. */
export async function measureTakeOver({ report }: BenchContext, doomed: ServerProcess, other: ServerProcess) {
  await importWorkflow(doomed, workflow);
  const start = { workflow: workflow.name, options: { description: "take-over" } };
  await Promise.all(
    Array.from({ length: jobs }, () => doomed.request("POST", "/operations-manager/jobs/start", start)),
  );
  await doomed.kill();
  const killedAt = performance.now();
  const since = (): number => performance.now() - killedAt;

  const before = await openTasks(other);
  const stoodStillMs = new Map<string, number>();
  while (stoodStillMs.size < before.size && since() < longestMs) {
    const now = await openTasks(other);
    for (const [job, task] of before) {
      if (now.get(job) !== task && !stoodStillMs.has(job)) stoodStillMs.set(job, since());
    }
    await pause(lookAgainMs);
  }
  while ((await completeJobs(other)) < jobs && since() < longestMs) await pause(lookAgainMs);
  const times = [...stoodStillMs.values()];
  await report.figure("take-over", {
    jobs,
    unfinishedAtKill: before.size,
    ...percentiles(times),
    longestMs: Math.round(Math.max(0, ...times)),
    allCompleteMs: Math.round(since()),
    lost: jobs - (await completeJobs(other)),
  });
}

/** Job → its open task. */
async function openTasks(node: ServerProcess): Promise<Map<string, string>> {
  const { data } = (await node.request("GET", "/operations-manager/tasks?limit=1000&sort=_id")) as {
    data: { _id: string; job: { _id: string } }[];
  };
  return new Map(data.map((task) => [task.job._id, task._id]));
}

async function completeJobs(node: ServerProcess): Promise<number> {
  const name = encodeURIComponent(workflow.name);
  const path = `/operations-manager/jobs?equals[name]=${name}&equals[status]=complete&limit=1`;
  return ((await node.request("GET", path)) as { metadata: { total: number } }).metadata.total;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
