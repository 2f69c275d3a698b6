import { expect, it } from "vitest";
import type { AuditedJob } from "../../faults/audit-job.ts";
import type { HeldLock } from "../../faults/audit-log.ts";
import { checkLocks } from "../../faults/checker.ts";
import type { CommitTimes } from "../../support/commit-times.ts";
import { Findings } from "../../faults/findings.ts";

const lock = (from: number, to: number): HeldLock => ({
  key: "name:a",
  task: "t",
  from: { seq: 2, at: from },
  to: { seq: 3, at: to },
});

/** Jobs that held one lock each, by their events. */
const jobsWith = (locks: Record<string, HeldLock>): ReadonlyMap<string, AuditedJob> =>
  new Map(Object.entries(locks).map(([job, held]) => [job, { log: { locks: [held] } } as unknown as AuditedJob]));

const doubled = (locks: Record<string, HeldLock>, times?: Record<string, number>): number => {
  const findings = new Findings();
  const commitTimes: CommitTimes | undefined = times && ((job, seq) => times[`${job} ${seq}`]);
  checkLocks(jobsWith(locks), findings, commitTimes);
  return findings.faults.doubled;
};

it("finds a lock that two had at once, by the times of events where there are no others", () => {
  expect(doubled({ a: lock(100, 200), b: lock(201, 300) })).toBe(0);
  expect(doubled({ a: lock(100, 200), b: lock(169, 300) })).toBe(1);
});

it("believes the times of commits: an event may be judged long before it is committed", () => {
  const judgedEarly = { a: lock(100, 200), b: lock(110, 300) };
  expect(doubled(judgedEarly, { "a 2": 105, "a 3": 205, "b 2": 206, "b 3": 305 })).toBe(0);
  const inTurn = { a: lock(100, 200), b: lock(201, 300) };
  expect(doubled(inTurn, { "a 2": 105, "a 3": 205, "b 2": 204, "b 3": 305 })).toBe(1);
});
