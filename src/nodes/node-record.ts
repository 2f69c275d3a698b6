/** What a node says of itself: it works, ends what it has begun, or has ended. */
export type NodeStatus = "running" | "draining" | "stopped";

/** What is stored of a node, in the collection `nodes`. Moments in milliseconds since the epoch. */
export interface NodeRecord {
  /** Random, new with each process. */
  _id: string;
  host: string;
  pid: number;
  /** Release of the platform. */
  version: string;
  startedAt: number;
  /** Its last heartbeat. */
  heardAt: number;
  /** How far the time of day of its machine is ahead of its clock, milliseconds: not 0 when the time was set. */
  clockOffMs: number;
  status: NodeStatus;
}

/** A node as people see it. `lost`: it ought to be heard of, and is not. */
export interface NodeView extends Omit<NodeRecord, "_id" | "status"> {
  id: string;
  status: NodeStatus | "lost";
  /** The node that answers. */
  isThis: boolean;
}

/** A node that has not been heard of for so long is shown as lost. */
export const lostAfterMs = 5_000;

/** How a node is seen at a moment by the node `thisId`. */
export function viewNode({ _id, status, ...record }: NodeRecord, now: number, thisId: string): NodeView {
  const isSilent = status !== "stopped" && now - record.heardAt > lostAfterMs;
  return { id: _id, ...record, status: isSilent ? "lost" : status, isThis: _id === thisId };
}
