import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { handleEvent } from "../../../src/workflow-engine/interpreter/advance.ts";
import { applyChange, createState } from "../../../src/workflow-engine/interpreter/apply-change.ts";
import type { Change } from "../../../src/workflow-engine/interpreter/changes.ts";
import type { JobState, JobStatus } from "../../../src/workflow-engine/interpreter/job-state.ts";
import {
  jobOperations,
  jobSteps,
  taskSteps,
  type JobOperation,
  type StatusStep,
} from "../../../src/workflow-engine/interpreter/state-machines.ts";
import { playWithRepairs, randomRepairs } from "../../support/random-repairs.ts";
import { randomWorkflow } from "../../support/random-workflow.ts";
import { eventOf, failTask, jobIn, jobWithErrorLeft } from "../../support/repairs.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const page = readFileSync(new URL("../../../docs/explanations/states.md", import.meta.url), "utf8");
const statuses: readonly JobStatus[] = ["running", "paused", "error", "complete", "canceled"];
const operations = Object.keys(jobOperations) as JobOperation[];

/** Ways of a diagram of the page, one line for each cause. */
function drawnSteps(diagram: number): string[] {
  const text = [...page.matchAll(/```mermaid\n(.*?)```/gsu)][diagram]?.[1] ?? "";
  const lines = [...text.matchAll(/^ {2}(\w+) --> (\w+): (.+)$/gmu)];
  return lines
    .flatMap(([, from, to, causes = ""]) => causes.split(", ").map((by) => `${from} > ${to} by ${by}`))
    .sort();
}

function listed(steps: readonly StatusStep<string>[]): string[] {
  return steps.map(({ from, to, by }) => `${from} > ${to} by ${by}`).sort();
}

describe("the page of states", () => {
  it("draws the state machine of jobs as the code has it", () => {
    expect(drawnSteps(0)).toEqual(listed(jobSteps));
  });

  it("draws the state machine of tasks as the code has it", () => {
    expect(drawnSteps(1)).toEqual(listed(taskSteps));
  });

  it("lists operations by status as the code has them", () => {
    const rows = [...page.matchAll(/^\| (\w+) +\|(.+)\|$/gmu)].filter(([, name = ""]) =>
      Object.hasOwn(jobOperations, name),
    );
    const table = rows.map(([, name, cells = ""]) =>
      [name, ...cells.split("|").map((cell) => cell.trim())].join(" | "),
    );
    const rules = operations.map((name) =>
      [name, ...statuses.map((status) => jobOperations[name].leads[status]?.join(", ") ?? "–")].join(" | "),
    );
    expect(table.slice(0, rules.length)).toEqual(rules);
  });
});

describe("operations on jobs", () => {
  const cells = operations.flatMap((operation) => statuses.map((status) => ({ operation, status })));
  // What needs a task in error finds one in a running job only after a repair that left it so.
  const inStatus = (operation: JobOperation, status: JobStatus) =>
    operation === "retry" && status === "running" ? jobWithErrorLeft() : jobIn(status);

  it.each(cells)("$operation of a job that is $status does what the table says", ({ operation, status }) => {
    const { state, context, at } = inStatus(operation, status);
    expect(state.status).toBe(status);
    const handle = () => handleEvent(state, eventOf[operation], { ...context, at }).state.status;
    const ends = jobOperations[operation].leads[status];
    if (ends) expect(ends).toContain(handle());
    else expect(handle).toThrow(`Job is ${status === "paused" && operation === "pause" ? "already paused" : status}`);
  });

  it("retry leaves a job in error while another task is", () => {
    const job = failTask(jobIn("error"), "b").send(eventOf.retry);
    expect(job.state.status).toBe("error");
  });
});

/** The status steps that a job's log shows, one change at a time. */
function seenSteps(job: SimulatedJob): { jobs: string[]; tasks: string[] } {
  const { workflow } = job.context;
  const state = createState(job.origin, 1_000_000, workflow);
  const jobs: string[] = [];
  const tasks: string[] = [];
  for (const { cause, changes } of job.deltas) {
    for (const change of changes) {
      const before = { status: state.status, tasks: new Map(state.tasks) };
      applyChange(state, change, workflow);
      if (state.status !== before.status) {
        jobs.push(`${before.status} > ${state.status} by ${jobCause(cause.event, state)}`);
      }
      tasks.push(...taskStepsOf(before.tasks, state, change));
    }
  }
  return { jobs, tasks };
}

function taskStepsOf(before: JobState["tasks"], { tasks }: JobState, change: Change): string[] {
  return [...tasks].flatMap(([id, { status: to }]) => {
    const from = before.get(id)?.status ?? "";
    return from === to ? [] : [`${from} > ${to} by ${taskCause(change, from)}`];
  });
}

