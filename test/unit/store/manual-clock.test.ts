import { describe, expect, it } from "vitest";
import { createManualClock } from "../../support/manual-clock.ts";

describe("the manual clock", () => {
  it("fires timers in order of their moments, each at its own, also those made meanwhile", async () => {
    const clock = createManualClock(0);
    const fired: [string, number][] = [];
    const note = (name: string) => () => fired.push([name, clock.now()]);
    clock.after(300, note("c"));
    clock.after(100, () => {
      note("a")();
      clock.after(50, note("b"));
    });
    const cancel = clock.after(200, note("never"));
    cancel();
    await clock.advance(299);
    expect(fired).toEqual([
      ["a", 100],
      ["b", 150],
    ]);
    await clock.advance(1);
    expect(fired.at(-1)).toEqual(["c", 300]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("goes to a moment, and jumps without time passing", async () => {
    const clock = createManualClock(1000);
    let firedAt = 0;
    clock.after(500, () => (firedAt = clock.now()));
    clock.jump(3600);
    expect([clock.now(), firedAt]).toEqual([4600, 0]);
    await clock.setTo(1000);
    expect([clock.now(), firedAt]).toEqual([1000, 0]);
    await clock.setTo(2000);
    expect([clock.now(), firedAt]).toEqual([2000, 1500]);
  });
});
