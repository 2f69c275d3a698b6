import type { WorkflowTask } from "../../src/workflow-engine/workflow-schema.ts";
import { compareScenario, type Comparison } from "./compare.ts";
import { createProductEnvironment } from "./product-job.ts";
import { randomScenario, type Scenario } from "./random-workflows.ts";
import { edgesOf } from "./reference-graph.ts";
import { shrink } from "./shrink.ts";

/** Which workflows: `count` from number `first` of the seed on. */
export type ModelRange = { seed: number; first: number; count: number };

/** What was compared. `ends` counts the states in which jobs were left. */
export type ModelReport = {
  workflows: number;
  tasks: number;
  events: number;
  ends: Record<string, number>;
  differences: FoundDifference[];
};

/** A difference: the number of its workflow under the seed, and the smallest workflow that still shows one. */
export type FoundDifference = { seed: number; index: number; what: string; smallest: string[] };

const mostDifferences = 20;
const schedulesToShrinkBy = 4;
const mostTraced = 15;

/** Compares the interpreter with the reference on random workflows, one schedule each. */
export function runModel({ seed, first, count }: ModelRange, say: (line: string) => void): ModelReport {
  const environment = createProductEnvironment();
  const report: ModelReport = { workflows: 0, tasks: 0, events: 0, ends: {}, differences: [] };
  for (let index = first; index < first + count && report.differences.length < mostDifferences; index++) {
    const scenario = randomScenario(seedOf(seed, index));
    const comparison = compareScenario(scenario, 0, environment);
    addTo(report, scenario, comparison);
    if (report.workflows % 10_000 === 0) say(`${report.workflows} workflows from ${first} on, ${report.events} events`);
    if (!comparison.difference) continue;
    const smallest = smallestOf(scenario, comparison);
    report.differences.push({ seed, index, ...smallest });
    say(`seed ${seed}, workflow ${index}: ${smallest.what}\n  ${smallest.smallest.join("\n  ")}`);
  }
  return report;

  function smallestOf(scenario: Scenario, found: Comparison): Pick<FoundDifference, "what" | "smallest"> {
    const failing = (candidate: Scenario): Comparison | undefined =>
      Array.from({ length: schedulesToShrinkBy }, (_, schedule) => schedule)
        .map((schedule) => compareScenario(candidate, schedule, environment))
        .find(({ difference }) => difference);
    const small = shrink(scenario, (candidate) => failing(candidate) !== undefined);
    const { difference } = failing(small) ?? found;
    return {
      what: difference?.what ?? "",
      smallest: [...notation(small), ...(difference?.trace ?? []).slice(-mostTraced)],
    };
  }
}

/** Seeds of neighbours have nothing in common. */
function seedOf(seed: number, index: number): number {
  return (Math.imul(seed, 0x9e3779b1) + Math.imul(index + 1, 0x85ebca6b)) >>> 0;
}

function addTo(report: ModelReport, { workflow }: Scenario, { events, end }: Comparison): void {
  report.workflows += 1;
  report.tasks += Object.keys(workflow.tasks).length - 2;
  report.events += events;
  report.ends[end] = (report.ends[end] ?? 0) + 1;
}

/** A scenario in short lines. */
function notation({ workflow, mocks }: Scenario): string[] {
  const tasks = Object.entries(workflow.tasks).filter(([, task]) => Object.keys(task).length > 1);
  const edges = edgesOf(workflow).map(
    ({ from, to, state, isRevert }) => `${from} >${state}${isRevert ? "~" : ">"} ${to}`,
  );
  const mocked = Object.keys(mocks).length > 0 ? [`mocks ${JSON.stringify(mocks)}`] : [];
  return [...tasks.map(([task, document]) => `${task}: ${taskText(document)}`), edges.join(", "), ...mocked];
}

function taskText(task: WorkflowTask): string {
  const { name, variables } = task;
  const options = ["retrySettings", "join", "cancelOthers", "loop"].filter((option) => Object.hasOwn(task, option));
  const said = options.map((option) => ` ${option} ${JSON.stringify((task as Record<string, unknown>)[option])}`);
  return `${name} ${JSON.stringify(variables?.incoming)} -> ${JSON.stringify(variables?.outgoing)}${said.join("")}`;
}

/** The reports of parts of a run as one. */
export function joinReports(reports: readonly ModelReport[]): ModelReport {
  const ends: Record<string, number> = {};
  for (const [end, count] of reports.flatMap((report) => Object.entries(report.ends)))
    ends[end] = (ends[end] ?? 0) + count;
  const sum = (part: "workflows" | "tasks" | "events") => reports.reduce((total, report) => total + report[part], 0);
  return {
    workflows: sum("workflows"),
    tasks: sum("tasks"),
    events: sum("events"),
    ends,
    differences: reports.flatMap(({ differences }) => differences),
  };
}
