import { expect, it } from "vitest";
import { runHostile } from "./hostile-run.ts";

it("hostile inputs end in a value or an error, and change nothing of the process", { timeout: 300_000 }, async () => {
  const { sinks, findings } = await runHostile({ inputsPerSink: 13, seed: 1, deadlineMs: 250, say: () => undefined });
  expect(findings).toEqual([]);
  expect(sinks.length).toBeGreaterThanOrEqual(26);
  for (const { values, errors } of sinks) expect(values + errors).toBe(13);
  expect(sinks.filter(({ errors }) => errors > 0).length).toBeGreaterThan(10);
  expect(sinks.filter(({ values }) => values > 0).length).toBeGreaterThan(10);
});
