import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { automationStudio, createProjectService, forgetComponent } from "../../../src/automation-studio/index.ts";
import { host, type HostedApplication } from "../../../src/core/application.ts";
import type { Authenticator } from "../../../src/core/authenticator.ts";
import type { Caller } from "../../../src/core/caller.ts";
import { createSystemClock } from "../../../src/core/clock.ts";
import { createIdentifiers } from "../../../src/core/identifiers.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { Method } from "../../../src/core/operation.ts";
import { TaskError } from "../../../src/core/task.ts";
import { createHttpServer } from "../../../src/http/server.ts";
import { createSqliteStore, type Store } from "../../../src/store/index.ts";
import {
  createJinjaRenderer,
  createTextFsmParser,
  createTemplateService,
  templateBuilder,
} from "../../../src/template-builder/index.ts";
import {
  createTransformationsService,
  transformationsApplication,
  type Transform,
  type TransformationsService,
} from "../../../src/transformations/index.ts";
import { createWorkerPool } from "../../../src/worker-pool/index.ts";
import { workflowBuilder } from "../../../src/workflow-builder/index.ts";
import { createTaskModelsOf } from "../../../src/workflow-engine/workflows/task-models.ts";
import type { FindTaskModel } from "../../../src/workflow-engine/workflows/workflow-environment.ts";
import {
  createWorkflowService,
  type WorkflowService,
} from "../../../src/workflow-engine/workflows/workflow-service.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";

/** A server with the four applications that keep documents, over a store of its own. */
export interface StudioServer {
  store: Store;
  clock: ManualClock;
  workflows: WorkflowService;
  transformations: TransformationsService;
  /** Sends a request as `username` (default the administrator) and answers status and parsed body. */
  send(method: Method, url: string, body?: unknown, username?: string): Promise<StudioReply>;
  close(): Promise<void>;
}

/** Whatever an operation answered: each test says what it expects of it. */
export interface AnyBody {
  [member: string]: AnyBody;
}

/** A list of a body. */
export function listOf<T = object>(value: AnyBody | undefined): T[] {
  if (!Array.isArray(value)) throw new Error("not a list");
  return value;
}

/** A text of a body. */
export function textOf(value: AnyBody | undefined): string {
  if (typeof value !== "string") throw new Error("not a text");
  return value;
}

export interface StudioReply {
  status: number;
  body: AnyBody;
}

/** `$id`s in, `$id`s out: every outgoing slot takes the first incoming value; a document without outgoing slots refuses. */
const firstValue: Transform = (document, incoming) => {
  const outgoing = document["outgoing"] as { $id: string }[] | undefined;
  if (!outgoing || outgoing.length === 0) throw new TaskError("nothing comes out");
  return Object.fromEntries(outgoing.map(({ $id }) => [$id, Object.values(incoming)[0]]));
};

export async function createStudioServer({
  findTask = () => "unknown app" as const,
  transform = firstValue,
}: { findTask?: FindTaskModel; transform?: Transform } = {}): Promise<StudioServer> {
  const folder = await mkdtemp(join(tmpdir(), "studio-"));
  const clock = createManualClock();
  const store = await createSqliteStore({ file: join(folder, "studio.db"), thread: "inline" });
  const context = { store, clock, identifiers: createIdentifiers(clock), findTask };
  const writesOnRemoval = (type: "workflow" | "template" | "transformation") => (document: { _id: string }) =>
    forgetComponent(store, type, document);
  const workflows = createWorkflowService({ ...context, writesOnRemoval: writesOnRemoval("workflow") });
  const templates = createTemplateService({ ...context, writesOnRemoval: writesOnRemoval("template") });
  const pool = createWorkerPool({ workers: 1, deadlineMs: 5_000, memoryMb: 128, clock: createSystemClock() });
  const transformations = createTransformationsService({
    ...context,
    transform,
    pool,
    writesOnRemoval: writesOnRemoval("transformation"),
  });
  const projects = createProjectService(context);
  const taskModels = createTaskModelsOf([], []);
  const applications: HostedApplication[] = [
    host(automationStudio, { workflows, templates, projects, taskModels }),
    host(workflowBuilder, { workflows, taskModels }),
    host(transformationsApplication, { transformations }),
    host(templateBuilder, {
      jinja: createJinjaRenderer({ templates, pool, random: () => 0.5 }),
      textFsm: createTextFsmParser({ templates, pool }),
    }),
  ];
  const server = await createHttpServer({
    applications,
    authenticator,
    logger: silentLogger,
    clock,
    options: { version: "0.0.0" },
  });
  return {
    store,
    clock,
    workflows,
    transformations,
    async send(method, url, body, username = "admin") {
      const headers = { "content-type": "application/json", authorization: `Bearer ${username}` };
      const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
      const reply = await server.inject({ method, url, headers, ...payload });
      return { status: reply.statusCode, body: (reply.body === "" ? {} : JSON.parse(reply.body)) as AnyBody };
    },
    async close() {
      await server.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The token is the name; only `admin` is an administrator, everybody has every role. */
const authenticator: Authenticator = {
  async authenticate(credentials) {
    return credentials.kind === "token" ? callerNamed(credentials.token) : undefined;
  },
};

export function callerNamed(username: string): Caller {
  return {
    accountId: `id-of-${username}`,
    username,
    groupIds: [`group-of-${username}`],
    isAdmin: username === "admin",
    isAllowed: () => true,
  };
}
