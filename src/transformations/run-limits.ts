import { HeavyWorkError, mostEffort, type Effort } from "../core/heavy-work.ts";
import { TaskError } from "../core/task.ts";
import type { TransformationEnvironment } from "./transformation-environment.ts";

/** Bounds of one run, so that no document can hang or fill the memory. */
export const runLimits = {
  /** Step evaluations, those inside functions included. */
  steps: 5_000_000,
  /** List elements and object members copied, and sixteenths of characters produced, all together. */
  cells: 64_000_000,
  durationMs: 5_000,
  /** Functions called inside functions. */
  callDepth: 200,
  textLength: 10_000_000,
  /** Length of a text that is matched against a regular expression in all its places. */
  matchedTextLength: 1_000_000,
  listLength: 1_000_000,
  /** Values inside one value, counted as often as they occur in it. */
  valueSize: 4_000_000,
  nesting: 1_000,
} as const;

/** What a run may spend on the event loop, some five milliseconds, before it is repeated in a worker. */
const loopLimits = { steps: 20_000, cells: 200_000 } as const;
const effortOfStep = mostEffort / 2 / loopLimits.steps;
const effortOfCell = mostEffort / 2 / loopLimits.cells;

/** The run as a whole is given up: unlike a failed step, it fails even if nothing uses the step's value. */
export class RunLimitError extends TaskError {}

/** What a run may still spend. */
export class RunBudget {
  #steps: number;
  #cells: number;
  #depth = 0;
  readonly #effort: Effort | undefined;
  readonly #environment: Pick<TransformationEnvironment, "now" | "effort">;
  readonly #endsAt: number;

  constructor(environment: Pick<TransformationEnvironment, "now" | "effort">) {
    const { steps, cells } = environment.effort ? loopLimits : runLimits;
    this.#steps = steps;
    this.#cells = cells;
    this.#effort = environment.effort;
    this.#environment = environment;
    this.#endsAt = environment.now() + runLimits.durationMs;
  }

  /** One step is about to be evaluated. */
  countStep(): void {
    this.#steps -= 1;
    if (this.#effort) this.#effort.spent += effortOfStep;
    if (this.#steps < 0) throw this.#over(`more than ${runLimits.steps} step evaluations`);
    if (this.#steps % 1024 === 0) this.checkTime();
  }

  /** Work on so many list elements or members was done, or is about to be. */
  charge(cells: number): void {
    this.#cells -= cells;
    if (this.#effort) this.#effort.spent += cells * effortOfCell;
    if (this.#cells < 0) throw this.#over("the run copies too much data");
    if (cells > 4096) this.checkTime();
  }

  checkTime(): void {
    if (this.#environment.now() > this.#endsAt)
      throw new RunLimitError(`the run took longer than ${runLimits.durationMs} ms`);
  }

  #over(limit: string): Error {
    return this.#effort ? new HeavyWorkError() : new RunLimitError(limit);
  }

  enterFunction(): void {
    this.#depth += 1;
    if (this.#depth > runLimits.callDepth)
      throw new RunLimitError(`functions call each other more than ${runLimits.callDepth} deep`);
  }

  leaveFunction(): void {
    this.#depth -= 1;
  }
}
