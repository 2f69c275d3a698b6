import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JobSize } from "../../../src/workflow-engine/jobs/job-size.ts";

const text = (length: number) => "x".repeat(length);

/** Writes events of such lengths with a state of such lengths; answers the snapshots by the number of their event. */
function snapshotsOf(events: readonly number[], stateAt: (event: number) => number): Map<number, number> {
  const size = new JobSize();
  const snapshots = new Map<number, number>();
  events.forEach((length, index) => {
    size.grow(text(length), []);
    if (!size.isSnapshotDue) return;
    const state = stateAt(index + 1);
    size.reset(text(state), []);
    snapshots.set(index + 1, state);
  });
  return snapshots;
}

describe("snapshots of a job", () => {
  it("come after every 200 events of a usual job", () => {
    expect([
      ...snapshotsOf(
        Array.from({ length: 700 }, () => 300),
        () => 5_000,
      ).keys(),
    ]).toEqual([200, 400, 600]);
  });

  it("come earlier when events are long, so that what is replayed stays within memory", () => {
    expect([
      ...snapshotsOf(
        Array.from({ length: 10 }, () => 1_000_000),
        () => 100,
      ).keys(),
    ]).toEqual([4, 8]);
  });

  it("take no more room than the events and one state, however the state grows", () => {
    const lengths = fc.array(fc.integer({ min: 50, max: 3_000 }), { minLength: 300, maxLength: 3_000 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 40 }), (events, growth) => {
        const snapshots = [...snapshotsOf(events, (event) => event * growth).values()];
        const written = snapshots.reduce((sum, length) => sum + length, 0);
        const largest = snapshots.at(-1) ?? 0;
        expect(written - largest).toBeLessThanOrEqual(events.reduce((sum, length) => sum + length, 0));
      }),
      { numRuns: 30 },
    );
  });
});
