import { describe, expect, it } from "vitest";
import { createSteadyClock, createSystemClock, type SteadyClock } from "../../../src/core/clock.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Bench {
  /** Its timers run on monotonic time; its time of day is what `set` made of it. */
  machine: ManualClock;
  steady: SteadyClock;
  jumps: { jumpMs: number; offMs: number }[];
  /** Time since the beginning, whatever was done to the time of day. */
  passed(): number;
  /** Sets the time of day. */
  set(ms: number): void;
  sleep(ms: number): void;
}

const startAt = Date.UTC(2024, 5, 1);

function createBench(from = startAt, canTellUptime = true): Bench {
  const machine = createManualClock(from);
  const jumps: Bench["jumps"] = [];
  let set = 0;
  let slept = 0;
  const passed = (): number => machine.now() - from - set;
  const steady = createSteadyClock({
    wall: machine.now,
    monotonic: passed,
    uptime: () => (canTellUptime ? 5 * dayMs + passed() + slept : Number.NaN),
    after: machine.after,
    onJump: (jump) => jumps.push(jump),
  });
  const jump = (ms: number): void => {
    set += ms;
    machine.jump(ms);
  };
  return {
    machine,
    steady,
    jumps,
    passed,
    set: jump,
    sleep(ms) {
      slept += ms;
      jump(ms);
    },
  };
}

/** Looks at the clock every second while time passes; answers the largest step it made. */
async function watchFor({ machine, steady }: Bench, ms: number): Promise<number> {
  let largest = 0;
  let before = steady.now();
  for (let passed = 0; passed < ms; passed += 1000) {
    await machine.advance(1000);
    const now = steady.now();
    largest = Math.max(largest, Math.abs(now - before - 1000));
    before = now;
  }
  return largest;
}

