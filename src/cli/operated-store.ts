import { createSystemClock } from "../core/clock.ts";
import { createIdentifiers } from "../core/identifiers.ts";
import { silentLogger } from "../core/logger.ts";
import { createNodeRegistry, type NodeView } from "../nodes/index.ts";
import {
  describeLocation,
  inspectSchema,
  isCurrent,
  openStoreAt,
  StoreUnavailableError,
  type SchemaState,
  type Store,
  type StoreLocation,
} from "../store/index.ts";
import { CommandError } from "./api-client.ts";

/** Large commits and long lists take their time; nobody waits for an answer. */
const patienceMs = 60_000;

const unavailableAdvice = "Look at the disk or the database server, then run the command again: it can be repeated.";

/** Opens a store that must be there with this release's schema, runs `act` on it and closes it. */
export async function withStore<Result>(
  location: StoreLocation,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  await requireCurrent(location);
  return withNewStore(location, act);
}

/** A command that looks must not change the schema on its way. */
async function requireCurrent(location: StoreLocation): Promise<void> {
  const state = await schemaOf(location);
  const place = describeLocation(location);
  if (state.version === 0) throw new CommandError(`There is no store ${place}.`, "Check the settings or the path.");
  if (!isCurrent(state)) {
    const advice = "Run linewright migrate for it with this release, or use the release that it is of.";
    throw new CommandError(`The schema of ${place} is not that of this release.`, advice);
  }
}

/** The schema of the store at a place. */
export async function schemaOf(location: StoreLocation): Promise<SchemaState> {
  try {
    return await inspectSchema(location, createSystemClock());
  } catch (error) {
    throw cannotOpen(location, error);
  }
}

/** The same; a store that is not there yet is made, and one of an older release brought up to date. */
export async function withNewStore<Result>(
  location: StoreLocation,
  act: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = await open(location);
  try {
    return await act(store);
  } catch (error) {
    throw error instanceof StoreUnavailableError ? new CommandError(error.message, unavailableAdvice) : error;
  } finally {
    await store.close();
  }
}

async function open(location: StoreLocation): Promise<Store> {
  try {
    // Nobody else is waiting for this process, so that the thread of its own would gain nothing.
    return await openStoreAt(location, { deadlineMs: patienceMs, thread: "inline" });
  } catch (error) {
    throw cannotOpen(location, error);
  }
}

/** What a person needs to know of a store that cannot be opened. */
function cannotOpen(location: StoreLocation, error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(`Cannot open ${describeLocation(location)}: ${message}`);
}

/** The nodes that have used a store within the last day. */
export async function nodesOf(store: Store, version: string): Promise<NodeView[]> {
  const clock = createSystemClock();
  const registry = createNodeRegistry({
    store,
    clock,
    identifiers: createIdentifiers(clock),
    logger: silentLogger,
    host: "",
    pid: process.pid,
    version,
  });
  return registry.list();
}

/** Does the node use its store now? */
export function isAlive({ status }: NodeView): boolean {
  return status === "running" || status === "draining";
}
