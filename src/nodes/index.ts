export { createSharedClock, type SharedClock } from "./shared-clock.ts";
export { lostAfterMs, type NodeStatus, type NodeView } from "./node-record.ts";
export { createNodeRegistry, type NodeRegistry, type NodeRegistryOptions } from "./node-registry.ts";
