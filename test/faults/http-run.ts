import type { ServerProcess } from "../support/server-process.ts";
import { decide, type Decision, type OpenTask } from "./person.ts";
import { earlyTopic, eventSource, keptForSeconds, publishOnce } from "./publisher.ts";
import type { RunRecord } from "./run-record.ts";
import { variablesOf, type Shape } from "./shape.ts";
import { faultWorkflows, shapeOfJob, transformation } from "./shapes.ts";

/** An answer that is an error. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The API of a server, as the laboratory needs it. Errors of the connection are TypeErrors, as `fetch` throws them. */
export interface HttpClient {
  send<Answer>(method: string, path: string, body?: unknown, mostMs?: number): Promise<Answer>;
}

const longestAnswerMs = 20_000;

/** Settings of a server that is to be disturbed: what it says of faults that are made is no news. */
export const quiet = { LINEWRIGHT_LOG_LEVEL: "error" };

/** A client of a server process. */
export function httpClient({ url, token }: Pick<ServerProcess, "url" | "token">): HttpClient {
  return {
    async send<Answer>(method: string, path: string, body?: unknown, mostMs = longestAnswerMs): Promise<Answer> {
      const reply = await fetch(new URL(path, url), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        signal: AbortSignal.timeout(mostMs),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new RefusedError(reply.status, `${method} ${path} ${reply.status}: ${text.slice(0, 500)}`);
      return (text === "" ? undefined : JSON.parse(text)) as Answer;
    },
  };
}

/** Brings the workflows of the laboratory to a server. `now`: its time, milliseconds since the epoch. */
export async function importShapes(client: HttpClient, now = Date.now()): Promise<void> {
  await client.send("POST", "/transformations/import", { transformation });
  for (const workflow of faultWorkflows(now)) {
    await client.send("POST", "/workflow_builder/import", { workflow, options: {} });
  }
}

/** Asks for one job more, of the shape whose turn it is, and takes down the answer, if there is one; otherwise rejects. */
export function startNextJob(client: HttpClient, record: RunRecord): Promise<void> {
  return startShape(client, record, shapeOfJob(record.asked.size));
}

/** The same with a shape of one's choice. */
export async function startShape(client: HttpClient, record: RunRecord, shape: Shape): Promise<void> {
  const { workflow } = shape;
  const description = record.ask(workflow.name);
  const early = earlyTopic(shape, description);
  if (early !== undefined) await publish(client, record, early);
  const body = { workflow: workflow.name, options: { description, variables: variablesOf(shape, description) } };
  const { data } = await client.send<{ data: { _id: string } }>("POST", "/operations-manager/jobs/start", body);
  record.acknowledged.set(description, data._id);
}

/** Publishes the events of a topic, unless that was answered before. */
async function publish(client: HttpClient, record: RunRecord, topic: string): Promise<void> {
  const path = `/operations-manager/events/${eventSource}/${encodeURIComponent(topic)}?keepFor=${keptForSeconds}`;
  await publishOnce(topic, record.published, ({ payload }) => client.send("POST", path, { payload }));
}

const openTasks = ["equals[type]=manual", "equals[name]=eventListenerJob"];

/** Works every open manual task, and publishes what tasks wait for. */
export async function workManualTasks(client: HttpClient, record: RunRecord): Promise<void> {
  for (const query of openTasks) {
    const path = `/operations-manager/tasks?${query}&limit=100`;
    const { data } = await client.send<{ data: OpenTask[] }>("GET", path);
    for (const task of data) for (const decision of decide(task)) await carryOut(client, record, { task, decision });
  }
}

async function carryOut(
  client: HttpClient,
  record: RunRecord,
  { task, decision }: { task: OpenTask; decision: Decision },
): Promise<void> {
  if ("publish" in decision) return publish(client, record, decision.publish);
  try {
    if ("cancel" in decision) {
      await client.send("POST", "/operations-manager/jobs/cancel", { jobIds: [decision.cancel] });
      return;
    }
    await client.send("POST", `/operations-manager/jobs/${task.job._id}/tasks/${task._id}/finish`, {
      taskData: { finish_state: decision.finish, variables: {} },
    });
    record.finished.push(task._id);
  } catch (error) {
    // The row is older than what became of the task: done already, or its job was canceled.
    if (!(error instanceof RefusedError && [404, 409].includes(error.status))) throw error;
  }
}

/** How many jobs have not ended. */
export async function openJobs(client: HttpClient): Promise<number> {
  const path = "/operations-manager/jobs?not-in[status]=complete,canceled&limit=1";
  return (await client.send<{ metadata: { total: number } }>("GET", path)).metadata.total;
}

/** Works manual tasks until every job has ended, or the time is over. */
export async function settle(client: HttpClient, record: RunRecord, withinMs: number): Promise<void> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    await workManualTasks(client, record);
    if ((await openJobs(client)) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The open calls: what the engine goes on with by itself, and soon. */
export async function openWork(client: HttpClient): Promise<string[]> {
  const path = "/operations-manager/tasks?equals[app]=MOP&limit=1000&include=_id";
  const { data } = await client.send<{ data: { _id: string }[] }>("GET", path);
  return data.map(({ _id }) => _id);
}
