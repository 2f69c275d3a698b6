import { systemCaller, type Caller } from "../../core/caller.ts";
import { mayAccessDocument } from "../../core/group-access.ts";
import { lightOrHeavy } from "../../core/heavy-work.ts";
import type { JsonObject } from "../../core/json.ts";
import { TaskError } from "../../core/task.ts";
import { DuplicateKeyError, SequenceConflictError, type Store, type Write } from "../../store/store.ts";
import { childVariables, shapingValues, type ChildEnd } from "../interpreter/child-jobs.ts";
import { childAt } from "../interpreter/child-list.ts";
import { isLoop } from "../interpreter/child-loops.ts";
import type { Environment } from "../interpreter/draft.ts";
import { isOpenChild, taskState, type JobOrigin, type JobState } from "../interpreter/job-state.ts";
import { displayStringOf } from "../interpreter/task-error.ts";
import type { JobRunner } from "./job-runner.ts";
import type { HeavyTasks } from "./task-calls.ts";
import type { EngineWork } from "./work-items.ts";
import { documentIn, type PreparedWorkflow, type WorkflowSnapshots } from "./workflow-snapshots.ts";

export interface ChildStartServices {
  store: Store;
  runner: JobRunner;
  snapshots: WorkflowSnapshots;
  environment: Environment;
  heavy: HeavyTasks;
}

/** A workflow that starts itself comes to an end here. */
const deepestNesting = 100;

type StartChild = Extract<EngineWork, { kind: "startChild" }>;

/**
 * Starts one child of a childJob task. The child's identifier follows from its place in the parent,
 * so a repetition finds it there and starts nothing twice. Returns why it cannot start, if so.
 */
export async function startChild(
  services: ChildStartServices,
  work: StartChild,
  complete: Write,
): Promise<ChildEnd | undefined> {
  const parent = await services.runner.read(work.job);
  const incoming = parent && openChildTask(parent, work);
  // A cancellation goes down level by level; jobs that start themselves would stay ahead of it for ever.
  if (!parent || !incoming || (await hasCanceledAncestor(services.runner, parent))) {
    await services.store.commit([complete]);
    return undefined;
  }
  // Which child it is, the author of the parent chose: its groups restrict people, not the engine.
  const prepared = await prepareChild(services.snapshots, parent, String(incoming["workflow"]), systemCaller);
  if (typeof prepared === "string") return { status: "failedToStart", reason: prepared };
  const variables = await variablesOfChild(services, { incoming, index: work.index, key: work.job });
  if (typeof variables === "string") return { status: "failedToStart", reason: variables };
  const { loop } = (await services.snapshots.find(parent.origin.snapshot)).options(work.task);
  const origin = childOrigin(parent, work, { prepared, variables, tellsError: loop?.stopWhen !== undefined });
  try {
    await services.runner.create(origin, prepared, { alongside: [complete] });
  } catch (error) {
    if (!(error instanceof SequenceConflictError || error instanceof DuplicateKeyError)) throw error;
    await services.store.commit([complete]);
  }
  await cancelOrphan(services, work, origin._id);
  return undefined;
}

/** A task that was given up, or a loop that was stopped, while its child was being created could not cancel it: done here. */
async function cancelOrphan({ runner }: ChildStartServices, work: StartChild, childId: string): Promise<void> {
  const parent = await runner.read(work.job);
  if (!parent || isWanted(parent, work)) return;
  await runner.activate(childId, { event: "cancel", by: systemCaller }).catch(() => undefined);
}

/** Does the task wait for the child, or did it end as it should? */
function isWanted({ tasks }: JobState, { task: taskId, iteration, index }: StartChild): boolean {
  const task = tasks.get(taskId);
  if (task?.iteration !== iteration) return false;
  const child = childAt(task, index);
  return child?.status === "complete" || (task.status === "running" && child !== undefined && isOpenChild(child));
}

