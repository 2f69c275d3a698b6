import type { NodeView } from "../../nodes/index.ts";
import { judgeClock } from "./clock-checks.ts";
import { ok, warning, type Finding } from "./finding.ts";

/** Between two heartbeats of a node. */
const heartbeatMs = 1_000;
const noticeableOffMs = 1_000;

/** The nodes that use the store, against this release and the clock of this machine. */
export function judgeNodes(nodes: readonly NodeView[], version: string, now: number): Finding[] {
  const up = nodes.filter(({ status }) => status === "running" || status === "draining");
  const findings = [judgePresence(up), ...judgeLost(nodes, up), ...judgeVersions(up, version)];
  return [...findings, ...up.flatMap((node) => judgeNodeClock(node, now))];
}

function judgePresence(up: readonly NodeView[]): Finding {
  if (up.length === 0) return ok("nodes", "none is up");
  return ok(
    "nodes",
    `${up.length} up: ${up.map((node) => `${nameOf(node)} ${node.version} ${node.status}`).join(", ")}`,
  );
}

/** A node that was killed and started again is another process of the same host. */
function judgeLost(nodes: readonly NodeView[], up: readonly NodeView[]): Finding[] {
  const isReplaced = (lost: NodeView): boolean =>
    up.some(({ host, startedAt }) => host === lost.host && startedAt > lost.heardAt);
  const lost = nodes.filter((node) => node.status === "lost" && !isReplaced(node));
  if (lost.length === 0) return [];
  const advice = "Look whether they run and reach the store. What is gone for good is forgotten after a day.";
  return [warning("nodes", `${lost.length} no longer heard of: ${lost.map(nameOf).join(", ")}`, advice)];
}

function judgeVersions(up: readonly NodeView[], version: string): Finding[] {
  const others = [...new Set(up.map((node) => node.version))].filter((other) => other !== version);
  if (others.length === 0) return [];
  const message = `nodes of release ${others.sort().join(", ")} are up, this one is ${version}`;
  return [
    warning("nodes", message, "Bring all nodes to one release; two that follow each other may be mixed meanwhile."),
  ];
}

/** A heartbeat that is just written tells the time there; how old it is, is known to within a beat. */
function judgeNodeClock(node: NodeView, now: number): Finding[] {
  const aheadMs = node.heardAt - now + heartbeatMs / 2;
  const finding = judgeClock(`the clock of ${nameOf(node)}`, aheadMs, heartbeatMs);
  return [finding, ...judgeSetTime(node)].filter(({ state }) => state !== "ok");
}

/** A node goes on with its own time when that of its machine is set, and follows it slowly. */
function judgeSetTime(node: NodeView): Finding[] {
  if (Math.abs(node.clockOffMs) <= noticeableOffMs) return [];
  const message = `the time of the machine of ${nameOf(node)} was set while it ran: it is ${node.clockOffMs} ms off`;
  return [warning("clock", message, "Start the node again at a quiet moment.")];
}

function nameOf({ host, pid }: NodeView): string {
  return `${host} (process ${pid})`;
}