function jobCause(event: string, { status }: JobState): string {
  if (status === "complete") return "end";
  if (status === "canceled") return "cancel";
  return status === "error" ? "failure" : event;
}

function taskCause({ change }: Change, from: string): string {
  if (change === "requeued") return requeuedBy[from] ?? from;
  return causes[change] ?? change;
}

const requeuedBy: Readonly<Record<string, string>> = { running: "retrySettings", error: "resume", scheduled: "lock" };

const causes: Readonly<Record<string, string>> = {
  started: "start",
  scheduled: "start",
  finished: "finish",
  waiting: "retrySettings",
  reverted: "revert",
  continued: "revert",
  retried: "retry",
  looped: "loop",
  status: "cancel",
  canceled: "cancel",
};

/** Jobs that retry by themselves and loop. */
function ownJobs(): SimulatedJob[] {
  const retrySettings = { state: ["error", "failure"], limit: 2, delay: 10 };
  const call = { app: "Outside", location: "Adapter" };
  const retrying = new SimulatedJob(
    workflowOf("retrying", { a: { ...call, retrySettings } }, ["start > a", "a > end"]),
  );
  retrying.answer("a", "error").ring("a").answer("a", "failure").ring("a").answer("a");
  const looping = new SimulatedJob(
    workflowOf("looping", { f: { name: "forEach", incoming: { data_array: [1, 2, 3] } }, a: call, b: {} }, [
      "start > f",
      "f >loop> a",
      "a >error> b",
      "f > end",
    ]),
  );
  looping.answer("a").answer("a", "error").answer("a");
  return [retrying, looping];
}

/** Jobs with a lock, which the tests give and refuse. */
function lockingJobs(): SimulatedJob[] {
  const workflow = workflowOf("locking", { a: { app: "Outside", location: "Adapter", lock: "line" } }, [
    "start > a",
    "a > end",
  ]);
  const asked = { task: "a", iteration: 1 };
  const waiting = () => new SimulatedJob(workflow);
  return [
    waiting()
      .send({ event: "lockGranted", ...asked })
      .answer("a"),
    waiting()
      .send({ event: "pause", by: tester })
      .send({ event: "lockPassed", ...asked }),
    waiting().send({ event: "lockRefused", ...asked, waits: [] }),
    waiting().send({ event: "revert", to: "a", by: tester }),
    waiting().send({ event: "cancel", by: tester }),
  ];
}

/** Jobs whose tasks cancel others, and undo others. */
function cancelingJobs(): SimulatedJob[] {
  const call = { app: "Outside", location: "Adapter" };
  const first = { ...call, cancelOthers: ["b"] };
  const racing = workflowOf("racing", { a: first, b: { ...call }, c: { ...call } }, [
    "start > a",
    "start > b",
    "a > c",
    "b > c",
    "c > end",
  ]);
  const looping = workflowOf(
    "racing in a loop",
    { f: { name: "forEach", incoming: { data_array: [1, 2] } }, a: first, b: { ...call } },
    ["start > f", "f >loop> a", "f >loop> b", "f > end"],
  );
  const undoing = workflowOf("undoing", { a: { ...call, compensation: "u" }, b: { ...call }, u: { ...call } }, [
    "start > a",
    "a > b",
    "b > end",
    "b >failure~ a",
  ]);
  const done = () => new SimulatedJob(undoing).answer("a");
  return [
    new SimulatedJob(racing).answer("a").send({ event: "revert", to: "workflow_start", by: tester }),
    new SimulatedJob(racing).answer("b", "error").answer("a"),
    new SimulatedJob(looping).answer("a").answer("a"),
    done()
      .send({ event: "revert", to: "a", by: tester })
      .answer("u")
      .answer("a")
      .send({ event: "cancel", by: tester })
      .answer("u"),
    done().answer("b", "error").send({ event: "cancel", by: tester }),
    done().send({ event: "pause", by: tester }).send({ event: "cancel", by: tester }),
  ];
}

describe("what jobs and tasks go through", () => {
  it("is what the tables list, and all of it", () => {
    const random = fc.sample(fc.tuple(randomWorkflow, randomRepairs), { numRuns: 100, seed: 7 });
    const jobs = [
      ...ownJobs(),
      ...lockingJobs(),
      ...cancelingJobs(),
      ...random.map(([scenario, repairs]) => playWithRepairs(scenario, repairs)),
      jobIn("paused").send({ event: "resume", by: tester }),
      failTask(jobIn("error"), "b").send(eventOf.cancel),
    ];
    const seen = jobs.map(seenSteps);
    expect([...new Set(seen.flatMap(({ tasks }) => tasks))].sort()).toEqual(listed(taskSteps));
    expect([...new Set(seen.flatMap(({ jobs }) => jobs))].sort()).toEqual(listed(jobSteps));
  });
});
