import { endTaskId } from "../../src/workflow-engine/workflow-schema.ts";
import { resultOfChildren, startChildren, type ChildEnding } from "./reference-children.ts";
import { bodyOf, forwardOf, loopsAround } from "./reference-graph.ts";
import type { Run } from "./reference-runs.ts";
import { isUndone, marker, ReferenceState, type ReferenceOrigin } from "./reference-state.ts";
import type { Result } from "./reference-values.ts";

/** What job documents show of a task. */
export type ShownStanding = { status: string; finishState?: string; count: number };

/**
 * A deliberately naive interpreter of workflow documents, written from the spec (`workflow-engine.md` §3, §4,
 * §5, §7; `control-flow-patterns.md`). Which of several tasks that are ready starts first is left to the
 * caller: the spec leaves it open.
 */
export class ReferenceJob extends ReferenceState {
  /** What was ready when the end was reached: nothing else starts after it. */
  private readyWithEnd: ReadonlySet<string> | undefined;
  private rings = 0;

  constructor(origin: ReferenceOrigin) {
    super(origin);
    this.lookForEnd();
  }

  /** Tasks that must start before the job can rest. None once the end is reached (§3.3 rule 6). */
  startable(): string[] {
    if (this.status !== "running" || this.isEndReady()) return [];
    const verdict = this.judge();
    return this.taskIds().filter((task) => verdict(task) === "ready");
  }

  /** May the task start now? What became ready together with the end may, and need not. */
  mayStart(task: string): boolean {
    const isInTime = this.readyWithEnd?.has(task) ?? true;
    return this.status === "running" && isInTime && task !== endTaskId && this.judge()(task) === "ready";
  }

  start(task: string): void {
    this.begin(task);
    this.lookForEnd();
  }

  /** forEach tasks that may go to their next item, or end (§3.3 rule 5). */
  restedLoops(): string[] {
    if (this.status !== "running" || this.isEndReady()) return [];
    const verdict = this.judge();
    const isAtWork = (task: string) => this.runs.get(task)?.status === "running" || verdict(task) === "ready";
    const loops = [...this.runs].filter(([, run]) => run.wait === "body").map(([task]) => task);
    return loops.filter(
      (task) => ![...bodyOf(this.edges, task)].some((other) => isAtWork(other) || this.isInError(other)),
    );
  }

  /** Takes a forEach to its next item, or ends it after the last one. */
  nextItem(task: string): void {
    const run = this.runs.get(task);
    if (!run) return;
    const index = (run.index ?? -1) + 1;
    if (index < (run.items?.length ?? 0)) {
      this.reset(bodyOf(this.edges, task));
      run.index = index;
    } else this.finish(task, { finishState: "success", outgoing: {} });
    this.lookForEnd();
  }

  /** Nothing more starts by itself: is this the end, is a task still in error, or is there no way on (§3.3 rules 6 to 8)? */
  rest(): void {
    if (this.status !== "running" || this.startable().length > 0) return;
    const isEnd = this.isEndReady();
    const isHeld = [...this.runs.keys()].some((task) => this.isInError(task));
    if (isEnd) this.cancelUpstream(endTaskId);
    const isWaiting = (run: Run) => run.status === "running" && !((isEnd || isHeld) && run.wait === "body");
    if ([...this.runs.values()].some(isWaiting)) return;
    if (isHeld) this.status = "error";
    else if (isEnd) this.complete();
    else this.fail("job");
  }

  /** The outside answers a call. `number` is the run it was asked of. False: nothing waits for it. */
  answer(task: string, number: number, result: Result): boolean {
    return this.waiting(task, number, "call") !== undefined && this.ended(task, result);
  }

  /** A person finishes a task; refused while the job is paused (§7.1). */
  finishManually(task: string, number: number, result: Result): boolean {
    const isOpen = this.waiting(task, number, "person") !== undefined;
    return isOpen && this.status !== "paused" && this.ended(task, result);
  }

  /** A timer is due: it waits for as long as the job is paused (§7.1). */
  ring(task: string, number: number): boolean {
    const run = this.waiting(task, number, "timer") ?? this.waiting(task, number, "retry");
    if (!run || run.rang !== undefined) return false;
    run.rang = this.rings++;
    this.lookForEnd();
    return true;
  }

  /** A child job ended, or told that it is in error. */
  endChild(task: string, number: number, index: number, end: ChildEnding): boolean {
    const family = this.waiting(task, number, "children")?.family;
    const child = family?.children[index];
    const isOpen = child?.status === "running" || child?.status === "error";
    if (!family || !child || !isOpen || child.status === end.status) return false;
    Object.assign(child, end);
    const result = resultOfChildren(family);
    if (result) return this.ended(task, result);
    startChildren(family);
    return true;
  }

  pause(): boolean {
    if (this.status !== "running") return false;
    this.status = "paused";
    return true;
  }

