import { Type, type Static } from "@sinclair/typebox";

const count = Type.Integer({ minimum: 0 });

/** One processor core; `speed` in MHz, `times` in milliseconds since the machine started. */
const Processor = Type.Object({
  model: Type.String(),
  speed: Type.Integer(),
  times: Type.Object({ user: count, nice: count, sys: count, idle: count, irq: count }),
});

/** The machine: seed document 1 "System health". `uptime` in seconds, memory in bytes; `release` is the platform's. */
export const SystemHealth = Type.Object({
  arch: Type.String(),
  release: Type.String(),
  uptime: Type.Integer(),
  freemem: Type.Integer(),
  totalmem: Type.Integer(),
  loadavg: Type.Array(Type.Number()),
  cpus: Type.Array(Processor),
});
export type SystemHealth = Static<typeof SystemHealth>;

/** Memory of the process in bytes. */
const MemoryUsage = Type.Object({
  rss: count,
  heapTotal: count,
  heapUsed: count,
  external: count,
  arrayBuffers: count,
});

/** The process: spec platform-management.md §6.2. `uptime` in seconds, `cpuUsage` in microseconds. */
export const ServerHealth = Type.Object({
  version: Type.String(),
  release: Type.String(),
  arch: Type.String(),
  platform: Type.String(),
  versions: Type.Record(Type.String(), Type.String()),
  memoryUsage: MemoryUsage,
  cpuUsage: Type.Object({ user: count, system: count }),
  uptime: Type.Number(),
  pid: Type.Integer(),
  dependencies: Type.Record(Type.String(), Type.String()),
});
export type ServerHealth = Static<typeof ServerHealth>;

/** A service the platform rests on, e.g. its database. */
export const ServiceStatus = Type.Object({
  service: Type.String(),
  status: Type.Union([Type.Literal("running"), Type.Literal("stopped")]),
});
export type ServiceStatus = Static<typeof ServiceStatus>;

/** A process that serves the platform. Moments in milliseconds since the epoch. */
export const NodeHealth = Type.Object({
  id: Type.String({ description: "Random, new with each process." }),
  host: Type.String(),
  pid: Type.Integer(),
  version: Type.String({ description: "Release the process runs." }),
  startedAt: Type.Integer(),
  heardAt: Type.Integer({ description: "Its last heartbeat." }),
  clockOffMs: Type.Integer({
    description:
      "How far the time of day of its machine is ahead of the clock it works with, in milliseconds: far from 0 after the time was set. A restart makes it 0.",
  }),
  status: Type.Union(
    [Type.Literal("running"), Type.Literal("draining"), Type.Literal("stopped"), Type.Literal("lost")],
    { description: "draining: ends what it has begun; lost: not heard of for five seconds." },
  ),
  isThis: Type.Boolean({ description: "The node that answers." }),
});
export type NodeHealth = Static<typeof NodeHealth>;

/** How far a group of applications or adapters is up. */
export const GroupStatus = Type.Union([Type.Literal("running"), Type.Literal("degraded"), Type.Literal("stopped")]);
export type GroupStatus = Static<typeof GroupStatus>;

/** Answer to load balancers and probes: spec platform-management.md §6.4. `timestamp` in milliseconds. */
export const HealthStatus = Type.Object({
  host: Type.String(),
  serverId: Type.String(),
  serverName: Type.Union([Type.String(), Type.Null()]),
  services: Type.Optional(Type.Array(ServiceStatus)),
  timestamp: Type.Integer(),
  apps: GroupStatus,
  adapters: GroupStatus,
});
export type HealthStatus = Static<typeof HealthStatus>;
