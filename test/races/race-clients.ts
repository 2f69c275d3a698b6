import { createRandom, type Random } from "../fuzz/random.ts";
import type { TestReply } from "../support/platform.ts";
import { shownJob } from "./judge-reply.ts";
import type { KnownJobs, SeenJob } from "./known-jobs.ts";
import type { RaceClient, RaceNodes } from "./race-nodes.ts";
import { randomOperation, startRequest, type RaceRequest } from "./race-operations.ts";
import type { RaceRecord } from "./race-record.ts";

/** What the clients of a race share. */
export interface Race {
  nodes: RaceNodes;
  known: KnownJobs;
  record: RaceRecord;
  seed: number;
  /** Requests of all clients together. */
  operations: number;
  nextNumber(): number;
  /** Told of how many requests were sent. */
  progress(requests: number): void;
}

/** So many jobs are kept under way for each client. */
const jobsPerClient = 5;
const doubled = 0.12;
const volleys = 0.08;
const requestsInVolley = 5;
const looks = 0.5;

/** All clients send at once, each one request after the other, until all were sent. Doubled requests, and volleys at one job, go out together. */
export async function raceAll(race: Race): Promise<void> {
  await Promise.all(race.nodes.clients.map((client, index) => raceOn(race, client, createRandom(race.seed, index))));
}

async function raceOn(race: Race, client: RaceClient, random: Random): Promise<void> {
  const { record, operations, progress } = race;
  while (record.requests < operations) {
    const requests = await nextRequests(race, client, random);
    await Promise.all(requests.map((request) => sendAndNote(race, client, request)));
    progress(record.requests);
  }
}

async function nextRequests(race: Race, client: RaceClient, random: Random): Promise<RaceRequest[]> {
  const { nodes, known, nextNumber } = race;
  const { clients, groupIds } = nodes;
  const choice = { random, client, clients, groupIds, known, nextNumber };
  const isRoom = known.open() < clients.length * jobsPerClient;
  const operation = randomOperation(random);
  const picked = isRoom && random.chance(0.3) ? undefined : known.pick(random, operation.fits);
  if (!picked) return [startRequest(choice)];
  const job = random.chance(looks) ? await look(race, client, picked) : picked;
  const request = operation.make({ ...choice, job });
  if (random.chance(doubled)) return [request, request];
  if (!random.chance(volleys)) return [request];
  const others = Array.from({ length: requestsInVolley - 1 }, () => randomOperation(random).make({ ...choice, job }));
  return [request, ...others];
}

/** The job as it is now; as it was, where it is gone or not for this client. */
async function look({ known, record }: Race, client: RaceClient, job: SeenJob): Promise<SeenJob> {
  const reply = await send(client, { method: "GET", path: `/operations-manager/jobs/${job._id}` });
  const found = shownJob(reply.body);
  if (reply.status === 404 && client.isAdmin) known.forget(job._id);
  else if (reply.status !== 200 && reply.status !== 404) record.complain(`GET ${job._id}: ${reply.status}`);
  if (!found) return job;
  known.see(found as SeenJob);
  return found as SeenJob;
}

/** Sends, and takes down and judges the reply. */
export async function sendAndNote({ known, record }: Race, client: RaceClient, request: RaceRequest): Promise<void> {
  try {
    const reply = await send(client, request);
    record.note(request, client, reply);
    const job = reply.status < 300 && !request.isDryRun ? shownJob(reply.body) : undefined;
    if (job) known.see(job as SeenJob);
    if (reply.status < 300 && request.operation === "delete" && request.jobId !== undefined)
      known.forget(request.jobId);
  } catch (error) {
    record.requests += 1;
    record.complain(`${request.method} ${request.path}: no answer, ${String(error)}`);
  }
}

/** A request to the client's node. */
export function send(
  { node, token }: RaceClient,
  { method, path, body }: Pick<RaceRequest, "method" | "path" | "body">,
): Promise<TestReply> {
  return node.request(method, path, body, token);
}
