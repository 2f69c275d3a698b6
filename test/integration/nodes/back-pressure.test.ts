import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createGate, type Gate } from "../../conformance/work-queue/queue-harness.ts";
import { signIn, startTestPlatform, adminPassword, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const mostRequests = 2_000;
const perConnection = 50;
const beyond = 600;
const mostGrowthMb = 300;

const workflow = workflowOf(
  "short",
  { ab: { name: "arrayLength", incoming: { arr: [1] }, outgoing: { length: "$var.job.count" } } },
  ["start > ab", "ab > end"],
);

/** A connection that has sent many requests at once, and counts the answers. */
interface Pipeline {
  socket: Socket;
  statuses(): string[];
}

let server: TestPlatform;
let gate: Gate | undefined;
let heldCommits: number;
let token: string;

beforeEach(async () => {
  heldCommits = 0;
  gate = undefined;
  server = await startTestPlatform({
    storeFaults: ({ phase, writes }) => {
      if (phase !== "before" || !gate) return undefined;
      if (writes.some(({ kind }) => kind === "appendEvent")) heldCommits += 1;
      return gate.passed;
    },
  });
  await server.importWorkflow(workflow);
  token = await signIn(server.platform.url, "admin", adminPassword);
});
afterEach(() => server.stop());

const path = "/workflow_engine/startJobWithOptions/short";

async function pipeline(requests: number): Promise<Pipeline> {
  const { hostname, port } = new URL(server.platform.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const answers: string[] = [];
  socket.on("data", (bytes: Buffer) => {
    for (const [, status] of bytes.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3})/gu)) answers.push(status ?? "");
  });
  const request = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  socket.write(request.repeat(requests));
  return { socket, statuses: () => answers };
}

/** Turns of the event loop until the check holds. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((resolve) => setImmediate(resolve));
}

it("a flood while the store stands still: 2,000 requests wait, every other is refused at once, all that waited are done", async () => {
  const before = process.memoryUsage().heapUsed;
  gate = createGate();
  const pipelines = await Promise.all(
    Array.from({ length: mostRequests / perConnection }, () => pipeline(perConnection)),
  );
  await until(() => heldCommits === mostRequests);

  const refused = await Promise.all(Array.from({ length: beyond }, () => server.request("POST", path, {})));
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
  expect(new Set(refused.map(({ headers }) => headers.get("retry-after")))).toEqual(new Set(["1"]));
  expect((await server.request("GET", "/health/status", undefined, null)).status).toBe(200);
  expect(heldCommits).toBe(mostRequests);
  expect(pipelines.flatMap(({ statuses }) => statuses())).toEqual([]);
  expect((process.memoryUsage().heapUsed - before) / 1_000_000).toBeLessThan(mostGrowthMb);

  gate.open();
  await until(() => pipelines.every(({ statuses }) => statuses().length === perConnection));
  expect(new Set(pipelines.flatMap(({ statuses }) => statuses()))).toEqual(new Set(["200"]));
  expect(await server.platform.store.count("jobs", { status: "complete" })).toBe(mostRequests);
  expect((await server.request("POST", path, {})).status).toBe(200);
  pipelines.forEach(({ socket }) => socket.destroy());
});
