import {
  endTaskId,
  startTaskId,
  type WorkflowDocument,
  type WorkflowTask,
} from "../../src/workflow-engine/workflow-schema.ts";
import { bodyOf, edgesOf, forwardOf, groupBy, innermostBody, ledToOnlyBy, type Edge } from "./reference-graph.ts";
import { joinLimits, judge, type Verdict } from "./reference-joins.ts";
import { beginRun, type ReferenceMock, type Run, type Wait } from "./reference-runs.ts";
import { boundVariable, type Result, type Values } from "./reference-values.ts";

/** What a job is started with. */
export type ReferenceOrigin = {
  workflow: WorkflowDocument;
  variables: Record<string, unknown>;
  mocks: Readonly<Record<string, ReferenceMock>>;
};

export type ReferenceStatus = "running" | "paused" | "error" | "complete" | "canceled";

/** How the marker of the start stands from the beginning, and that of the end once it is reached. */
export const marker: Run = { status: "complete", finishState: "success", number: 0 };

/**
 * What a reference job remembers, which is what each task does since it was last reset, and what one start or
 * finish of a task makes of it. Everything else is worked out anew whenever it is asked (spec §3.3).
 */
export class ReferenceState {
  status: ReferenceStatus = "running";
  /** Task ids, `job` for a job without a way on. */
  errors: string[] = [];
  readonly variables: Record<string, unknown>;
  readonly runs = new Map<string, Run>();
  /** How often each task was started, in all passes. */
  readonly counts = new Map<string, number>();
  /** Attempts that retrySettings asked for since the task was last reset. */
  private readonly attempts = new Map<string, number>();
  /** Tasks that run whatever leads to them. */
  private readonly forced = new Set<string>();
  protected readonly workflow: WorkflowDocument;
  protected readonly edges: Edge[];
  private readonly into: ReadonlyMap<string, readonly Edge[]>;
  private readonly mocks: Readonly<Record<string, ReferenceMock>>;
  private readonly limits: ReadonlyMap<string, number>;

  constructor({ workflow, variables, mocks }: ReferenceOrigin) {
    this.workflow = workflow;
    this.mocks = mocks;
    this.edges = edgesOf(workflow);
    this.into = groupBy(
      this.edges.filter(({ isRevert }) => !isRevert),
      "to",
    );
    this.limits = joinLimits(workflow);
    this.variables = { ...variables };
    this.runs.set(startTaskId, { ...marker });
  }

  /** Starts a task. One that the engine does at once is finished by it. */
  protected begin(task: string): void {
    const number = (this.counts.get(task) ?? 0) + 1;
    this.counts.set(task, number);
    this.forced.delete(task);
    this.cancelUpstream(task);
    const planned = beginRun(this.task(task), this.mocks[task], this.values());
    // Without a body there is nothing to wait for.
    const isBodiless = "wait" in planned && planned.wait === "body" && bodyOf(this.edges, task).size === 0;
    const begun = isBodiless ? ({ finishState: "success", outgoing: {} } as const) : planned;
    this.runs.set(task, { status: "running", number, ...("wait" in begun ? begun : {}) });
    if ("finishState" in begun) this.finish(task, begun);
  }

  /** A run ends: it is tried again, or its variables are written and its transitions taken (§2 retrySettings, §3.3). */
  protected finish(task: string, result: Result): void {
    const run: Run = { status: "running", number: this.counts.get(task) ?? 0, result };
    const { index, items } = this.runs.get(task) ?? {};
    this.runs.set(task, run);
    if (this.isTriedAgain(task, result)) return void (run.wait = "retry");
    if (index !== undefined && items) Object.assign(run, { index, items });
    run.finishState = result.finishState;
    this.writeVariables(task, result);
    const taken = this.taken(task);
    run.status = result.finishState === "error" && taken.length === 0 ? "error" : "complete";
    if (run.status === "error") this.fail(task);
    const back = taken.find((edge) => edge.isRevert);
    if (back) this.takeBack(back.to);
    else if (run.status === "complete") this.cancelListed(task);
  }

  /** Everything from the task forward is as if it had not run, and the task runs again (§3.3 rule 4). */
  protected takeBack(task: string): void {
    this.reset(forwardOf(this.edges, [task]));
    this.forced.add(task);
  }

  /** A job that is taken back to its start begins anew once it runs. */
  protected startAnew(): void {
    if (this.status === "running" && this.forced.delete(startTaskId)) this.runs.set(startTaskId, { ...marker });
  }

  /** Forgets what these tasks did: iterations and job variables stay. */
  protected reset(region: Iterable<string>): void {
    for (const task of region) {
      this.runs.delete(task);
      this.forced.delete(task);
      this.attempts.delete(task);
    }
    this.dropErrors();
  }

