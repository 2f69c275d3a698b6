import { mostEffort } from "../../core/heavy-work.ts";
import { TaskError, type TaskContext } from "../../core/task.ts";
import { Machine, overBudget, type StepBudget } from "./regular-expression-machine.ts";
import { compileProgram, type Program } from "./regular-expression-program.ts";
import { parsePattern } from "./regular-expression-syntax.ts";

/** One match: where it begins, and the text of the whole (place 0) and of each group. */
export interface RegularExpressionMatch {
  index: number;
  groups: readonly (string | undefined)[];
  /** Named groups, as in `(?<name>…)`. */
  names: ReadonlyMap<string, number>;
}

/** A regular expression of ECMAScript that always comes to an end: one that takes too long is a TaskError. */
export interface RegularExpression {
  flags: string;
  test(text: string): boolean;
  /** First match at or after `from`. */
  exec(text: string, from?: number): RegularExpressionMatch | undefined;
  /** Every match from left to right, empty ones included. */
  execAll(text: string): RegularExpressionMatch[];
}

/**
 * How long patterns may take. `each`: a bounded number of steps for each operation, then TaskError. A budget: the steps
 * of all patterns that share it, then HeavyWorkError. `worker`: the platform's own RegExp, which nothing but the end
 * of its process can stop.
 */
export type PatternAllowance = "each" | "worker" | StepBudget;

const stepsPerOperation = 10_000_000;
// Five to ten milliseconds of the processor, as `npm run hostile` measures.
const stepsOnLoop = 100_000;
const cheapSteps = 2_000_000;
// The platform's RegExp takes about so many of its steps in the time of one of the machine's.
const nativeStepsPerStep = 16;

/** The allowance of all patterns of one task. */
export function patternAllowance({
  isInWorker,
  effort,
}: Pick<TaskContext, "isInWorker" | "effort"> = {}): PatternAllowance {
  return isInWorker ? "worker" : { left: stepsOnLoop, isRepeatable: true, effort };
}

/**
 * Compiles a pattern of a user. Flags `d g i m s u y`; `g` is up to the caller (`exec` or `execAll`).
 * Malformed or over the limits: TaskError.
 */
export function compileRegularExpression(
  source: string,
  flags = "",
  allowance: PatternAllowance = "each",
): RegularExpression {
  const native = compileNative(source, flags);
  const pattern = parsePattern(source, flags);
  let program: Program | undefined;
  const search = (text: string, from: number, budget: StepBudget): RegularExpressionMatch | undefined => {
    const perPlace = allowance === "worker" ? 0 : worstCase(source, text);
    if (perPlace * (text.length + 1) <= cheapSteps) {
      const found = findNative(native, text, from, pattern.names);
      if (budget.isRepeatable) charge(budget, perPlace * ((found?.index ?? text.length) + 1 - from));
      return found;
    }
    program ??= compileProgram(pattern, flags);
    return findStepwise(program, { text, from, flags, budget, groupCount: pattern.groupCount, names: pattern.names });
  };
  const find: typeof search = (text, from, budget) => {
    const { left, effort } = budget;
    try {
      return search(text, from, budget);
    } finally {
      if (effort) effort.spent += ((left - budget.left) * mostEffort) / stepsOnLoop;
    }
  };
  const begin = (): StepBudget => (typeof allowance === "string" ? { left: stepsPerOperation } : allowance);
  const exec = (text: string, from = 0) => find(text, from, begin());
  return {
    flags,
    test: (text) => exec(text) !== undefined,
    exec,
    execAll(text) {
      const budget = begin();
      return findAll(text, flags.includes("u"), (from) => find(text, from, budget));
    },
  };
}

function charge(budget: StepBudget, nativeSteps: number): void {
  budget.left -= nativeSteps / nativeStepsPerStep;
  if (budget.left < 0) throw overBudget(budget);
}

function compileNative(source: string, flags: string): RegExp {
  if (!/^[dgimsuy]*$/u.test(flags))
    throw new TaskError(`Invalid flags of a regular expression: "${flags.slice(0, 20)}"`);
  try {
    return new RegExp(source, `${flags.replaceAll(/[gy]/gu, "")}${flags.includes("y") ? "y" : "g"}`);
  } catch (thrown) {
    throw new TaskError(thrown instanceof Error ? thrown.message.slice(0, 300) : "Invalid regular expression");
  }
}

/**
 * Steps of plain backtracking from one place of the text in the worst case, where they can be told: no group is
 * repeated, and each sign that gives a choice costs at most one pass over the text.
 */
function worstCase(source: string, text: string): number {
  if (/\)[*+?{]/u.test(source)) return Infinity;
  const choices = source.match(/[*+?{|]|\\[1-9k]/gu)?.length ?? 0;
  return (text.length + 1) ** choices;
}

function findNative(
  native: RegExp,
  text: string,
  from: number,
  names: ReadonlyMap<string, number>,
): RegularExpressionMatch | undefined {
  native.lastIndex = from;
  const found = native.exec(text);
  return found ? { index: found.index, groups: [...found], names } : undefined;
}

interface Search {
  text: string;
  from: number;
  flags: string;
  budget: StepBudget;
  groupCount: number;
  names: ReadonlyMap<string, number>;
}

function findStepwise(program: Program, search: Search): RegularExpressionMatch | undefined {
  const { text, from, flags, budget } = search;
  const machine = new Machine(program.instructions, program.registerCount, text, budget);
  const last = flags.includes("y") ? from : text.length;
  for (let start = from; start <= last; start = nextPosition(text, start, flags.includes("u"))) {
    if (!machine.run(0, start)) continue;
    const places = Array.from({ length: search.groupCount + 1 }, (_, group) => 2 * group);
    const groups = places.map((place) => sliceGroup(text, machine.registers, place));
    return { index: start, groups, names: search.names };
  }
  return undefined;
}

function sliceGroup(text: string, registers: readonly number[], place: number): string | undefined {
  const start = registers[place] ?? -1;
  const end = registers[place + 1] ?? -1;
  return start < 0 || end < 0 ? undefined : text.slice(start, end);
}

function findAll(
  text: string,
  isUnicode: boolean,
  find: (from: number) => RegularExpressionMatch | undefined,
): RegularExpressionMatch[] {
  const matches: RegularExpressionMatch[] = [];
  for (let from = 0; from <= text.length;) {
    const match = find(from);
    if (!match) break;
    matches.push(match);
    const length = match.groups[0]?.length ?? 0;
    const end = match.index + length;
    from = length > 0 ? end : nextPosition(text, end, isUnicode);
  }
  return matches;
}

function nextPosition(text: string, position: number, isUnicode: boolean): number {
  return position + (isUnicode && (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1);
}
