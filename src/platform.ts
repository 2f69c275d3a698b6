import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { createApplicationTasks } from "./application-tasks.ts";
import { createTaskModelList, createTaskModels } from "./application-task-models.ts";
import { applicationList } from "./applications.ts";
import { createCommandTemplateViews } from "./command-templates/index.ts";
import { createCallerDirectory } from "./caller-directory.ts";
import { defaultOutgoing, defaultWorkerPool, type NodeConfiguration } from "./configuration.ts";
import { host, type HostedApplication } from "./core/application.ts";
import { systemCaller } from "./core/caller.ts";
import { createSystemClock, type Clock } from "./core/clock.ts";
import type { Effort } from "./core/heavy-work.ts";
import { createIdentifiers, type Identifiers } from "./core/identifiers.ts";
import type { Logger } from "./core/logger.ts";
import { createSecretBox, type SecretBox } from "./core/secret-box.ts";
import { createDeviceServices } from "./device-services.ts";
import { createDocumentServices } from "./document-services.ts";
import { readEncryptionKey } from "./encryption-key.ts";
import { createHealthService, thisMachine } from "./health/index.ts";
import { createHeavyTasks } from "./heavy-tasks.ts";
import { createHttpServer } from "./http/server.ts";
import { createNodeRegistry, createSharedClock, type NodeRegistry } from "./nodes/index.ts";
import { createAuthentication } from "./platform-management/authentication/index.ts";
import {
  bootstrapAdmin,
  createPasswordHasher,
  createUserManagement,
  type PasswordHasher,
} from "./platform-management/user-management/index.ts";
import { createDocumentFinder, openStore, type Store, type StoreFaults } from "./store/index.ts";
import { createOutgoingRequests } from "./outgoing-requests/index.ts";
import { createRestCalls } from "./rest-calls.ts";
import { createTaskCatalog, taskLibrary } from "./task-library/index.ts";
import { createTransformer } from "./transformations/create-transformer.ts";
import type { TransformationEnvironment } from "./transformations/transformation-environment.ts";
import { createWorkerPool, type WorkerPool } from "./worker-pool/index.ts";
import { version } from "./version.ts";
import { createDispatcher } from "./work-queue/dispatcher/dispatcher.ts";
import type { WorkQueue } from "./work-queue/work-queue.ts";
import {
  createEngine,
  createManualPages,
  createSearchService,
  type Engine,
  type WorkflowEngineServices,
} from "./workflow-engine/index.ts";
import { queryPath } from "./workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression, patternAllowance } from "./workflow-engine/interpreter/regular-expression.ts";

/** A running node. */
export interface Platform {
  version: string;
  url: string;
  /** The password of `admin`, when this start made it up. Known nowhere else. */
  adminPassword: string | undefined;
  store: Store;
  queue: WorkQueue;
  engine: Engine;
  /** Serves no new requests, lets work under way end (at most 8 s), then closes the store. */
  stop(): Promise<void>;
}

/** What tests replace. */
export interface PlatformParts {
  clock?: Clock;
  random?: () => number;
  passwordHasher?: PasswordHasher;
  /** On which thread commits run: tests with faults use `inline`. */
  storeThread?: "worker" | "inline";
  storeFaults?: StoreFaults;
}

/** What every service of a node is built on. */
interface Basics {
  store: Store;
  clock: Clock;
  stopClock(): void;
  identifiers: Identifiers;
  logger: Logger;
  secretBox: SecretBox;
  random: () => number;
  release: string;
}

const drainMs = 8_000;
const leaseMs = 2_000;

/** Composition root: builds every service of a node, starts it and serves the API. */
export async function startPlatform(
  configuration: NodeConfiguration,
  logger: Logger,
  parts: PlatformParts = {},
): Promise<Platform> {
  const basics = await openBasics(configuration, logger, parts);
  const access = await startAccess(basics, configuration, parts);
  const services = createServices(basics, access, configuration);
  const { engine, queue, devices, hosted, nodes, finder, pool, requests } = services;
  access.authentication.sessions.start();
  await engine.start();
  await nodes.start();
  const http = await createHttpServer({
    applications: hosted,
    authenticator: access.authentication.authenticator,
    logger,
    clock: basics.clock,
    options: { version: basics.release, trustedProxies: configuration.trustedProxies },
  });
  const { url } = await http.listen(configuration.host, configuration.port);
  logger.info("serving", { url });
  return {
    version: basics.release,
    url,
    adminPassword: access.adminPassword,
    store: basics.store,
    queue,
    engine,
    async stop() {
      nodes.drain();
      // Requests that wait for a job are answered with what it is now, so that they do not hold the end.
      engine.notices.close();
      engine.streams.close();
      // The port stays open until the work has ended, to tell who asks that this node goes away.
      await withinMs(
        basics.clock,
        drainMs,
        Promise.all([http.drain(), engine.stop(drainMs)]).then(() => http.close()),
      );
      // Also where a request never ends.
      void http.close();
      access.authentication.sessions.stop();
      access.users.directory.close();
      await devices.close();
      await finder.close();
      await pool.close();
      await requests.close();
      await nodes.stop();
      basics.stopClock();
      await basics.store.close();
    },
  };
}

/** Resolves with the work, or without it once the time is over. */
async function withinMs(clock: Clock, mostMs: number, work: Promise<void>): Promise<void> {
  let cancelTimer: () => void = () => undefined;
  const timeOver = new Promise<void>((resolve) => {
    cancelTimer = clock.after(mostMs, resolve);
  });
  await Promise.race([work, timeOver]);
  cancelTimer();
}

