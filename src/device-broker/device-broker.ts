import type { Clock } from "../core/clock.ts";
import { notFound, PlatformError } from "../core/errors.ts";
import { silentLogger, type Logger } from "../core/logger.ts";
import { DeviceLane, type LaneParts } from "./device-lane.ts";
import type { BrokerLimits } from "./device-session.ts";
import { unknownDevice, type Inventory } from "./inventory.ts";
import type { HostKeys } from "./ssh/host-keys.ts";

/** How long a command may take. */
export interface CommandOptions {
  timeoutMs?: number;
}

/** Sends a command to the device that is in use. */
export type RunOnDevice = (command: string, options?: CommandOptions) => Promise<string>;

/**
 * Reaches the inventory's devices by SSH over one kept shell each (decision 20). Commands of different
 * callers never mix on a device: each use has the shell alone, in the order of the calls.
 *
 * Errors are PlatformErrors: NOT_FOUND for an unknown device (text begins with `No provider capable of
 * handling request`), BAD_GATEWAY, GATEWAY_TIMEOUT, FORBIDDEN for a read-only device, TOO_MANY_REQUESTS.
 * A command that may have been sent is never sent again.
 */
export interface DeviceBroker {
  /** One command. Its further lines answer the device's questions, or follow when the prompt is back (configuration). */
  runCommand(deviceName: string, command: string, options?: CommandOptions): Promise<string>;
  /** Several commands on the same shell with nobody between. Configuration mode is left at the end. */
  useDevice<Result>(deviceName: string, work: (run: RunOnDevice) => Promise<Result>): Promise<Result>;
  /** NOT_FOUND when one of the names is not in the inventory. Nothing is sent. */
  requireDevices(names: readonly string[]): Promise<void>;
  /** Can the device be logged in to, and does it show its prompt? NOT_FOUND for an unknown name. */
  isAlive(deviceName: string): Promise<boolean>;
  /** Closes every shell; commands under way fail. */
  close(): Promise<void>;
}

export interface DeviceBrokerParts {
  inventory: Inventory;
  hostKeys: HostKeys;
  clock: Clock;
  logger?: Logger;
  limits?: Partial<BrokerLimits>;
}

/** What the broker does when nothing else is configured. */
const defaultBrokerLimits: BrokerLimits = {
  connectTimeoutMs: 10_000,
  loginTimeoutMs: 30_000,
  commandTimeoutMs: 60_000,
  idleCloseMs: 300_000,
  keepAliveMs: 15_000,
  rejectedHoldMs: 60_000,
  outputLimitCharacters: 50_000_000,
  maxShells: 1_000,
  maxWaiting: 1_000,
};

export function createDeviceBroker(parts: DeviceBrokerParts): DeviceBroker {
  const limits = { ...defaultBrokerLimits, ...parts.limits };
  const laneParts: LaneParts = { ...parts, logger: parts.logger ?? silentLogger, limits };
  const lanes = new Map<string, DeviceLane>();
  let isClosed = false;

  function laneOf(name: string): DeviceLane {
    if (isClosed) throw new PlatformError("UNAVAILABLE", "The device broker is closed");
    const known = lanes.get(name);
    if (known) return known;
    makeRoom();
    const lane = new DeviceLane(name, laneParts, () => {
      if (lanes.get(name) === lane) lanes.delete(name);
    });
    lanes.set(name, lane);
    return lane;
  }

  /** At the limit the shell that was idle longest goes. */
  function makeRoom(): void {
    if (lanes.size < limits.maxShells) return;
    const idle = [...lanes.values()]
      .filter((lane) => !lane.isBusy())
      .sort((one, other) => one.lastUsedAt() - other.lastUsedAt());
    if (!idle[0])
      throw new PlatformError("UNAVAILABLE", `${lanes.size} devices are in use at a time, which is the limit`);
    idle[0].close();
  }

  async function requireDevices(names: readonly string[]): Promise<void> {
    const missing = await parts.inventory.missing(names);
    if (missing.length > 0) throw notFound(unknownDevice(missing));
  }

  async function useDevice<Result>(name: string, work: (run: RunOnDevice) => Promise<Result>): Promise<Result> {
    return laneOf(name).use((session) =>
      work((command, options) => session.run(command, options?.timeoutMs ?? limits.commandTimeoutMs)),
    );
  }

  return {
    useDevice,
    requireDevices,
    runCommand: (name, command, options) => useDevice(name, (run) => run(command, options)),
    async isAlive(name) {
      await requireDevices([name]);
      const lane = lanes.get(name);
      // A device at work has a connection that is watched by keep-alive; asking it would mean to wait.
      if (lane?.isBusy() && lane.hasShell()) return true;
      try {
        await useDevice(name, (run) => run("", { timeoutMs: limits.loginTimeoutMs }));
        return true;
      } catch (error) {
        if (error instanceof PlatformError && error.status >= 502 && error.code !== "UNAVAILABLE") return false;
        throw error;
      }
    },
    async close() {
      isClosed = true;
      for (const lane of lanes.values()) lane.close();
      lanes.clear();
    },
  };
}
