import { expect, it } from "vitest";
import { runRace, wrongsOf } from "./race-run.ts";

// Full size: npm run races. Many requests: a busy machine takes its time.
const longestMs = 120_000;

it(
  "clients that race for jobs are answered rightly, and leave legal logs behind",
  async () => {
    const report = await runRace({ operations: 400, clients: 8, nodes: 1, seed: 20 });
    const { operations, accepted, refused, audit, problems } = report;
    expect({ problems, examples: audit.examples, faults: wrongsOf(report) }).toEqual({
      problems: [],
      examples: [],
      faults: 0,
    });
    expect(accepted).toBeGreaterThan(operations / 5);
    expect(refused).toBeGreaterThan(operations / 20);
    expect(audit.ends["complete"]).toBeGreaterThan(0);
  },
  longestMs,
);