async function openBasics(configuration: NodeConfiguration, logger: Logger, parts: PlatformParts): Promise<Basics> {
  const { dataDir, encryptionKey } = configuration;
  const { random = Math.random, storeThread = "worker", storeFaults } = parts;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const secretBox = createSecretBox({ current: await readEncryptionKey(encryptionKey, dataDir) });
  // Deadlines of the store are those of real disks and servers, whatever clock the jobs live by.
  const store = await openStore(configuration, { logger, thread: storeThread, faults: storeFaults });
  const { clock, stop: stopClock } = parts.clock
    ? { clock: parts.clock, stop: () => undefined }
    : await createSharedClock(store, logger);
  return {
    store,
    clock,
    stopClock,
    identifiers: createIdentifiers(clock),
    logger,
    secretBox,
    random,
    release: version(),
  };
}

type Access = Awaited<ReturnType<typeof startAccess>>;

/** Accounts, roles and logins; on the first start the administrator. */
async function startAccess(basics: Basics, { adminPassword }: NodeConfiguration, parts: PlatformParts) {
  const users = createUserManagement({ ...basics, passwordHasher: parts.passwordHasher ?? createPasswordHasher() });
  const authentication = createAuthentication({ users, release: basics.release, secretBox: basics.secretBox });
  const first = await bootstrapAdmin(users, adminPassword === undefined ? {} : { password: adminPassword });
  await users.roles.generateRoles(applicationList);
  return { users, authentication, adminPassword: first.password };
}

/** The services of every application, and the applications with them. */
function createServices(basics: Basics, { users, authentication }: Access, configuration: NodeConfiguration) {
  const { store, clock, logger } = basics;
  const catalog = createTaskCatalog(taskLibrary);
  const pool = createPool(configuration);
  const effort = { spent: 0 };
  const transform = createTransformer(onLoop(basics, effort));
  const taskModels = createTaskModelList(applicationList);
  const models = { findTask: createTaskModels(applicationList, catalog), taskModels };
  const documents = createDocumentServices(basics, models, { transform, pool });
  const devices = createDeviceServices(basics);
  const queue = createDispatcher({ store, clock, logger, leaseMs });
  const hosted: HostedApplication[] = [];
  const requests = createOutgoingRequests(configuration.outgoing ?? defaultOutgoing);
  const tasks = createRestCalls(requests, createApplicationTasks(hosted, logger));
  const callers = createCallerDirectory(users);
  const engine = createEngine({
    ...basics,
    queue,
    calls: tasks,
    heavy: createHeavyTasks(pool, clock, logger),
    callers,
    library: { findTask: catalog.find, transform, effort },
    retention: configuration.retention,
    largestValue: configuration.largestValue,
    findErrors: async (workflow) => (await documents.WorkflowBuilder.workflows.validate(workflow, systemCaller)).errors,
    leaseMs,
  });
  // A deadline of reading, so by a real clock.
  const finder = createDocumentFinder(createSystemClock());
  const engineServices: WorkflowEngineServices = {
    ...engine,
    ...documents.WorkflowBuilder,
    pool,
    search: createSearchService({ store, jobs: engine.jobs, finder }),
    manualPages: createManualPages({ ...engine, further: createCommandTemplateViews(devices.inventory) }),
  };
  const nodes = createNodes(basics);
  const services: Record<string, unknown> = {
    WorkFlowEngine: engineServices,
    OperationsManager: engineServices,
    Health: createHealth(basics, nodes, configuration),
    UserManagement: users,
    Authentication: authentication,
    ...documents,
    ...devices.byApplication,
    ConfigurationManager: { ...devices.byApplication.ConfigurationManager, ...documents.TemplateBuilder },
    MOP: { ...devices.byApplication.MOP, manualPages: engineServices.manualPages },
  };
  hosted.push(...applicationList.map((application) => host(application, services[application.id])));
  return { engine, queue, devices, hosted, nodes, finder, pool, requests };
}

/** The processes for what takes too long. Their deadline is one of computing, so by a real clock. */
function createPool({ workerPool }: NodeConfiguration): WorkerPool {
  return createWorkerPool({ ...defaultWorkerPool, ...workerPool, clock: createSystemClock() });
}

/** What transformations run with on the event loop. Runs are never within each other, so they share one allowance. */
function onLoop({ clock, random }: Basics, effort: Effort): TransformationEnvironment {
  let allowance = patternAllowance({ effort });
  return {
    effort,
    begin: () => {
      allowance = patternAllowance({ effort });
    },
    now: () => clock.now(),
    random,
    query: (query, value) => queryPath(query, value, allowance),
    compileRegularExpression: (source, flags) => compileRegularExpression(source, flags, allowance),
  };
}

function createNodes({ store, clock, identifiers, logger, release }: Basics): NodeRegistry {
  const { host } = thisMachine();
  return createNodeRegistry({ store, clock, identifiers, logger, host, pid: process.pid, version: release });
}

/** Applications run inside this process, so they are up whenever it answers; adapters do not exist yet. */
function createHealth({ store, clock, release }: Basics, nodes: NodeRegistry, { dataDir }: NodeConfiguration) {
  return createHealthService({
    clock,
    machine: thisMachine(),
    version: release,
    release,
    dependencies: {},
    serverId: createHash("sha256").update(dataDir).digest("hex"),
    services: async () => [
      { service: "store", status: await storeStatus(store) },
      { service: "node", status: nodes.status() === "running" ? "running" : "stopped" },
    ],
    nodes: () => nodes.list(),
    applications: () => "running",
    adapters: () => "running",
  });
}

async function storeStatus(store: Store): Promise<"running" | "stopped"> {
  return store.nextWorkAt().then(
    () => "running",
    () => "stopped",
  );
}
