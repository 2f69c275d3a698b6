import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replay } from "../../../src/workflow-engine/jobs/job-log.ts";
import { documentOfState, stateOfDocument, type StateDocument } from "../../../src/workflow-engine/jobs/log-format.ts";
import { createState } from "../../../src/workflow-engine/interpreter/apply-change.ts";
import type { Change } from "../../../src/workflow-engine/interpreter/changes.ts";
import type { Effect } from "../../../src/workflow-engine/interpreter/draft.ts";
import { isUnderWay, type JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import type { WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { randomWorkflow, type RandomResult } from "../../support/random-workflow.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";

const runs = Math.ceil(Number(process.env["PROPERTY_RUNS"] ?? 1_500) / 4);

/** What a task of a random workflow asks for beyond its transitions. */
const option = fc.constantFrom(
  {},
  {},
  { join: "any" },
  { join: 2 },
  { join: "any", cancelOthers: true },
  { cancelOthers: ["t2"] },
  { cancelOthers: ["t3", "t5"] },
  { lock: "line" },
  { lock: { device: "edge" } },
  { compensation: "undo" },
);

const scenario = fc
  .record({
    base: randomWorkflow,
    options: fc.array(option, { minLength: 12, maxLength: 12 }),
    undoneBy: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    cancelAt: fc.option(fc.nat(40)),
  })
  .map(({ base, options, cancelAt }) => ({ ...base, cancelAt, workflow: withOptions(base.workflow, options) }));

/** Each task that is to be undone gets a task of its own for it. */
function withOptions(workflow: WorkflowDocument, options: readonly object[]): WorkflowDocument {
  const own = Object.entries(workflow.tasks).filter(([id]) => id.startsWith("t"));
  const tasks = { ...workflow.tasks };
  for (const [index, [id, task]] of own.entries()) {
    const given = options[index] ?? {};
    const isUndone = "compensation" in given;
    tasks[id] = { ...task, ...given, ...(isUndone ? { compensation: `undo ${id}` } : {}) };
    if (isUndone) tasks[`undo ${id}`] = { name: "outside", app: "Outside", location: "Adapter" };
  }
  return { ...workflow, tasks };
}

/** Who has each lock, as the engine's lock work would keep it. */
class Locks {
  readonly held = new Map<string, number>();
  readonly #waiting = new Map<number, string>();

  take(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.effect === "acquireLock") this.#waiting.set(effect.iteration, effect.key);
      if (effect.effect !== "releaseLock") continue;
      this.#waiting.delete(effect.iteration);
      if (this.held.get(effect.key) === effect.iteration) this.held.delete(effect.key);
    }
  }

  /** Gives a free lock to an iteration that waits for it. */
  grant(): number | undefined {
    const next = [...this.#waiting].find(([, key]) => !this.held.has(key));
    if (!next) return undefined;
    const [iteration, key] = next;
    this.#waiting.delete(iteration);
    this.held.set(key, iteration);
    return iteration;
  }

  get isEmpty(): boolean {
    return this.held.size === 0 && this.#waiting.size === 0;
  }
}

interface Played {
  job: SimulatedJob;
  locks: Locks;
}

function play({
  workflow,
  results,
  order,
  cancelAt,
}: typeof scenario extends fc.Arbitrary<infer S> ? S : never): Played {
  const job = new SimulatedJob(workflow);
  const locks = new Locks();
  results.forEach((finishState, step) => {
    grantSome(job, locks);
    if (step === cancelAt && isOpen(job.state) && !job.state.compensation) job.send({ event: "cancel", by: tester });
    grantSome(job, locks);
    answerOne(job, finishState, order[step] ?? 0);
  });
  grantSome(job, locks);
  return { job, locks };
}

function isOpen({ status }: JobState): boolean {
  return status !== "complete" && status !== "canceled";
}

// A task that fails with its lock and reverts to itself asks for it for ever.
const mostGrants = 20;

function grantSome(job: SimulatedJob, locks: Locks): void {
  locks.take(job.effects.splice(0));
  for (let grants = 0; grants < mostGrants; grants++) {
    const iteration = locks.grant();
    if (iteration === undefined) return;
    const [task] = [...job.state.tasks].find(([, state]) => state.iteration === iteration) ?? [];
    expect(task).toBeDefined();
    job.send({ event: "lockGranted", task: task ?? "", iteration });
    locks.take(job.effects.splice(0));
  }
}

function answerOne(job: SimulatedJob, finishState: RandomResult, choice: number): void {
  const open = [...job.state.tasks].filter(([, task]) => task.status === "running" && task.wait);
  const [taskId, task] = open[choice % Math.max(1, open.length)] ?? [];
  if (!isOpen(job.state) || taskId === undefined || task?.wait === undefined) return;
  if (task.wait.for === "person") job.finish(taskId, finishState === "error" ? "failure" : finishState);
  else job.answer(taskId, finishState, {}, finishState === "error" ? "err" : undefined);
}

function plain(state: JobState): StateDocument {
  return JSON.parse(JSON.stringify(documentOfState(state))) as StateDocument;
}

function undone(workflow: WorkflowDocument, taskId: string): boolean {
  return workflow.tasks[taskId]?.compensation !== undefined;
}

/** The iteration that the task began last. */
function iterationOf(changes: readonly Change[], taskId: string): number {
  const starts = changes.flatMap((change) =>
    change.change === "started" && change.task === taskId ? [change.iteration] : [],
  );
  return starts.at(-1) ?? 0;
}

describe("random workflows with options", () => {
  it("rest with a reason, and hold no lock that nobody works under", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { job, locks } = play(given);
        const { state } = job;
        const open = [...state.tasks.values()].filter(isUnderWay);
        if (state.status === "running") expect(open.length + state.ready.size).toBeGreaterThan(0);
        if (state.status === "error") expect(state.errors.length).toBeGreaterThan(0);
        if (!isOpen(state)) expect(locks.isEmpty).toBe(true);
        for (const task of state.tasks.values()) expect(task.pending).toBeGreaterThanOrEqual(0);
        const holders = open.flatMap(({ lock, iteration }) => (lock === undefined ? [] : [`${lock} ${iteration}`]));
        expect(holders.sort()).toEqual([...locks.held].map(([key, iteration]) => `${key} ${iteration}`).sort());
      }),
      { numRuns: runs },
    );
  });

  it("undo what they did, each iteration once, before they are canceled", () => {
    fc.assert(
      fc.property(scenario, (given) => {
        const { job } = play(given);
        const changes = job.deltas.flatMap((delta) => delta.changes);
        const left: number[] = [];
        for (const change of changes) {
          const isKept =
            change.change === "finished" && change.state === "success" && undone(given.workflow, change.task);
          if (isKept) left.push(iterationOf(changes.slice(0, changes.indexOf(change)), change.task));
          if (change.change !== "compensate") continue;
          expect(left).toContain(change.iteration);
          left.splice(left.indexOf(change.iteration), 1);
        }
        if (job.state.status === "canceled") expect(job.state.completions).toBeUndefined();
      }),
      { numRuns: runs },
    );
  });

  it("are rebuilt from their log exactly, with or without snapshots", () => {
    fc.assert(
      fc.property(scenario, fc.nat(20), (given, cut) => {
        const { job } = play(given);
        const deltas = JSON.parse(JSON.stringify(job.deltas)) as typeof job.deltas;
        const rows = deltas.map((delta, index) => ({ seq: index + 1, at: 1, delta }));
        const { workflow } = job.context;
        const half = replay(createState(job.origin, 1_000_000, workflow), rows.slice(0, cut), workflow);
        const whole = replay(stateOfDocument(plain(half)), rows.slice(cut), workflow);
        expect(plain({ ...whole, changedAt: 0 })).toEqual(plain({ ...job.state, changedAt: 0 }));
      }),
      { numRuns: runs },
    );
  });
});
