import type { Clock } from "../../src/core/clock.ts";

/** A clock that tests hold in their hand. */
export interface ManualClock extends Clock {
  /** Lets time pass: fires the timers due meanwhile in order, each at its own moment, and lets the work they cause run between them. */
  advance(ms: number): Promise<void>;
  /** Goes to a moment. Forward: as `advance`. Backward: only the time of day changes, timers keep their remaining delay. */
  setTo(at: number): Promise<void>;
  /** Changes the time of day without any time passing: what NTP and daylight saving do. */
  jump(ms: number): void;
  /** Timers not yet fired or cancelled. */
  pendingTimers(): number;
}

interface Timer {
  /** Milliseconds since the clock was made. */
  dueAt: number;
  callback: () => void;
}

/**
 * Makes a clock that stands at `startAt` (milliseconds since the epoch). `settle` resolves when the work that a
 * timer caused has come to rest; its default is enough for work that needs no other thread or server.
 */
export function createManualClock(startAt = Date.UTC(2024, 0, 1), settle = fewTurns): ManualClock {
  let elapsed = 0;
  let offset = startAt;
  const timers = new Set<Timer>();

  const advance = async (ms: number): Promise<void> => {
    const until = elapsed + ms;
    await settle();
    for (let timer = nextTimer(timers, until); timer; timer = nextTimer(timers, until)) {
      timers.delete(timer);
      elapsed = Math.max(elapsed, timer.dueAt);
      timer.callback();
      await settle();
    }
    elapsed = until;
    await settle();
  };
  const jump = (ms: number): void => {
    offset += ms;
  };
  // Timers may be set by fractions; a clock tells whole milliseconds.
  const now = (): number => Math.floor(offset + elapsed);
  return {
    now,
    after(delayMs, callback) {
      const timer = { dueAt: elapsed + Math.max(0, delayMs), callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance,
    jump,
    setTo: async (at) => (at >= now() ? advance(at - now()) : jump(at - now())),
    pendingTimers: () => timers.size,
  };
}

/** Earliest timer due by then; of equals the one made first. */
function nextTimer(timers: ReadonlySet<Timer>, until: number): Timer | undefined {
  let earliest: Timer | undefined;
  for (const timer of timers) {
    if (timer.dueAt <= until && (!earliest || timer.dueAt < earliest.dueAt)) earliest = timer;
  }
  return earliest;
}

/** A few turns of the event loop. */
export async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
