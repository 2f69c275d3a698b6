import { stat } from "node:fs/promises";
import { Client } from "pg";
import { createSystemClock } from "../../src/core/clock.ts";
import { openStoreAt, type StoreLocation } from "../../src/store/index.ts";
import { percentiles, perSecond, runClosedLoop } from "../closed-loop.ts";
import { createSender } from "../load.ts";
import type { StoreKind } from "../options.ts";
import { openDatabases, type Databases } from "../processes/databases.ts";
import { listQueries, type ListQuery } from "../scale/list-queries.ts";
import { loadJobs } from "../scale/load-jobs.ts";
import { createShiftMember, type ShiftMember } from "../scale/shift-member.ts";
import { importWorkflow, newPlace, startNode, startRequest, type Place } from "../targets/linewright.ts";
import { engineChain, inventoryChain } from "../workflows.ts";
import type { ServerProcess } from "../../test/support/server-process.ts";
import type { BenchContext } from "./benchmark.ts";

const samplesPerQuery = 100;
const longestQueriesMs = 3_000;

/** What many stored jobs cost: size, lists and searches, and the rate of new jobs beside an empty store. */
export async function measureScale(context: BenchContext): Promise<void> {
  const databases = openDatabases();
  try {
    for (const kind of context.options.stores) {
      await withPlace(kind, databases, (place) => measureRates(context, kind, place, 0));
      await withPlace(kind, databases, (place) => measureFull(context, kind, place));
    }
  } finally {
    await databases.stop();
  }
}

async function withPlace(kind: StoreKind, databases: Databases, work: (place: Place) => Promise<void>): Promise<void> {
  const place = await newPlace(kind, databases);
  try {
    await work(place);
  } finally {
    await place.remove();
  }
}

async function measureFull(context: BenchContext, kind: StoreKind, place: Place): Promise<void> {
  const { options, report } = context;
  const now = createSystemClock().now();
  const member = await prepareMember(place);
  const startedAt = performance.now();
  const store = await openStoreAt(place.location);
  await loadJobs(store, { count: options.jobs, now, group: member.groupId, accountId: member.administratorId });
  await store.close();
  const seconds = (performance.now() - startedAt) / 1000;
  const bytes = await sizeOf(place.location);
  await report.figure("scale-load", {
    store: kind,
    jobs: options.jobs,
    seconds: Number(seconds.toFixed(1)),
    jobsPerSecond: perSecond(options.jobs, seconds),
    databaseMb: Math.round(bytes / 1_000_000),
    bytesPerJob: Math.round(bytes / options.jobs),
  });
  const server = await startNode(place);
  try {
    await report.figure("scale-start", {
      store: kind,
      jobs: options.jobs,
      coldStartMs: server.coldStartMs,
      residentMb: await server.residentMb(),
    });
    const memberToken = await member.signIn(server);
    await startFew(server, memberToken);
    for (const query of listQueries(options.jobs, now)) {
      const token = query.isOfMember ? memberToken : server.token;
      const times = await timesOf(server, query, token);
      await report.figure("scale-lists", {
        store: kind,
        jobs: options.jobs,
        query: query.name,
        ...percentiles(times),
        samples: times.length,
      });
    }
  } finally {
    await server.kill();
  }
  await measureRates(context, kind, place, options.jobs);
}

async function prepareMember(place: Place): Promise<ShiftMember> {
  const server = await startNode(place);
  try {
    return await createShiftMember(server);
  } finally {
    await server.kill();
  }
}

/** The rate of new jobs on a place that holds so many. */
async function measureRates({ options, report }: BenchContext, kind: StoreKind, place: Place, jobs: number) {
  const server = await startNode(place);
  const clients = Math.max(...options.clients);
  const sender = createSender(clients);
  try {
    for (const workflow of [engineChain(), inventoryChain(10)]) {
      await importWorkflow(server, workflow);
      const request = startRequest(server, workflow.name, { device: "r1" });
      const load = await runClosedLoop(clients, options.seconds * 1000, () => sender.post(request));
      const empty = report
        .figuresOf("scale-rate")
        .find((figures) => figures["store"] === kind && figures["workflow"] === workflow.name);
      const ofEmpty = empty && Number((load.perSecond / Number(empty["perSecond"])).toFixed(2));
      await report.figure("scale-rate", { store: kind, jobs, workflow: workflow.name, ...load, ofEmpty });
    }
  } finally {
    await sender.close();
    await server.stop();
  }
}

/** Three jobs of the member, who has started none yet. */
async function startFew(server: ServerProcess, token: string): Promise<void> {
  const workflow = { ...engineChain(), name: "bench of a member" };
  await importWorkflow(server, workflow);
  const sender = createSender(1);
  const request = startRequest({ ...server, token }, workflow.name, { device: "r1" });
  for (let started = 0; started < 3; started++) await sender.post(request);
  await sender.close();
}

async function timesOf(server: ServerProcess, { path, body }: ListQuery, token: string): Promise<number[]> {
  const times: number[] = [];
  const sender = createSender(1);
  const json = body ? { "content-type": "application/json" } : {};
  const headers = { authorization: `Bearer ${token}`, ...json };
  const request = { url: server.url + path, headers, body: body ? JSON.stringify(body) : "" };
  const method = body ? "POST" : "GET";
  await sender.send(request, method);
  const until = performance.now() + longestQueriesMs;
  while (times.length < samplesPerQuery && performance.now() < until) {
    const startedAt = performance.now();
    // Received, not parsed: what a client does with an answer is its own time.
    await sender.dump(request, method);
    times.push(performance.now() - startedAt);
  }
  await sender.close();
  return times;
}

/** Bytes of a store on disk. */
async function sizeOf(location: StoreLocation): Promise<number> {
  if (location.kind === "sqlite") {
    const files = [location.file, `${location.file}-wal`];
    const sizes = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }
  const client = new Client(location.url);
  await client.connect();
  const { rows } = await client.query<{ size: string }>("SELECT pg_database_size(current_database()) AS size");
  await client.end();
  return Number(rows[0]?.size ?? 0);
}
