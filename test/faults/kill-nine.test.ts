import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { killNine } from "./kill-nine.ts";

// The server runs as a process of its own, from the built code: `npm test` builds first.
test.skipIf(!existsSync("dist/main.js"))(
  "a server that is killed again and again loses, doubles and forgets no job",
  async () => {
    const told: string[] = [];
    const report = await killNine({ jobs: 24, kills: 4, say: (line) => told.push(line) });
    const { lost, doubled, stuck, different, kills, jobs, unacknowledged } = report;
    expect({ lost, doubled, stuck, different, told }).toEqual({
      lost: 0,
      doubled: 0,
      stuck: 0,
      different: 0,
      told: [],
    });
    expect(kills).toBe(4);
    expect(jobs + unacknowledged).toBe(24);
  },
  90_000,
);
