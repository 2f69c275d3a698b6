import { expect, it } from "vitest";
import { runModel } from "./model-run.ts";

const workflows = Number(process.env["MODEL_WORKFLOWS"] ?? 1_500);

it(
  "the interpreter does what the reference interpreter does, after every event of random workflows",
  { timeout: 180_000 },
  () => {
    const report = runModel({ seed: 20_261_121, first: 0, count: workflows }, () => undefined);
    expect(report.differences).toEqual([]);
    expect(report.workflows).toBe(workflows);
    for (const end of ["complete", "error", "canceled"]) expect(report.ends[end]).toBeGreaterThan(0);
  },
);
