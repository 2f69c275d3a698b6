import type { Clock } from "../core/clock.ts";
import type {
  GroupStatus,
  HealthStatus,
  NodeHealth,
  ServerHealth,
  ServiceStatus,
  SystemHealth,
} from "./health-schema.ts";
import type { Machine } from "./machine.ts";

/** What the health operations work on. */
export interface HealthServices {
  system(): SystemHealth;
  server(): ServerHealth;
  status(): Promise<HealthStatus>;
  nodes(): Promise<readonly NodeHealth[]>;
}

/** The platform as health sees it; filled in by the composition root. */
export interface Platform {
  clock: Clock;
  machine: Machine;
  /** Version of the core, and the release that clients compare with. */
  version: string;
  release: string;
  /** Package name to version. */
  dependencies: Readonly<Record<string, string>>;
  /** Stable identity of this server, SHA-256 in hex, and its name when it has one. */
  serverId: string;
  serverName?: string;
  /** How the services the platform rests on are. Resolves also when one of them is down. */
  services(): Promise<readonly ServiceStatus[]>;
  /** Every process that serves the platform, or did until lately. */
  nodes(): Promise<readonly NodeHealth[]>;
  applications(): GroupStatus;
  adapters(): GroupStatus;
}

/**
 * Names that clients require of the runtime's version list (spec: platform-management.md §6.2);
 * a newer runtime may have dropped one.
 */
const expectedVersions = (
  "node acorn ada ares brotli cjs_module_lexer cldr icu llhttp modules napi nghttp2 openssl " +
  "simdutf tz undici unicode uv uvwasi v8 zlib"
).split(" ");

/** A published client reads memory figures as 32-bit numbers and fails on larger ones. */
const largestMemoryFigure = 2_147_483_647;

/** Health of the machine, of the process and of the platform as a whole. */
export function createHealthService(platform: Platform): HealthServices {
  const { machine, version, release, dependencies } = platform;
  return {
    system: () => ({ arch: machine.arch, release, ...machine.system() }),
    server: () => ({
      version,
      release,
      arch: machine.arch,
      platform: machine.platform,
      versions: {
        ...Object.fromEntries(expectedVersions.map((name) => [name, "0"])),
        ...machine.versions,
      },
      ...machine.process(largestMemoryFigure),
      dependencies: { ...dependencies },
    }),
    status: () => readStatus(platform),
    nodes: () => platform.nodes(),
  };
}

async function readStatus(platform: Platform): Promise<HealthStatus> {
  return {
    host: platform.machine.host,
    serverId: platform.serverId,
    serverName: platform.serverName ?? null,
    services: [...(await platform.services())],
    timestamp: platform.clock.now(),
    apps: platform.applications(),
    adapters: platform.adapters(),
  };
}
