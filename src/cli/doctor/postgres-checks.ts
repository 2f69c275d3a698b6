import type { ServerInspection } from "../../store/index.ts";
import { failure, ok, warning, type Finding } from "./finding.ts";

const check = "PostgreSQL";
const oldestVersion = 150_000;

/** Settings and state of the server. @param nodes how many share it @param perNode connections each of them opens at most */
export function judgeServer(server: ServerInspection, nodes: number, perNode: number): Finding[] {
  return [
    judgeVersion(server),
    ...judgeEncoding(server),
    ...judgeStandby(server),
    judgeDurability(server),
    judgeConnections(server, nodes, perNode),
  ];
}

function judgeVersion({ version, versionNumber }: ServerInspection): Finding {
  if (versionNumber >= oldestVersion) return ok(check, `version ${version}`);
  return failure(check, `version ${version} is too old`, "Upgrade to PostgreSQL 15 or newer.");
}

function judgeEncoding({ encoding }: ServerInspection): Finding[] {
  if (encoding === "UTF8") return [];
  const advice = "Create the database anew with ENCODING 'UTF8' TEMPLATE template0.";
  return [failure(check, `the database has the encoding ${encoding}`, advice)];
}

function judgeStandby({ isStandby }: ServerInspection): Finding[] {
  if (!isStandby) return [];
  return [
    failure(check, "this server is a standby and takes no writes", "Point LINEWRIGHT_DATABASE_URL to the primary."),
  ];
}

function judgeDurability({ isFsyncOn, synchronousCommit }: ServerInspection): Finding {
  if (!isFsyncOn)
    return failure(check, "fsync is off: a crash of the server can destroy the database", "Set fsync = on.");
  if (synchronousCommit === "off") {
    const message = "synchronous_commit is off: a crash of the server loses the last commits";
    return failure(check, message, "Set synchronous_commit = on for the server, the database or the role.");
  }
  return ok(check, `commits are durable (fsync on, synchronous_commit ${synchronousCommit})`);
}

function judgeConnections(server: ServerInspection, nodes: number, perNode: number): Finding {
  const { maxConnections, reservedConnections, usedConnections } = server;
  const needed = nodes * perNode;
  const usable = maxConnections - reservedConnections;
  const message = `${usedConnections} of ${usable} connections are used; ${nodes} ${nodes === 1 ? "node needs" : "nodes need"} up to ${needed}`;
  if (needed <= usable) return ok(check, message);
  return warning(check, message, `Set max_connections to ${needed + reservedConnections} or more.`);
}
