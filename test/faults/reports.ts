import type { CheckReport } from "./checker.ts";

/** The sum of the reports of several rounds. */
export function sumReports(reports: readonly CheckReport[]): CheckReport {
  const [first, ...others] = reports;
  if (!first) throw new Error("there is no report to sum up");
  return others.reduce(add, first);
}

function add(left: CheckReport, right: CheckReport): CheckReport {
  return {
    jobs: left.jobs + right.jobs,
    childJobs: left.childJobs + right.childJobs,
    events: left.events + right.events,
    acknowledged: left.acknowledged + right.acknowledged,
    unanswered: left.unanswered + right.unanswered,
    unansweredButThere: left.unansweredButThere + right.unansweredButThere,
    effects: left.effects + right.effects,
    repeatedEffects: left.repeatedEffects + right.repeatedEffects,
    lateEffects: left.lateEffects + right.lateEffects,
    faults: Object.fromEntries(
      Object.entries(left.faults).map(([kind, count]) => [
        kind,
        count + right.faults[kind as keyof typeof left.faults],
      ]),
    ) as CheckReport["faults"],
    examples: [...left.examples, ...right.examples].slice(0, 20),
  };
}
