import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startAnnounced } from "../processes/announced-process.ts";
import { openDatabases, type Databases } from "../processes/databases.ts";
import { peakResidentMb } from "../processes/process-tree.ts";
import { largeAnswer, longLoop, longWorkflow, manyChildren, smallChild } from "../large/large-workflows.ts";
import type { StoreKind } from "../options.ts";
import { createSender } from "../load.ts";
import { importWorkflow, newPlace, startNode } from "../targets/linewright.ts";
import type { ServerProcess } from "../../test/support/server-process.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import type { BenchContext } from "./benchmark.ts";

/** One thing that is large, on a server of its own. */
interface LargeCase {
  name: string;
  workflows: readonly WorkflowDocument[];
  variables: Record<string, unknown>;
  /** How much of it there is: tasks, elements, children. */
  size: number;
}

const tasksOfWorkflow = 2_000;
const answersMb: readonly number[] = [5, 16, 300];
const longestRunMs = 900_000;

/** Workflows, loops and values that are large: time, and the most memory that the server had at any time. */
export async function measureLarge(context: BenchContext): Promise<void> {
  const databases = openDatabases();
  try {
    for (const kind of context.options.stores) {
      for (const large of largeCases(context.options.elements)) {
        await reported(context, `${kind}, ${large.name}`, () => measureCase(context, kind, large, databases));
      }
      for (const mb of answersMb) {
        await reported(context, `${kind}, answer of ${mb} MB`, () => measureAnswer(context, kind, mb, databases));
      }
    }
  } finally {
    await databases.stop();
  }
}

async function reported({ report }: BenchContext, what: string, measure: () => Promise<void>): Promise<void> {
  try {
    await measure();
  } catch (error) {
    await report.failure("large", what, error);
  }
}

function largeCases(elements: number): LargeCase[] {
  const items = Array.from({ length: elements }, (_, n) => `device-${n}`);
  const device = { device: "r1" };
  return [
    { name: "long workflow", workflows: [longWorkflow(tasksOfWorkflow)], variables: device, size: tasksOfWorkflow },
    { name: "long loop", workflows: [longLoop()], variables: { items }, size: elements },
    { name: "many children", workflows: [manyChildren(), smallChild()], variables: { items }, size: elements },
  ];
}

async function measureCase({ report }: BenchContext, kind: StoreKind, large: LargeCase, databases: Databases) {
  const place = await newPlace(kind, databases);
  try {
    const server = await startNode(place);
    try {
      const importMs = await timeOf(async () => {
        for (const workflow of large.workflows) await importWorkflow(server, workflow);
      });
      const startedAt = performance.now();
      const job = await runToEnd(server, large);
      const seconds = (performance.now() - startedAt) / 1000;
      const ranResidentMb = await peakResidentMb(server.pid);
      const getMs = await timeOf(() => server.request("GET", `/operations-manager/jobs/${job._id}`));
      await report.figure("large", {
        store: kind,
        what: large.name,
        size: large.size,
        status: job.status,
        importMs,
        seconds: Number(seconds.toFixed(1)),
        getMs,
        ranResidentMb,
        cpuSeconds: Math.round((await server.cpuMs()) / 1000),
        peakResidentMb: await peakResidentMb(server.pid),
      });
    } finally {
      await server.kill();
    }
  } finally {
    await place.remove();
  }
}

interface Started {
  _id: string;
  status: string;
}

async function runToEnd(server: ServerProcess, { workflows, variables }: LargeCase): Promise<Started> {
  const start = { workflow: workflows[0]?.name, options: { variables } };
  const { data } = (await server.request("POST", "/operations-manager/jobs/start", start)) as { data: Started };
  const until = performance.now() + longestRunMs;
  for (let { status } = data; performance.now() < until;) {
    if (status !== "running") return { _id: data._id, status };
    await new Promise((resolve) => setTimeout(resolve, 250));
    status = await statusOf(server, data._id);
  }
  throw new Error(`the job is not at rest after ${longestRunMs / 1000} s: ${await progressOf(server, data._id)}`);
}

/** From the list: what a person who waits looks at, however large the job is. */
async function statusOf(server: ServerProcess, jobId: string): Promise<string> {
  const path = `/operations-manager/jobs?equals[_id]=${jobId}&include=status`;
  const { data } = (await server.request("GET", path)) as { data: { status: string }[] };
  return data[0]?.status ?? "not found";
}

async function progressOf(server: ServerProcess, jobId: string): Promise<string> {
  const path = `/operations-manager/jobs?equals[parent.job]=${jobId}&limit=1`;
  const { metadata } = (await server.request("GET", path)) as { metadata: { total: number } };
  return `${metadata.total} child jobs`;
}

interface Answered extends Started {
  errors: object[];
  /** Characters of JSON that the task `take` was given. */
  length?: number;
  /** Of an answer that was kept in the store. */
  valueId?: string;
}

async function measureAnswer({ report }: BenchContext, kind: StoreKind, mb: number, databases: Databases) {
  const folder = await mkdtemp(join(tmpdir(), "linewright-large-"));
  const database = kind === "postgres" ? await (await databases.postgres()).createDatabase() : undefined;
  const file = fileURLToPath(new URL("../large/large-server.ts", import.meta.url));
  const server = await startAnnounced(["--import", "tsx", file], {
    PEER_DATA_DIR: folder,
    ...(database ? { PEER_DATABASE_URL: database.url } : {}),
  });
  const sender = createSender(1, longestRunMs);
  try {
    const startMb = await peakResidentMb(server.pid);
    const startedAt = performance.now();
    const start = { url: `${server.url}/jobs`, headers: {}, body: JSON.stringify({ mb }) };
    const job = (await sender.send(start)) as Answered;
    const seconds = (performance.now() - startedAt) / 1000;
    const ranMb = await peakResidentMb(server.pid);
    const get = (path: string) => sender.dump({ url: server.url + path, headers: {}, body: "" }, "GET");
    const getMs = await timeOf(() => get(`/jobs/${job._id}`));
    const { valueId } = job;
    const readMs = valueId === undefined ? undefined : await timeOf(() => get(`/large-data/${valueId}`));
    await report.figure("large", {
      store: kind,
      what: largeAnswer().name,
      size: mb,
      status: job.status,
      ...(job.errors.length > 0 ? { errors: JSON.stringify(job.errors).slice(0, 300) } : {}),
      seconds: Number(seconds.toFixed(1)),
      getMs,
      ...(readMs === undefined ? {} : { readMs }),
      characters: job.length,
      startResidentMb: startMb,
      ranResidentMb: ranMb,
      peakResidentMb: await peakResidentMb(server.pid),
    });
  } finally {
    await sender.close();
    await server.stop();
    await database?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Math.round(performance.now() - startedAt);
}
