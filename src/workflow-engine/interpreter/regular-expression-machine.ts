import { HeavyWorkError, type Effort } from "../../core/heavy-work.ts";
import { TaskError } from "../../core/task.ts";

/** One instruction: moves the machine on and says true, or false to take the latest choice back. */
export type Instruction = (machine: Machine) => boolean;

/** Steps that may still be taken. */
export interface StepBudget {
  left: number;
  /** What needs more is repeated in a worker (HeavyWorkError); else it is refused (TaskError). */
  isRepeatable?: boolean;
  /** Where the steps that were taken are added. */
  effort?: Effort | undefined;
}

/** The end of a budget. */
export function overBudget({ isRepeatable }: StepBudget): Error {
  return isRepeatable
    ? new HeavyWorkError("The regular expression needs a worker of its own")
    : new TaskError("The regular expression takes too long on this text");
}

const choice = -1;
const range = -2;
const recordSize = 4;
const deepestStack = 4_000_000 * recordSize;

/** The instruction address at which a run has succeeded. */
export const accepted = -1;

/**
 * A backtracking matcher with an own stack and counted steps. The platform's RegExp cannot be
 * interrupted: one pattern of a user could hold a node for hours (decision 17).
 */
export class Machine {
  readonly text: string;
  /** Start and end of each group, two places each, −1 for none; behind them one place per loop. */
  readonly registers: number[];
  pc = 0;
  position = 0;
  readonly #program: readonly Instruction[];
  readonly #budget: StepBudget;
  /** Records of four numbers: a choice, a range of choices, or the former value of a register. */
  readonly #stack: number[] = [];

  constructor(program: readonly Instruction[], registerCount: number, text: string, budget: StepBudget) {
    this.#program = program;
    this.registers = Array.from({ length: registerCount }, () => -1);
    this.text = text;
    this.#budget = budget;
  }

  /** Runs from an instruction and a position. After a failure every register is as before. */
  run(pc: number, position: number): boolean {
    const base = this.#stack.length;
    this.pc = pc;
    this.position = position;
    while (this.pc !== accepted) {
      if (--this.#budget.left < 0) throw overBudget(this.#budget);
      const instruction = this.#program[this.pc];
      if (!instruction?.(this) && !this.#backtrack(base)) return false;
    }
    return true;
  }

  get mark(): number {
    return this.#stack.length;
  }

  /** Remembers that the run may also go on at `pc` from the present position. */
  choose(pc: number): void {
    this.#push(choice, pc, this.position, 0);
  }

  /** Remembers that the run may also go on at `pc` from every position down to `first`, the nearest first. */
  chooseDownTo(pc: number, first: number): void {
    if (this.position > first) this.#push(range, pc, this.position - 1, first);
  }

  assign(register: number, value: number): void {
    this.#push(register, this.registers[register] ?? -1, 0, 0);
    this.registers[register] = value;
  }

  /** Counts work that an instruction does beside its own step. */
  spend(steps: number): void {
    this.#budget.left -= steps;
  }

  /** Forgets the choices since `mark`; the registers stay, and can still be taken back later. */
  commit(mark: number): void {
    let kept = mark;
    for (let at = mark; at < this.#stack.length; at += recordSize) {
      if ((this.#stack[at] ?? choice) < 0) continue;
      for (let offset = 0; offset < recordSize; offset++) this.#stack[kept + offset] = this.#stack[at + offset] ?? 0;
      kept += recordSize;
    }
    this.#stack.length = kept;
  }

  /** Takes back everything since `mark`. */
  unwind(mark: number): void {
    while (this.#stack.length > mark) this.#pop();
  }

  #push(kind: number, first: number, second: number, third: number): void {
    if (this.#stack.length > deepestStack)
      throw new TaskError("The regular expression takes too much memory on this text");
    this.#stack.push(kind, first, second, third);
  }

  #backtrack(base: number): boolean {
    while (this.#stack.length > base) {
      if (this.#pop()) return true;
    }
    return false;
  }

  /** Takes the latest record off; true when it was a choice, which then is where the run goes on. */
  #pop(): boolean {
    const stack = this.#stack;
    const at = stack.length - recordSize;
    const kind = stack[at] ?? choice;
    const first = stack[at + 1] ?? 0;
    const second = stack[at + 2] ?? 0;
    if (kind === range && second > (stack[at + 3] ?? 0)) stack[at + 2] = second - 1;
    else stack.length = at;
    if (kind >= 0) {
      this.registers[kind] = first;
      return false;
    }
    this.pc = first;
    this.position = second;
    return true;
  }
}
