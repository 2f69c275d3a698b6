import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/errors.ts";
import { deviceError } from "./device-errors.ts";
import type { DeviceLogin } from "./device-record.ts";
import { findPlatform } from "./platforms.ts";
import { isReadingCommand } from "./read-only.ts";
import { openChannel, type ConnectionSettings } from "./ssh/connection.ts";
import type { HostKeys } from "./ssh/host-keys.ts";
import { openShell, type Shell } from "./ssh/shell.ts";

/** Times and sizes of the broker, all adjustable. */
export interface BrokerLimits {
  /** For the TCP connection. */
  connectTimeoutMs: number;
  /** For the SSH login, and again for the first prompt. */
  loginTimeoutMs: number;
  /** For one command when the caller says nothing. */
  commandTimeoutMs: number;
  /** A shell that nobody used for so long is closed. */
  idleCloseMs: number;
  keepAliveMs: number;
  /** A rejected password is not tried again for so long, unless the device was changed in the inventory. */
  rejectedHoldMs: number;
  /** Most characters one command may answer. */
  outputLimitCharacters: number;
  /** Most devices with a shell at a time. */
  maxShells: number;
  /** Most callers that wait for one device. */
  maxWaiting: number;
}

/** A kept shell with what it was opened for. */
export interface DeviceSession {
  id: string;
  /** Version of the inventory's record: another one means other credentials or another address. */
  version: number;
  run(command: string, timeoutMs: number): Promise<string>;
  shell: Shell;
}

export interface SessionParts {
  clock: Clock;
  hostKeys: HostKeys;
  limits: BrokerLimits;
}

/** Logs in and prepares the shell. Rejects with the errors of `ssh/`, still to be put into words by `deviceError`. */
export async function openSession(
  login: DeviceLogin,
  { clock, hostKeys, limits }: SessionParts,
): Promise<DeviceSession> {
  const { device } = login;
  const platform = findPlatform(device.platform);
  if (!platform)
    throw new PlatformError("BAD_REQUEST", `Device ${device.name} has the unknown platform ${device.platform}`);
  const place = { host: device.host, port: device.port, policy: device.hostKeyPolicy };
  const connection: ConnectionSettings = { clock, ...limits, verifyHostKey: (key) => hostKeys.verify(place, key) };
  const channel = await openChannel({ ...device, password: login.password }, connection);
  try {
    const shell = await openShell(channel, {
      clock,
      platform,
      defer: setImmediate,
      limitCharacters: limits.outputLimitCharacters,
      loginTimeoutMs: limits.loginTimeoutMs,
      ...(login.enablePassword !== undefined && { enablePassword: login.enablePassword }),
    });
    return { id: login.id, version: login.version, shell, run: runner(device, shell) };
  } catch (error) {
    channel.close();
    throw error;
  }
}

function runner(device: DeviceLogin["device"], shell: Shell) {
  return async (command: string, timeoutMs: number): Promise<string> => {
    if (device.isReadOnly && !isReadingCommand(command)) {
      throw new PlatformError("FORBIDDEN", `Device ${device.name} is read-only: the command was not sent`);
    }
    try {
      return await shell.run(command, timeoutMs);
    } catch (error) {
      // What the device does now is not known; the next command gets a fresh shell.
      shell.close();
      throw deviceError(device.name, error);
    }
  };
}