describe("a steady clock", () => {
  it("is the time of day while nobody sets that", async () => {
    const bench = createBench();
    for (const ms of [0, 1, 999, hourMs, dayMs]) {
      await bench.machine.advance(ms);
      expect(bench.steady.now()).toBe(bench.machine.now());
    }
    expect(bench.steady.offMs()).toBe(0);
    expect(bench.jumps).toEqual([]);
  });

  it.each([hourMs, -hourMs, dayMs, -dayMs])(
    "goes on when the time of day is set by %i ms, and tells it once",
    async (ms) => {
      const bench = createBench();
      await watchFor(bench, 5000);
      bench.set(ms);
      expect(bench.steady.now()).toBe(startAt + 5000);
      expect(bench.steady.offMs()).toBe(ms);
      expect(await watchFor(bench, 60_000)).toBeLessThanOrEqual(1);
      expect(Math.abs(bench.steady.now() - (startAt + 65_000))).toBeLessThanOrEqual(60);
      expect(bench.jumps).toEqual([{ jumpMs: ms, offMs: ms }]);
    },
  );

  it("follows the time of day by a millisecond per second until it has it", async () => {
    const bench = createBench();
    bench.set(100);
    await watchFor(bench, 50_000);
    expect(bench.steady.offMs()).toBe(50);
    await watchFor(bench, 60_000);
    expect(bench.steady.offMs()).toBe(0);
    expect(bench.steady.now()).toBe(bench.machine.now());
  });

  it("takes a leap second, which the time of day repeats, without going back", async () => {
    const bench = createBench(Date.UTC(2016, 11, 31, 23, 59, 58));
    await bench.machine.advance(2000);
    const before = bench.steady.now();
    bench.set(-1000);
    await bench.machine.advance(500);
    expect(bench.steady.now() - before).toBeGreaterThanOrEqual(499);
    expect(await watchFor(bench, 1_100_000)).toBeLessThanOrEqual(1);
    expect(bench.steady.offMs()).toBe(0);
    expect(bench.jumps).toEqual([]);
  });

  it("keeps up with a machine whose time of day is slewed", async () => {
    const bench = createBench();
    for (let second = 0; second < 600; second++) {
      await watchFor(bench, 1000);
      if (second % 2 === 0) bench.set(1);
    }
    expect(Math.abs(bench.steady.offMs())).toBeLessThanOrEqual(1);
    expect(bench.jumps).toEqual([]);
  });

  it("makes up for a long time unasked by ten milliseconds at most", async () => {
    const bench = createBench();
    await bench.machine.advance(dayMs);
    bench.set(-hourMs);
    await bench.machine.advance(1);
    expect(bench.steady.now()).toBeGreaterThanOrEqual(startAt + dayMs + 1 - 10);
  });

  it("passes 2038", async () => {
    const bench = createBench(2 ** 31 * 1000 - 5000);
    await bench.machine.advance(10_000);
    expect(bench.steady.now()).toBe(2 ** 31 * 1000 + 5000);
    expect(new Date(bench.steady.now()).toISOString()).toBe("2038-01-19T03:14:13.000Z");
  });

  it("takes sleep of the machine for time that passed, and a clock set while awake not", async () => {
    const bench = createBench();
    await bench.machine.advance(1000);
    bench.sleep(8 * hourMs);
    expect(bench.steady.now()).toBe(bench.machine.now());
    expect(bench.jumps).toEqual([]);
    bench.set(hourMs);
    bench.sleep(hourMs);
    await bench.machine.advance(1000);
    expect(bench.steady.now()).toBeLessThanOrEqual(startAt + 9 * hourMs + 2001);
    expect(bench.jumps).toMatchObject([{ jumpMs: hourMs }]);
  });

  it("goes on where nobody can tell whether the machine slept", async () => {
    const bench = createBench(startAt, false);
    bench.sleep(8 * hourMs);
    expect(bench.steady.now()).toBe(startAt);
    expect(bench.jumps).toHaveLength(1);
  });

  it("never goes back, and answers whole milliseconds", async () => {
    let monotonic = 0;
    let wall = startAt;
    const steady = createSteadyClock({
      wall: () => wall,
      monotonic: () => monotonic,
      uptime: () => monotonic,
      after: () => () => undefined,
      onJump: () => undefined,
    });
    let before = steady.now();
    for (let step = 1; step < 2000; step++) {
      monotonic += (step * 7919) % 13.37;
      wall += step % 3 === 0 ? -5000 : 4999;
      const now = steady.now();
      expect(now).toBeGreaterThanOrEqual(before);
      expect(Number.isInteger(now)).toBe(true);
      before = now;
    }
  });

  it("lets 5,000 timers fire once each through 40 jumps, none early or late by more than a second", async () => {
    const bench = createBench();
    const { machine, steady, passed } = bench;
    const random = linearRandom(7);
    const fired = new Map<number, number[]>();
    for (let index = 0; index < 5000; index++) {
      const dueAt = steady.now() + Math.floor(random() * 1000) * 600;
      // As the dispatcher does: rings for a moment, and rings again when that has not come yet.
      const ring = (): void => {
        const waitMs = dueAt - steady.now();
        if (waitMs > 0) void steady.after(waitMs, ring);
        else fired.set(index, [...(fired.get(index) ?? []), passed() - (dueAt - startAt)]);
      };
      ring();
    }
    for (let jump = 0; jump < 40; jump++) {
      await machine.advance(15_000);
      bench.set(Math.round((random() - 0.5) * 4 * dayMs));
    }
    await machine.advance(10_000);
    expect(fired.size).toBe(5000);
    const firings = [...fired.values()];
    expect(firings.every((times) => times.length === 1)).toBe(true);
    expect(Math.max(...firings.flat().map(Math.abs))).toBeLessThanOrEqual(1000);
    steady.now();
    expect(bench.jumps.length).toBe(40);
  });
});

describe("the clock of this machine", () => {
  it("tells the time of day, and cancels timers", () => {
    const clock = createSystemClock();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
    expect(Math.abs(clock.offMs())).toBeLessThan(1000);
    clock.after(0, () => {
      throw new Error("it was cancelled");
    })();
  });
});

/** Numbers from 0 to 1 that are the same in every run. */
function linearRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
