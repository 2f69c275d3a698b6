import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPostgresAvailable } from "../support/temporary-database.ts";
import { mountSmallDisk } from "./small-disk.ts";
import { openLaboratory, type Laboratory } from "./laboratory.ts";
import { storeKinds, type StoreKind } from "./premises.ts";
import { programmes } from "./programmes.ts";

// Each programme in its smallest size. `npm run faults -- PROGRAMME` runs them in full.

const seed = 20_260_105;
const hasPostgres = await isPostgresAvailable();
// Whole servers run from the built code: `npm test` builds first.
const isBuilt = existsSync("dist/main.js");
const canMount = await mountSmallDisk(1).then(
  (disk) => disk.remove().then(() => true),
  () => false,
);

let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await openLaboratory();
});
afterAll(() => laboratory.close());

/** Runs a programme and expects that it finds nothing. */
async function expectNoFaults(name: string, stores: readonly StoreKind[], sizes: Record<string, number>) {
  const told: string[] = [];
  const size = (of: string, fallback: number) => sizes[of] ?? fallback;
  const report = await programmes[name]!(laboratory, { stores, seed, size, say: (line) => told.push(line) });
  expect({ faults: report.faults, told: report.faults > 0 ? told : [] }).toEqual({ faults: 0, told: [] });
  return report.runs;
}

describe.each(storeKinds)("on %s", (kind) => {
  const isMissing = kind === "postgres" && !hasPostgres;

  test.skipIf(isMissing)(
    "a node that kills itself at one of its points after the other loses, doubles and forgets nothing",
    async () => {
      const [run] = await expectNoFaults("kill", [kind], { jobs: 60, kills: 6 });
      expect(run).toMatchObject({ kills: 6 });
    },
    120_000,
  );

  test.skipIf(isMissing)(
    "statements that fail lose, double and forget nothing",
    async () => {
      const [run] = await expectNoFaults("statements", [kind], { jobs: 60 });
      expect((run as { failed: number }).failed).toBeGreaterThan(0);
    },
    90_000,
  );

  test.skipIf(isMissing)(
    "jobs that people and time take away go whole, each with its place in the archive, whoever dies",
    async () => {
      const [run] = await expectNoFaults("removal", [kind], { jobs: 18, kills: 3 });
      expect(run).toMatchObject({ kills: 3 });
    },
    120_000,
  );

  test.skipIf(isMissing || !isBuilt)(
    "a start that was killed is followed by one that works",
    async () => {
      await expectNoFaults("start", [kind], { kills: 4 });
    },
    60_000,
  );

  test.skipIf(isMissing)(
    "timers fire once and at their time whatever is done to the time of day",
    async () => {
      await expectNoFaults("clock", [kind], { timers: 100, jumps: 3 });
    },
    60_000,
  );

  test.skipIf(isMissing || !isBuilt || !canMount)(
    "a full disk refuses new work and heals by itself",
    async () => {
      await expectNoFaults("disk-full", [kind], { fills: 1 });
    },
    90_000,
  );
});

describe("on a server of its own", () => {
  test.skipIf(!isBuilt)(
    "a server that is killed again and again loses, doubles and forgets nothing",
    async () => {
      await expectNoFaults("server", [], { jobs: 24, kills: 3 });
    },
    90_000,
  );

  test.skipIf(!hasPostgres)(
    "a node that stood still for longer than its lease doubles nothing",
    async () => {
      await expectNoFaults("stop", [], { stops: 3, jobs: 30 });
    },
    60_000,
  );

  test.skipIf(!hasPostgres)(
    "PostgreSQL that is killed loses nothing that was acknowledged",
    async () => {
      await expectNoFaults("postgres-kill", [], { kills: 2, jobs: 20 });
    },
    90_000,
  );

  test.skipIf(!hasPostgres || !isBuilt)(
    "an API whose database is cut off answers 503 and comes back",
    async () => {
      await expectNoFaults("partitions", [], { cuts: 3, jobs: 30, longest: 2_500 });
    },
    90_000,
  );

  test.skipIf(!hasPostgres || !isBuilt)(
    "what a dead node had under way is done by the other",
    async () => {
      const [run] = await expectNoFaults("nodes", [], { nodes: 2, kills: 2, jobs: 30 });
      expect((run as { longestTakeOverMs: number }).longestTakeOverMs).toBeLessThan(10_000);
    },
    90_000,
  );
});
