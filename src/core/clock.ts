import os from "node:os";
import { performance } from "node:perf_hooks";
import { silentLogger, type Logger } from "./logger.ts";

/** Where the platform reads time from. Passed in everywhere, so that tests hold time in their hand. */
export interface Clock {
  /** Milliseconds since the epoch, whole. */
  now(): number;
  /** Calls `callback` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** How far the time of day is ahead of this clock, in milliseconds; behind: negative. Absent: it is the time of day. */
  offMs?(): number;
}

/** A clock that never jumps, whatever is done to the time of day of its machine. */
export interface SteadyClock extends Clock {
  offMs(): number;
}

/** What a steady clock is made of. All readings in milliseconds. */
export interface SteadyClockParts {
  /** The time of day, since the epoch. May jump. */
  wall(): number;
  /** Time that only goes forward, from any beginning. May stand still while the machine sleeps. */
  monotonic(): number;
  /** Time since the machine started, sleep included, as coarse as it may be. NaN where it cannot be told. */
  uptime(): number;
  after: Clock["after"];
  /** Told once of each jump of the time of day by more than a second. */
  onJump(jump: { jumpMs: number; offMs: number }): void;
}

/** The time of day is followed by a thousandth of the time that passes, so that no timer is early or late by more. */
const slewPerMs = 1 / 1000;
/** However long nobody asked for the time, one answer makes up for no more than this. */
const longestSlewMs = 10_000;
const jumpMs = 1000;

/**
 * A clock that begins at the time of day and then counts monotonic time, following the time of day by at
 * most 1 ms per second. Timers, leases and due times thus outlive clocks that are set by hours. A machine
 * that slept is told from one whose time was set by its uptime: sleep counts as time that passed.
 */
export function createSteadyClock({ wall, monotonic, uptime, after, onJump }: SteadyClockParts): SteadyClock {
  let lastMonotonic = monotonic();
  let lastWall = wall();
  let time = lastWall;
  let awakeSince = uptime() - lastMonotonic;

  /** The part of a jump that was sleep of the machine. */
  const sleptMs = (jumpedMs: number): number => {
    if (jumpedMs <= jumpMs) return 0;
    const slept = uptime() - lastMonotonic - awakeSince;
    if (!(slept > jumpMs)) return 0;
    awakeSince += slept;
    return slept;
  };

  const read = (): number => {
    const passedMs = monotonic() - lastMonotonic;
    const wallNow = wall();
    const jumpedMs = wallNow - lastWall - passedMs;
    lastMonotonic += passedMs;
    lastWall = wallNow;
    const slept = sleptMs(jumpedMs);
    time += passedMs + slept;
    const mostMs = Math.min(passedMs, longestSlewMs) * slewPerMs;
    time += Math.max(-mostMs, Math.min(mostMs, wallNow - time));
    const setMs = jumpedMs - slept;
    if (Math.abs(setMs) > jumpMs) onJump({ jumpMs: Math.round(setMs), offMs: Math.round(wallNow - time) });
    return time;
  };

  return {
    now: () => Math.floor(read()),
    offMs: () => Math.round(wall() - read()),
    after,
  };
}

/**
 * The steady clock of this machine, or of a time of day that is given. Its timers do not keep the process
 * alive; jumps of the time of day are logged.
 */
export function createSystemClock(logger: Logger = silentLogger, wall: () => number = Date.now): SteadyClock {
  return createSteadyClock({
    wall,
    monotonic: () => performance.now(),
    uptime: uptimeMs,
    after: afterTimeout,
    onJump: (jump) =>
      logger.warn("the time of day was set; timers go on as they were, and times shown follow slowly", { ...jump }),
  });
}

function uptimeMs(): number {
  try {
    return os.uptime() * 1000;
  } catch {
    // Some containers refuse to tell; sleep is then taken for a clock that was set.
    return Number.NaN;
  }
}

// setTimeout fires at once for delays beyond 31 bits; longer waits are taken in steps.
const longestTimeoutMs = 2_147_483_647;

function afterTimeout(delayMs: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (remainingMs: number): void => {
    const stepMs = Math.min(remainingMs, longestTimeoutMs);
    timer = setTimeout(() => (remainingMs > stepMs ? wait(remainingMs - stepMs) : callback()), stepMs);
    timer.unref();
  };
  wait(Math.max(0, delayMs));
  return () => clearTimeout(timer);
}