  /** A new iteration of the same pass. */
  protected runAgain(task: string): void {
    this.runs.delete(task);
    this.forced.add(task);
  }

  protected fail(task: string): void {
    this.errors.push(task);
    this.status = "error";
  }

  /** A job that is not in error can hold errors that a repair has left; they go with their tasks. */
  protected dropErrors(): void {
    if (this.status !== "error") this.errors = this.errors.filter((task) => this.isInError(task));
  }

  protected isInError(task: string): boolean {
    return this.runs.get(task)?.status === "error";
  }

  /** `cancelOthers: true`: what is unfinished on the ways to the task, within the innermost body it belongs to. */
  protected cancelUpstream(task: string): void {
    if (othersOf(this.task(task)) !== true) return;
    const body = innermostBody(this.edges, task);
    const upstream = this.taskIds().filter((other) => other !== task && forwardOf(this.edges, [other]).has(task));
    const others = upstream.filter((other) => body?.has(other) ?? true);
    this.cancelTasks(others.flatMap((other) => [other, ...bodyOf(this.edges, other)]));
  }

  protected waiting(task: string, number: number, wait: Wait): Run | undefined {
    const run = this.runs.get(task);
    return run?.status === "running" && run.number === number && run.wait === wait ? run : undefined;
  }

  /** Transitions that the task took by its last finish. */
  protected taken(task: string): Edge[] {
    const finishState = this.runs.get(task)?.finishState;
    return this.edges.filter((edge) => edge.from === task && edge.state === finishState);
  }

  protected judge(): (task: string) => Verdict {
    return judge({ into: this.into, standings: this.runs, forced: this.forced, limits: this.limits });
  }

  protected taskIds(): string[] {
    return Object.keys(this.workflow.tasks).filter((task) => task !== startTaskId && task !== endTaskId);
  }

  private isTriedAgain(task: string, { finishState }: Result): boolean {
    const settings = this.task(task).retrySettings;
    const tried = this.attempts.get(task) ?? 0;
    const isAgain =
      settings?.autoRetry === true && settings.state.includes(finishState) && tried < (settings.limit ?? 0);
    if (isAgain) this.attempts.set(task, tried + 1);
    return isAgain;
  }

  /** What a task that succeeded did not give is undefined, and written as that; a mock gives what it gives. */
  private writeVariables(task: string, { outgoing, error, finishState }: Result): void {
    const { variables } = this.task(task);
    const isWhole = finishState === "success" && !this.mocks[task];
    for (const [name, binding] of Object.entries(variables?.outgoing ?? {})) {
      const variable = boundVariable(binding);
      if (variable !== undefined && (isWhole || Object.hasOwn(outgoing, name)))
        this.variables[variable] = outgoing[name];
    }
    const variable = boundVariable(variables?.error);
    if (variable !== undefined && error !== undefined) this.variables[variable] = error;
  }

  /** `cancelOthers: [...]`: those tasks, and what only they lead to. */
  private cancelListed(task: string): void {
    const listed = othersOf(this.task(task));
    if (Array.isArray(listed)) this.cancelTasks(ledToOnlyBy(this.edges, listed, [task, startTaskId, endTaskId]));
  }

  /** Their results are void and their transitions not taken. What has finished, or will never run, stays as it is. */
  private cancelTasks(tasks: Iterable<string>): void {
    const verdict = this.judge();
    const isUnfinished = (task: string) => {
      const status = this.runs.get(task)?.status;
      return status === "running" || status === "error" || isUndone(verdict(task));
    };
    for (const task of [...tasks].filter(isUnfinished)) {
      // What it has given can still be read, such as the item of a loop that a task of its body cancels.
      const { index, items, result } = this.runs.get(task) ?? {};
      this.reset([task]);
      const given = { ...(index !== undefined && items ? { index, items } : {}), ...(result ? { result } : {}) };
      this.runs.set(task, { status: "canceled", number: this.counts.get(task) ?? 0, ...given });
    }
  }

  private task(task: string): WorkflowTask {
    return this.workflow.tasks[task] ?? { name: "" };
  }

  private values(): Values {
    return {
      variables: this.variables,
      outputOf: (task, name) => {
        const run = this.runs.get(task);
        if (name === "current_item" && run?.items) return run.items[run.index ?? -1];
        return name === "error" ? run?.result?.error : run?.result?.outgoing[name];
      },
    };
  }
}

/** What a task cancels beyond the original's rules (control-flow-patterns.md). */
function othersOf(task: WorkflowTask): unknown {
  return (task as { cancelOthers?: unknown }).cancelOthers;
}

/** Not started, and not known never to start. */
export function isUndone(verdict: Verdict): boolean {
  return verdict === "open" || verdict === "ready";
}