/** The workflow of a child, or why it cannot be started; one that the caller may not see is not there. */
export async function prepareChild(
  snapshots: WorkflowSnapshots,
  { origin }: JobState,
  name: string,
  caller: Caller,
): Promise<PreparedWorkflow | string> {
  if (origin.ancestors.length + 1 >= deepestNesting)
    return `Child jobs are nested deeper than ${deepestNesting} levels`;
  const prepared = await snapshots.prepare(name);
  if (!prepared || !mayAccessDocument(documentIn(prepared), caller)) return `Cannot find workflow ${name}`;
  return "hash" in prepared ? prepared : `Workflow ${name} has errors: ${prepared.errors[0]?.message ?? ""}`;
}

/** Its parent will be canceled in turn: what it does not start now it never does. */
async function hasCanceledAncestor(runner: JobRunner, { origin }: JobState): Promise<boolean> {
  const ancestors = await Promise.all(origin.ancestors.map((jobId) => runner.read(jobId)));
  return ancestors.some((ancestor) => ancestor?.status === "canceled");
}

function openChildTask(parent: JobState, work: StartChild): Record<string, unknown> | undefined {
  const task = parent.tasks.get(work.task);
  const isOpen = task?.status === "running" && task.iteration === work.iteration;
  const child = task && childAt(task, work.index);
  return isOpen && child?.status === "running" ? task.incoming : undefined;
}

/** A child that is about to start. */
interface ExpectedChild {
  /** Of its childJob task. */
  incoming: Record<string, unknown>;
  index: number;
  /** For whom, where many wait for workers of the pool. */
  key: string;
}

type ShapingServices = Pick<ChildStartServices, "store" | "environment" | "heavy">;

/** What the child starts with, or why that cannot be made. */
export async function variablesOfChild(
  services: ShapingServices,
  child: ExpectedChild,
): Promise<Record<string, unknown> | string> {
  const { incoming, index } = child;
  const id = isLoop(incoming) ? incoming["transformation"] : undefined;
  if (typeof id !== "string" || id === "") return childVariables(incoming, index);
  const transformation = await services.store.read<JsonObject>("transformations", id);
  if (!transformation) return `Cannot find transformation ${id}`;
  try {
    return childVariables(incoming, index, await shape(services, child, transformation.document));
  } catch (thrown) {
    if (thrown instanceof TaskError) return `The transformation of element ${index} failed: ${thrown.message}`;
    throw thrown;
  }
}

/** What the transformation makes of the element, by `$id`. TaskError when it cannot. */
async function shape(
  { environment, heavy }: ShapingServices,
  { incoming, index, key }: ExpectedChild,
  document: JsonObject,
): Promise<Record<string, unknown>> {
  const variableMap = shapingValues(document, incoming, index);
  const options = { extractOutput: false };
  return lightOrHeavy(
    () => environment.transform(document, variableMap, options),
    async () => {
      const given = { variableMap, options };
      const result = await heavy.transform({ document, incoming: given, key, origin: "WorkFlowEngine.childJob" });
      if (result.finishState === "error") throw new TaskError(displayStringOf(result.error));
      return result.outgoing;
    },
  );
}

interface ChildWorkflow {
  prepared: PreparedWorkflow;
  variables: Record<string, unknown>;
  /** Does the parent count failures? */
  tellsError: boolean;
}

function childOrigin(parent: JobState, work: StartChild, childWorkflow: ChildWorkflow): JobOrigin {
  const { prepared, variables, tellsError } = childWorkflow;
  const { origin } = parent;
  const task = taskState(parent, work.task);
  const { workflow } = prepared.compiled.snapshot;
  const child = childAt(task, work.index);
  if (!child) throw new Error(`job ${origin._id} does not know child ${work.index} of task ${work.task}`);
  return {
    _id: child._id,
    snapshot: prepared.hash,
    workflowId: workflow._id ?? "",
    name: workflow.name,
    variables,
    initiator: origin.initiator,
    description: `Child of ${origin.name}`,
    groups: parent.groups,
    ancestors: [...origin.ancestors, origin._id],
    parent: {
      job: origin._id,
      task: work.task,
      iteration: work.iteration,
      index: work.index,
      isLoop: isLoop(task.incoming ?? {}),
      ...(tellsError ? { tellsError } : {}),
    },
  };
}
