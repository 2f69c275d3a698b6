import type { Change } from "../../src/workflow-engine/interpreter/changes.ts";
import type { Environment } from "../../src/workflow-engine/interpreter/draft.ts";
import type { JobEvent } from "../../src/workflow-engine/interpreter/events.ts";
import { endTaskId, startTaskId } from "../../src/workflow-engine/workflow-schema.ts";
import { tester } from "../support/simulated-job.ts";
import { createRandom, type Random } from "../fuzz/random.ts";
import { ProductJob } from "./product-job.ts";
import { randomEnding, randomResult } from "./random-answers.ts";
import type { Scenario } from "./random-workflows.ts";
import { ReferenceJob } from "./reference-interpreter.ts";
import { differenceOf, nameOf, viewOfReference, type Work } from "./views.ts";

/** How a comparison went: events that both sides agreed on, and where they parted. */
export type Comparison = { events: number; end: string; difference?: { what: string; trace: string[] } };

const mostEvents = 160;
const mostResumes = 10;

/** Plays one schedule on both sides and compares them after every event. */
export function compareScenario(scenario: Scenario, schedule: number, environment: Environment): Comparison {
  const pair = new Pair(scenario, createRandom(scenario.seed, 100 + schedule), environment);
  try {
    pair.play();
    return { events: pair.trace.length, end: pair.end };
  } catch (thrown) {
    if (thrown instanceof Endless) return { events: pair.trace.length, end: "endless" };
    const what =
      thrown instanceof Difference ? thrown.message : String(thrown instanceof Error ? thrown.stack : thrown);
    return { events: pair.trace.length, end: "difference", difference: { what, trace: pair.trace } };
  }
}

class Difference extends Error {}
class Endless extends Error {}

/** A job of the product and one of the reference that live through the same events. */
class Pair {
  readonly trace: string[] = [];
  private readonly product: ProductJob;
  private readonly reference: ReferenceJob;
  private readonly past: Work[] = [];
  private readonly taskIds: string[];
  private readonly scenario: Scenario;
  private readonly random: Random;
  private resumes = 0;

  constructor(scenario: Scenario, random: Random, environment: Environment) {
    this.scenario = scenario;
    this.random = random;
    this.taskIds = Object.keys(scenario.workflow.tasks);
    this.reference = new ReferenceJob(scenario);
    this.product = new ProductJob(scenario, environment);
  }

  get end(): string {
    return this.product.status;
  }

  /** Until the job ends, or has been resumed often enough. */
  play(): void {
    this.trace.push("start");
    this.compare();
    while (this.trace.length < mostEvents && this.isGoingOn()) this.move();
    for (let late = 0; late < 3; late++) this.moveLate();
  }

  private isGoingOn(): boolean {
    const { status } = this.product;
    return status !== "complete" && status !== "canceled" && this.resumes < mostResumes;
  }

  private move(): void {
    const { random } = this;
    const open = this.product.open();
    const { status } = this.product;
    if (status === "running" && open.length === 0) throw new Difference("hang: the job runs, and nothing is open");
    if (status !== "running") return this.moveHeld(open);
    if (random.chance(0.02)) return this.repair();
    if (random.chance(0.003)) return this.command("cancel");
    if (random.chance(0.05)) return this.command(random.pick(["pause", "pause", "resume"]));
    this.answerOne(open);
  }

  /** A job that is paused or in error goes on some time. */
  private moveHeld(open: readonly Work[]): void {
    const { random } = this;
    if (random.chance(0.15)) return this.repair();
    if (random.chance(0.015)) return this.command("cancel");
    if (open.length === 0 || random.chance(0.35)) return this.command("resume");
    if (random.chance(0.03)) return this.command("pause");
    this.answerOne(open);
  }

  /** Something that is open, or once more something that was. */
  private answerOne(open: readonly Work[]): void {
    const isAgain = this.past.length > 0 && this.random.chance(0.06);
    this.answer(this.random.pick(isAgain ? this.past : open));
  }

  /** What comes too late changes nothing. */
  private moveLate(): void {
    const works = [...this.past, ...this.product.open()];
    if (works.length > 0 && this.random.chance(0.7)) this.answer(this.random.pick(works));
    else if (!this.isGoingOn()) this.command(this.random.pick(["pause", "resume", "cancel"]));
  }

