import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { atRandom, everyNth, type FaultKind } from "./store-faults-plans.ts";
import { openFaultBench, runWithFaults, type FaultBench, type FaultReport } from "./store-faults-run.ts";

const kinds: readonly FaultKind[] = ["fail before", "fail after", "tear"];
const randomSeed = Math.floor(Math.random() * 1_000_000);

describe.each(kinds)("commits that %s", (kind) => {
  let bench: FaultBench;
  beforeAll(async () => {
    bench = await openFaultBench();
  });
  afterAll(() => bench.server.stop());

  test("every shape completes without faults", () => {
    expect(bench.expected.map((outcome) => outcome.status)).toEqual(bench.expected.map(() => "complete"));
  });

  test.each([1, 2, 3, 5, 7])("every commit number n × %i: no job is lost, doubled or stuck", async (n) => {
    expectGood(kind, await runWithFaults(bench, kind, everyNth(n)));
  });

  test.each([20_260_105, randomSeed])("commits at random, seed %i: no job is lost, doubled or stuck", async (seed) => {
    expectGood(kind, await runWithFaults(bench, kind, atRandom(seed, 0.3)));
  });
});

function expectGood(kind: FaultKind, report: FaultReport): void {
  const { acknowledged, refused, stored, injected, strange, lost, wrong } = report;
  expect({ strange, lost, wrong }).toEqual({ strange: [], lost: [], wrong: [] });
  expect(acknowledged + refused).toBe(30);
  // A start whose answer was lost did happen; one that failed before or on the way left nothing.
  expect(stored).toBe(kind === "fail after" ? 30 : acknowledged);
  expect(injected).toBeGreaterThan(20);
}
