import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** For how long the event loop of this process was held at most, in milliseconds. */
export interface LongestHold {
  /** Processor time of its thread between two turns: what the code takes, however busy the machine is. */
  cpuMs: number;
  /** As a clock on the wall sees it, with the time for which the machine did something else. */
  wallMs: number;
}

/** Watches the event loop of this process. */
export interface LoopHold {
  /** The longest since the last call. */
  take(): LongestHold;
  stop(): void;
}

const everyMs = 1;

/** Begins to watch. Processor time is known on Linux only; elsewhere it is that of the wall. */
export function watchLoop(): LoopHold {
  const delays = monitorEventLoopDelay({ resolution: everyMs });
  delays.enable();
  const clock = openThreadClock();
  let last = clock?.now() ?? 0;
  let longest = 0;
  const timer = setInterval(() => {
    if (!clock) return;
    const now = clock.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, everyMs);
  return {
    take() {
      const wallMs = Math.round(delays.max / 1e6);
      const held = { cpuMs: clock ? Math.round(longest / 1e6) : wallMs, wallMs };
      longest = 0;
      delays.reset();
      return held;
    },
    stop() {
      clearInterval(timer);
      delays.disable();
      clock?.close();
    },
  };
}

/** Processor time of the main thread in nanoseconds, from `/proc` (proc_pid_schedstat in the kernel's documents). */
function openThreadClock(): { now(): number; close(): void } | undefined {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  try {
    if (readFileSync(path, "latin1").startsWith("0 ")) return undefined;
    const file = openSync(path, "r");
    const text = Buffer.alloc(64);
    const now = (): number => Number.parseInt(text.toString("latin1", 0, readSync(file, text, 0, text.length, 0)), 10);
    return { now, close: () => closeSync(file) };
  } catch {
    return undefined;
  }
}
