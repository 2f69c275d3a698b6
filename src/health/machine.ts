import os from "node:os";
import type { ServerHealth, SystemHealth } from "./health-schema.ts";

/** The machine and the process the platform runs on. */
export interface Machine {
  arch: string;
  platform: string;
  host: string;
  versions: Readonly<Record<string, string>>;
  /** Figures of the machine as they are now. */
  system(): Omit<SystemHealth, "arch" | "release">;
  /** Figures of the process as they are now; memory figures never exceed `largestMemoryFigure`. */
  process(largestMemoryFigure: number): Pick<ServerHealth, "memoryUsage" | "cpuUsage" | "uptime" | "pid">;
}

/** The machine this process runs on. */
export function thisMachine(): Machine {
  return {
    arch: process.arch,
    platform: process.platform,
    host: os.hostname(),
    versions: definedEntries(process.versions),
    system: () => ({
      uptime: Math.floor(os.uptime()),
      freemem: os.freemem(),
      totalmem: os.totalmem(),
      loadavg: os.loadavg(),
      cpus: os.cpus().map(({ model, speed, times }) => ({ model, speed, times: { ...times } })),
    }),
    process: (largest) => ({
      memoryUsage: clampMembers(process.memoryUsage(), largest),
      cpuUsage: process.cpuUsage(),
      uptime: process.uptime(),
      pid: process.pid,
    }),
  };
}

function clampMembers(usage: NodeJS.MemoryUsage, largest: number): ServerHealth["memoryUsage"] {
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = usage;
  const clamp = (bytes: number) => Math.min(bytes, largest);
  return {
    rss: clamp(rss),
    heapTotal: clamp(heapTotal),
    heapUsed: clamp(heapUsed),
    external: clamp(external),
    arrayBuffers: clamp(arrayBuffers),
  };
}

function definedEntries(versions: NodeJS.ProcessVersions): Record<string, string> {
  return Object.fromEntries(Object.entries(versions).flatMap(([name, version]) => (version ? [[name, version]] : [])));
}
