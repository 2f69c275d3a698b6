import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { fuzz } from "./fuzz-run.ts";

const randomSeed = Math.floor(Math.random() * 2 ** 31);

// Good requests are accepted but for a few in a thousand: of 25 operations all, as good as always.
const shareAccepted = 2 / 3;

// The server runs as a process of its own, from the built code: `npm test` builds first.
test.skipIf(!existsSync("dist/main.js")).each([
  { seed: 20_260_105, documents: 150 },
  { seed: randomSeed, documents: 25 },
])(
  "$documents mutated documents and as many operations, seed $seed: refused or run, never a failure, a hang or a trace",
  async (size) => {
    const { failures, operations, statuses } = await fuzz(size);
    expect(failures).toEqual([]);
    expect(operations.accepted).toBeGreaterThan(Math.min(operations.built, size.documents) * shareAccepted);
    expect(statuses["2xx"]).toBeGreaterThan(size.documents);
  },
  60_000,
);
