import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultCount } from "./findings.ts";
import { atRandom, everyNth, type FaultKind } from "./store-faults-plans.ts";
import { openFaultBench, runWithFaults, type FaultBench, type FaultReport } from "./store-faults-run.ts";

const kinds: readonly FaultKind[] = ["fail before", "fail after", "tear"];
const randomSeed = Math.floor(Math.random() * 1_000_000);

describe.each(kinds)("commits that %s", (kind) => {
  let bench: FaultBench;
  beforeAll(async () => {
    bench = await openFaultBench();
  }, 120_000);
  afterAll(() => bench.server.stop());

  test.each([1, 2, 3, 5, 7])("every commit number n × %i: no job is lost, doubled or stuck", async (n) => {
    expectGood(kind, await runWithFaults(bench, kind, everyNth(n)));
  });

  test.each([20_260_105, randomSeed])("commits at random, seed %i: no job is lost, doubled or stuck", async (seed) => {
    expectGood(kind, await runWithFaults(bench, kind, atRandom(seed, 0.3)));
  });
});

function expectGood(kind: FaultKind, report: FaultReport): void {
  const { acknowledged, refused, refusedStarts, refusedButThere, injected, strange, checked } = report;
  expect({ strange, examples: checked.examples }).toEqual({ strange: [], examples: [] });
  expect(faultCount(checked)).toBe(0);
  expect(acknowledged + refused).toBe(30);
  // A start whose answer was lost did happen; one that failed before or on the way left nothing.
  expect(refusedButThere).toBe(kind === "fail after" ? refusedStarts : 0);
  expect(injected).toBeGreaterThan(20);
}
