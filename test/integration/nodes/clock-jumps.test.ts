import { expect, it } from "vitest";
import { createSteadyClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { createDispatcher } from "../../../src/work-queue/dispatcher/dispatcher.ts";
import { workItem } from "../../conformance/work-queue/queue-harness.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createTemporaryStore } from "../../support/store-sqlite.ts";

const dayMs = 86_400_000;
const jumpEveryMs = 5_000;

/** Jumps as they happen: an hour, a day, a leap second, seasons of the clock, years, and anything. */
const jumps = [3_600_000, -3_600_000, dayMs, -dayMs, -1000, 1000, 20 * 365 * dayMs, -20 * 365 * dayMs];

it("5,000 timers fire once each through 40 jumps of the time of day, none early by more than a second", async () => {
  const machine = createManualClock();
  const startAt = machine.now();
  let set = 0;
  const passed = (): number => machine.now() - startAt - set;
  const clock = createSteadyClock({
    wall: machine.now,
    monotonic: passed,
    uptime: passed,
    after: machine.after,
    onJump: () => undefined,
  });
  const store = await createTemporaryStore();
  const queue = createDispatcher({ store, clock, logger: silentLogger });
  const firings: { id: string; earlyMs: number }[] = [];
  await queue.start(async ({ id, runAt }) => {
    firings.push({ id, earlyMs: runAt - startAt - passed() });
    await store.commit([queue.complete(id)]);
  });
  const items = Array.from({ length: 5000 }, (_, index) =>
    workItem(`t${index}`, startAt + 1000 + Math.floor(index / 10) * 400),
  );
  await store.commit(items.map((item) => queue.enqueue(item)));
  queue.committed(items);

  for (let jump = 0; jump < 40; jump++) {
    await machine.advance(jumpEveryMs);
    const ms = jumps[jump] ?? Math.round(Math.sin(jump) * 3 * dayMs);
    set += ms;
    machine.jump(ms);
  }
  await machine.advance(5000);

  expect(firings).toHaveLength(5000);
  expect(new Set(firings.map(({ id }) => id)).size).toBe(5000);
  const early = firings.map(({ earlyMs }) => earlyMs);
  expect(Math.max(...early)).toBeLessThanOrEqual(1000);
  expect(Math.min(...early)).toBeGreaterThan(-2000);
  await queue.stop();
  await store.close();
});
