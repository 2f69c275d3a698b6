import type { Clock } from "../../core/clock.ts";
import {
  connectionsPerNode,
  describeLocation,
  inspectDatabaseServer,
  inspectFile,
  inspectSchema,
  isCurrent,
  type SchemaState,
  type StoreLocation,
} from "../../store/index.ts";
import { judgeClock } from "./clock-checks.ts";
import { failure, messageOf, ok, warning, type Finding } from "./finding.ts";
import { judgeServer } from "./postgres-checks.ts";
import { judgeFile } from "./sqlite-checks.ts";

/** What is known of a store before it is opened. */
export interface StoreOutlook {
  findings: Finding[];
  isReachable: boolean;
  /** Opening it changes nothing, so that the doctor may. */
  isOpenable: boolean;
}

/** Can the store be reached, and is its schema this release's? Changes nothing. */
export async function checkStore(location: StoreLocation, clock: Clock): Promise<StoreOutlook> {
  const place = describeLocation(location);
  try {
    const state = await inspectSchema(location, clock);
    const findings = [ok("store", place), judgeSchema(state)];
    return { findings, isReachable: state.version > 0 || location.kind === "postgres", isOpenable: isCurrent(state) };
  } catch (error) {
    const advice =
      location.kind === "postgres"
        ? "Check LINEWRIGHT_DATABASE_URL, the network, and whether the server runs."
        : "Check that the file can be read and is a Linewright database.";
    const finding = failure("store", `cannot reach ${place}: ${messageOf(error)}`, advice);
    return { findings: [finding], isReachable: false, isOpenable: false };
  }
}

/** The schema against the one of this release. */
export function judgeSchema(state: SchemaState): Finding {
  const { version, needed, latest, missing, unknown } = state;
  if (needed > latest) {
    const message = `version ${version} is of a newer release; this one knows up to ${latest}`;
    return failure("schema", message, "Use the newer release, or restore an older backup.");
  }
  if (version === 0) return ok("schema", "empty: the first start makes it");
  if (isCurrent(state)) return ok("schema", `version ${version}, up to date`);
  const change = `${missing.length} tables and indexes to make, ${unknown.length} indexes to drop`;
  const message = `version ${version}, this release has ${latest}: ${change}`;
  return warning(
    "schema",
    message,
    "The next start does it, or now: linewright migrate. Further checks of the store are left out.",
  );
}

/** The server or the file below the store. @param nodes how many use it */
export async function checkDatabase(location: StoreLocation, clock: Clock, nodes: number): Promise<Finding[]> {
  if (location.kind === "sqlite") return judgeFile(inspectFile(location.file));
  const server = await inspectDatabaseServer(location.url, clock);
  return [
    ...judgeServer(server, Math.max(1, nodes), connectionsPerNode),
    judgeClock("the clock of PostgreSQL", server.clockAheadMs, server.roundTripMs / 2),
  ];
}
