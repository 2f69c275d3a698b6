import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { fuzz } from "./fuzz-run.ts";

const randomSeed = Math.floor(Math.random() * 2 ** 31);

// The server runs as a process of its own, from the built code: `npm test` builds first.
test.skipIf(!existsSync("dist/main.js")).each([
  { seed: 20_260_105, documents: 150, shareAccepted: 1 / 3 },
  // Of so few operations chance accepts a third in the middle, and less as often.
  { seed: randomSeed, documents: 25, shareAccepted: 1 / 4 },
])(
  "$documents mutated documents and as many operations, seed $seed: refused or run, never a failure, a hang or a trace",
  async ({ shareAccepted, ...size }) => {
    const { failures, operations, statuses } = await fuzz(size);
    expect(failures).toEqual([]);
    expect(operations.accepted).toBeGreaterThan(Math.min(operations.built, size.documents) * shareAccepted);
    expect(statuses["2xx"]).toBeGreaterThan(size.documents);
  },
  60_000,
);
