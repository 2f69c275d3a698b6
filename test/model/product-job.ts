import { createTaskCatalog, taskLibrary } from "../../src/task-library/index.ts";
import { childVariables } from "../../src/workflow-engine/interpreter/child-jobs.ts";
import type { Change } from "../../src/workflow-engine/interpreter/changes.ts";
import type { Effect, Environment } from "../../src/workflow-engine/interpreter/draft.ts";
import type { JobEvent } from "../../src/workflow-engine/interpreter/events.ts";
import { startTaskId } from "../../src/workflow-engine/workflow-schema.ts";
import { plainEnvironment, SimulatedJob } from "../support/simulated-job.ts";
import type { Scenario } from "./random-workflows.ts";
import { nameOf, type View, type Work } from "./views.ts";

/** The library of the product, for all jobs of a run. */
export function createProductEnvironment(): Environment {
  const { find } = createTaskCatalog(taskLibrary);
  return { ...plainEnvironment, findTask: find, childJobId: (_at, origin) => origin };
}

/** A job of the product's interpreter. What is open is known by the effects it asked for, as the outside knows it. */
export class ProductJob {
  /** It stopped in the midst of its steps and asks to go on. */
  wantsToProceed = false;
  private readonly job: SimulatedJob;
  private readonly asked = new Map<string, Work>();
  private seen = 0;

  constructor({ workflow, variables, mocks }: Scenario, environment: Environment) {
    this.job = new SimulatedJob(workflow, { variables, mocks, environment });
    this.readEffects();
  }

  get status(): string {
    return this.job.state.status;
  }

  /** Applies an event. False when the job refuses it, or when nothing comes of it. */
  send(event: JobEvent): boolean {
    const before = this.job.deltas.length;
    try {
      this.job.send(event);
    } catch (refusal) {
      if (!(refusal instanceof Error) || refusal.name !== "PlatformError") throw refusal;
      return false;
    }
    this.readEffects();
    return this.job.deltas.length > before;
  }

  /** Work that the outside has answered is no longer open, whatever came of the answer. */
  answered(work: Work): void {
    const key = keyOf(work.iteration, work.index);
    if (this.asked.get(key)?.kind === work.kind) this.asked.delete(key);
  }

  /** What has been recorded since this was last asked. */
  takeChanges(): Change[] {
    const changes = this.job.deltas.slice(this.seen).flatMap((delta) => delta.changes);
    this.seen = this.job.deltas.length;
    return changes;
  }

  /** Everything the outside could answer now. */
  open(): Work[] {
    const people = [...this.job.state.tasks].filter(
      ([, task]) => task.status === "running" && task.wait?.for === "person",
    );
    return [
      ...this.asked.values(),
      ...people.map(([task, { iteration }]) => this.work({ kind: "person", task, iteration })),
    ];
  }

  view(): View {
    const { status, errors, variables, tasks } = this.job.state;
    const shown = [...tasks.keys()].filter((task) => task !== startTaskId);
    return {
      status,
      errors: errors.map(({ task }) => task).toSorted(),
      variables: withoutOwn(variables),
      tasks: Object.fromEntries(shown.map((task) => [task, this.standing(task)])),
      open: this.open()
        .map((work) => nameOf(work))
        .toSorted(),
    };
  }

  private standing(taskId: string): View["tasks"][string] {
    const task = this.job.state.tasks.get(taskId);
    if (!task) return { status: "missing", count: 0 };
    const { status, finishState, iterations, isDead } = task;
    const count = iterations.length;
    if (isDead) return { status: this.status === "canceled" ? "incomplete" : "dead", count };
    const isOver = status === "complete" || status === "error";
    return isOver && finishState ? { status, finishState, count } : { status, count };
  }

  private readEffects(): void {
    this.wantsToProceed = false;
    for (const effect of this.job.effects.splice(0)) this.readEffect(effect);
  }

  private readEffect(effect: Effect): void {
    if (effect.effect === "call" || effect.effect === "timer") this.ask({ kind: effect.effect, ...effect });
    if (effect.effect === "startChild") this.ask({ kind: "child", ...effect, given: this.childVariables(effect) });
    if (effect.effect === "forget") this.asked.delete(keyOf(effect.iteration));
    if (effect.effect === "cancelChild") this.asked.delete(effect.jobId.slice(effect.jobId.indexOf(".") + 1));
    if (effect.effect === "proceed") this.wantsToProceed = true;
  }

  private ask(asked: Omit<Work, "number">): void {
    const key = keyOf(asked.iteration, asked.index);
    if (this.asked.has(key)) throw new Error(`asked twice for ${asked.kind} of ${asked.task}`);
    this.asked.set(key, this.work(asked));
  }

  private work({ kind, task, iteration, index, given }: Omit<Work, "number">): Work {
    const number = [...(this.job.state.tasks.get(task)?.iterations ?? [])].indexOf(iteration) + 1;
    return { kind, task, iteration, number, ...(index === undefined ? {} : { index }), ...(given ? { given } : {}) };
  }

  private childVariables({ task, index }: { task: string; index: number }): Record<string, unknown> {
    return childVariables(this.job.state.tasks.get(task)?.incoming ?? {}, index);
  }
}

/** As the child job identifiers of this environment end: the iteration, and the index of a child. */
function keyOf(iteration: number, index?: number): string {
  return index === undefined ? String(iteration) : `${iteration}.${index}`;
}

function withoutOwn({ _id, initiator: _initiator, ...variables }: Record<string, unknown>): Record<string, unknown> {
  return variables;
}
