import type { Change } from "./changes.ts";
import type { CompiledWorkflow } from "./compiled-workflow.ts";
import { taskState, type CompletedValues, type Completion, type JobState } from "./job-state.ts";

type ChangeOf<Kind extends Change["change"]> = Extract<Change, { change: Kind }>;

/** Remembers an iteration that ended in success, if its task names one that undoes it. What was mocked did nothing. */
export function keepCompletion(
  state: JobState,
  { task: taskId, state: finishState }: ChangeOf<"finished">,
  workflow: CompiledWorkflow,
): void {
  if (finishState !== "success" || workflow.options(taskId).compensation === undefined) return;
  const { iteration, isMocked } = taskState(state, taskId);
  if (isMocked) return;
  const results = [taskId, ...workflow.loopsAround(taskId)].map((task) => valuesOf(state, task));
  state.completions = [...(state.completions ?? []), { task: taskId, iteration, results }];
}

function valuesOf(state: JobState, task: string): CompletedValues {
  const { incoming, outgoing } = taskState(state, task);
  return { task, incoming, outgoing };
}

/** The iteration is what is undone from now on. */
export function applyCompensate(state: JobState, change: ChangeOf<"compensate">, workflow: CompiledWorkflow): void {
  const completion = state.completions?.find((known) => isSame(known, change));
  const by = workflow.options(change.task).compensation;
  if (!state.compensation || !completion || by === undefined) return;
  state.compensation = { ...state.compensation, current: { completion, by } };
  state.ready.add(by);
}

/** The task that undoes something just now. */
export function compensatorAtWork({ compensation }: JobState): string | undefined {
  return compensation?.current?.by;
}

/** What was undone is done with. */
export function applyCompensated(state: JobState): void {
  const current = state.compensation?.current;
  if (!state.compensation || !current) return;
  const left = state.completions?.filter((known) => !isSame(known, current.completion)) ?? [];
  state.completions = left.length > 0 ? left : undefined;
  state.compensation = { then: state.compensation.then };
}

function isSame(left: Pick<Completion, "task" | "iteration">, right: Pick<Completion, "task" | "iteration">): boolean {
  return left.task === right.task && left.iteration === right.iteration;
}