  private command(event: "pause" | "resume" | "cancel"): void {
    if (event === "resume") this.resumes += 1;
    this.apply(event, this.reference[event](), { event, by: tester });
  }

  /** Mostly of a task that the repair could be about. */
  private repair(): void {
    const event = this.random.pick(["revert", "retry", "continue"] as const);
    const { tasks } = this.product.view();
    const fitting = this.taskIds.filter((task) => event !== "retry" || tasks[task]?.status === "error");
    const task = this.random.pick(fitting.length > 0 ? fitting : this.taskIds);
    if (task === endTaskId || (task === startTaskId && event === "retry")) return;
    const isTaken = this.reference[event](task);
    const events = {
      revert: { event: "revert", to: task, by: tester },
      retry: { event: "retry", task, by: tester },
      continue: { event: "continue", fromTask: task, by: tester },
    } as const;
    this.apply(`${event} ${task}`, isTaken, events[event]);
  }

  private answer(work: Work): void {
    const { task, iteration, number, index = 0 } = work;
    const { seed, workflow } = this.scenario;
    const times = this.past.filter((other) => nameOf(other) === nameOf(work)).length;
    this.past.push(work);
    const end = work.kind === "child" ? randomEnding(seed, work, workflow, times) : undefined;
    // A child in error has not ended: it can still be answered.
    if (end?.status !== "error") this.product.answered(work);
    if (work.kind === "timer")
      return this.apply(nameOf(work), this.reference.ring(task, number), { event: "timerDue", task, iteration });
    if (end) {
      const isTaken = this.reference.endChild(task, number, index, end);
      return this.apply(`${nameOf(work)} ${end.status}`, isTaken, { event: "childEnded", task, iteration, index, end });
    }
    const result = randomResult(seed, work);
    const name = `${nameOf(work)} ${result.finishState} ${JSON.stringify(result.outgoing)}`;
    if (work.kind === "call")
      return this.apply(name, this.reference.answer(task, number, result), {
        event: "taskResult",
        task,
        iteration,
        result,
      });
    const { finishState, outgoing: variables } = result;
    const isTaken = this.reference.finishManually(task, number, result);
    this.apply(name, isTaken, { event: "finishManualTask", task, iteration, finishState, variables, by: tester });
  }

  private apply(name: string, isTaken: boolean, event: JobEvent): void {
    this.trace.push(name);
    const isTakenByProduct = this.product.send(event);
    if (isTakenByProduct !== isTaken)
      throw new Difference(`product ${isTakenByProduct ? "takes" : "refuses"} ${name}, reference does not`);
    this.compare();
  }

  private compare(): void {
    // An activation that has done enough may have left no more than its end.
    if (this.product.wantsToProceed) this.product.send({ event: "proceed" });
    this.follow();
    // It goes on and on by itself: a workflow of this kind never rests.
    if (this.product.wantsToProceed) throw new Endless();
    const [left] = [...this.reference.startable(), ...this.reference.restedLoops()];
    if (left !== undefined) throw new Difference(`product does not go on with ${left}`);
    this.reference.rest();
    const what = differenceOf(this.product.view(), viewOfReference(this.reference, this.taskIds));
    if (what !== undefined) throw new Difference(what);
  }

  /** Lets the reference start what the product started, in the same order, if it may. */
  private follow(): void {
    for (const change of this.product.takeChanges()) this.followChange(change);
  }

  private followChange(change: Change): void {
    if (change.change === "started" && change.task !== startTaskId && change.task !== endTaskId) {
      if (!this.reference.mayStart(change.task)) throw new Difference(`product starts ${change.task} too early`);
      this.reference.start(change.task);
    }
    const isLoopMove = change.change === "looped" || (change.change === "finished" && this.isLooping(change.task));
    if (!isLoopMove) return;
    if (!this.reference.restedLoops().includes(change.task))
      throw new Difference(`product takes forEach ${change.task} on too early`);
    this.reference.nextItem(change.task);
  }

  private isLooping(task: string): boolean {
    return this.reference.runs.get(task)?.wait === "body";
  }
}