  /** Goes on; tasks in error run again (§7.1). */
  resume(): boolean {
    if (this.status !== "paused" && this.status !== "error") return false;
    this.status = "running";
    this.errors = [];
    for (const task of this.runs.keys()) if (this.isInError(task)) this.runAgain(task);
    this.lookForEnd();
    return true;
  }

  /** Unfinished tasks become canceled; what would never have run stays as it is (§7.1). */
  cancel(): boolean {
    if (this.isOver()) return false;
    const verdict = this.judge();
    const isUnfinished = (task: string) => this.runs.get(task)?.status === "running" || isUndone(verdict(task));
    for (const task of this.taskIds().filter(isUnfinished))
      this.runs.set(task, { status: "canceled", number: this.counts.get(task) ?? 0 });
    this.status = "canceled";
    return true;
  }

  /** revertToTask: only to a task the job has come to, and into a body only while its forEach is at work (§7.1). */
  revert(task: string): boolean {
    const isKnown = this.runs.has(task) || this.judge()(task) === "ready";
    if (this.isOver() || !isKnown || this.isInRestingLoop(task)) return false;
    this.takeBack(task);
    this.repaired();
    return true;
  }

  /** retryTask: one task in error runs again; the job too, unless another one is in error (§7.1). */
  retry(task: string): boolean {
    if ((this.status !== "running" && this.status !== "error") || !this.isInError(task)) return false;
    this.runAgain(task);
    this.errors = this.errors.filter((other) => other !== task);
    const isHeld = [...this.runs.keys()].some((other) => this.isInError(other));
    if (!isHeld) this.repaired();
    this.lookForEnd();
    return true;
  }

  /** continueJob: the transitions that a finished task took are taken again (§7.1). */
  continue(task: string): boolean {
    const targets = this.taken(task).map(({ to }) => to);
    if (this.isOver() || targets.length === 0 || this.isInRestingLoop(task)) return false;
    const verdict = this.judge();
    const isBusy = (target: string) => verdict(target) === "ready" || this.runs.get(target)?.status === "running";
    if (targets.some(isBusy) || targets.every((target) => !this.runs.has(target))) return false;
    this.reset(forwardOf(this.edges, targets));
    this.repaired();
    return true;
  }

  /** How tasks stand, as job documents show it; `dead` where a task is known never to run. */
  standings(tasks: readonly string[]): Record<string, ShownStanding> {
    const verdict = this.judge();
    const shown = (task: string): ShownStanding => {
      const run = this.runs.get(task);
      const count = this.counts.get(task) ?? 0;
      // In a job that is canceled nobody asks any more what would never have run.
      if (!run)
        return { status: verdict(task) === "dead" && this.status !== "canceled" ? "dead" : "incomplete", count };
      const status = run.finishState === "error" ? "error" : run.status;
      return run.finishState ? { status, finishState: run.finishState, count } : { status, count };
    };
    return Object.fromEntries(tasks.map((task) => [task, shown(task)]));
  }

  private ended(task: string, result: Result): true {
    this.finish(task, result);
    this.lookForEnd();
    return true;
  }

  private complete(): void {
    this.runs.set(endTaskId, { ...marker });
    this.status = "complete";
  }

  /** A job in error runs on; errors of tasks that the repair did not touch stay. */
  private repaired(): void {
    if (this.status === "error") this.status = "running";
    this.dropErrors();
    this.lookForEnd();
  }

  private isInRestingLoop(task: string): boolean {
    return loopsAround(this.edges, task).some((forEach) => this.runs.get(forEach)?.wait !== "body");
  }

  private isOver(): boolean {
    return this.status === "complete" || this.status === "canceled";
  }

  /** An end that is reset is reached anew. */
  protected override reset(region: Iterable<string>): void {
    const tasks = [...region];
    if (tasks.includes(endTaskId)) this.readyWithEnd = undefined;
    super.reset(tasks);
  }

  /** What rang acts, the first first, unless the job is paused. */
  private hearRings(): void {
    const rang = [...this.runs].filter(([, run]) => run.rang !== undefined);
    rang.sort(([, one], [, other]) => (one.rang ?? 0) - (other.rang ?? 0));
    for (const [task, run] of rang) {
      if (this.status === "paused" || this.runs.get(task) !== run) continue;
      if (run.planned) this.finish(task, run.planned);
      else this.runAgain(task);
    }
  }

  private lookForEnd(): void {
    this.hearRings();
    this.startAnew();
    const verdict = this.judge();
    if (verdict(endTaskId) !== "ready") this.readyWithEnd = undefined;
    else this.readyWithEnd ??= new Set(this.taskIds().filter((task) => verdict(task) === "ready"));
  }

  private isEndReady(): boolean {
    return this.judge()(endTaskId) === "ready";
  }
}
