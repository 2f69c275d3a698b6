import { openStoreAt } from "../../src/store/index.ts";
import type { ServerProcess } from "../../test/support/server-process.ts";
import { noCalls, startBenchEngine } from "../bench-engine.ts";
import { perSecond, runClosedLoop } from "../closed-loop.ts";
import { createSender } from "../load.ts";
import type { StoreKind } from "../options.ts";
import { openDatabases, type Databases } from "../processes/databases.ts";
import { importWorkflow, newPlace, startNode, startRequest, type Place } from "../targets/linewright.ts";
import { delayed, engineChain, manual } from "../workflows.ts";
import type { BenchContext } from "./benchmark.ts";

const startsAtOnce = 256;

/** Jobs that wait for days, half for a time and half for a person: what they cost a node, and its start. */
export async function measureWaiting(context: BenchContext): Promise<void> {
  const databases = openDatabases();
  try {
    for (const kind of context.options.stores) await measureStore(context, kind, databases);
  } finally {
    await databases.stop();
  }
}

interface Idle {
  coldStartMs: number;
  residentMb: number;
}

async function measureStore({ options, report }: BenchContext, kind: StoreKind, databases: Databases): Promise<void> {
  const place = await newPlace(kind, databases);
  try {
    // The first start makes the schema and the roles; those that are compared find them.
    await idle(place);
    const empty = await idle(place);
    const startSeconds = await startWaiting(place, options.waiting);
    const full = await idle(place, async (server) => {
      await checkWaiting(server, options.waiting);
      return rateBeside(server, options.seconds);
    });
    const bytesPerJob = ((full.residentMb - empty.residentMb) * 1_048_576) / options.waiting;
    await report.figure("waiting", {
      store: kind,
      waiting: options.waiting,
      startsPerSecond: perSecond(options.waiting, startSeconds),
      emptyStartMs: empty.coldStartMs,
      startMs: full.coldStartMs,
      emptyResidentMb: empty.residentMb,
      residentMb: full.residentMb,
      residentBytesPerJob: Math.max(0, Math.round(bytesPerJob)),
      workflowsPerSecondBeside: full.extra,
    });
  } finally {
    await place.remove();
  }
}

/** Starts a node, lets it come to rest, and ends it. */
async function idle<T>(
  place: Place,
  further?: (server: ServerProcess) => Promise<T>,
): Promise<Idle & { extra: T | undefined }> {
  const server = await startNode(place);
  try {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const residentMb = await server.residentMb();
    return { coldStartMs: server.coldStartMs, residentMb, extra: await further?.(server) };
  } finally {
    await server.kill();
  }
}

/** Starts waiting jobs with an engine of its own; returns the seconds it took. */
async function startWaiting(place: Place, count: number): Promise<number> {
  const store = await openStoreAt(place.location);
  const bench = await startBenchEngine(store, noCalls);
  const workflows = [delayed(), manual()];
  for (const workflow of workflows) await bench.keep(workflow);
  const startedAt = performance.now();
  let next = 0;
  const startSome = async (): Promise<void> => {
    while (next < count) {
      const workflow = workflows[next++ % workflows.length];
      if (workflow) await bench.start(workflow.name, { device: `r${next}` });
    }
  };
  await Promise.all(Array.from({ length: startsAtOnce }, startSome));
  const seconds = (performance.now() - startedAt) / 1000;
  await bench.stop();
  await store.close();
  return seconds;
}

async function checkWaiting(server: ServerProcess, count: number): Promise<void> {
  const { metadata } = (await server.request("GET", "/operations-manager/tasks?limit=1")) as {
    metadata: { total: number };
  };
  if (metadata.total !== count) throw new Error(`${metadata.total} of ${count} jobs wait`);
}

/** Workflows per second that the node still runs. */
async function rateBeside(server: ServerProcess, seconds: number): Promise<number> {
  await importWorkflow(server, engineChain());
  const sender = createSender(64);
  const request = startRequest(server, engineChain().name, { device: "r1" });
  const load = await runClosedLoop(64, seconds * 1000, () => sender.post(request));
  await sender.close();
  return load.perSecond;
}
