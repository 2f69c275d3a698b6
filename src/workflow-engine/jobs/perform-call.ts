import { systemCaller, type Caller } from "../../core/caller.ts";
import { HeavyWorkError } from "../../core/heavy-work.ts";
import type { JsonObject } from "../../core/json.ts";
import { TaskError, type TaskResult } from "../../core/task.ts";
import type { Store } from "../../store/store.ts";
import type { CompiledWorkflow } from "../interpreter/compiled-workflow.ts";
import type { Environment } from "../interpreter/draft.ts";
import type { JobState } from "../interpreter/job-state.ts";
import { isEngineTask } from "../interpreter/start-task.ts";
import { errorResult, originOf, thrownResult } from "../interpreter/task-error.ts";
import { runDocument } from "../interpreter/transformation-task.ts";
import type { WorkflowTask } from "../workflow-schema.ts";
import { iterationId } from "./iteration-id.ts";
import type { CallerDirectory, HeavyTasks, HeavyWork, TaskCall, TaskCaller } from "./task-calls.ts";

/** What answers calls of tasks. */
export interface CallServices {
  store: Store;
  environment: Environment;
  calls: TaskCaller;
  heavy: HeavyTasks;
  callers: CallerDirectory;
}

/** A task that waits for a call, with its resolved values. */
export interface OpenCall extends Pick<TaskCall, "task" | "incoming" | "keep"> {
  state: JobState;
  workflow: CompiledWorkflow;
  iteration: number;
  /** For whom, where many wait for workers of the pool. */
  key: string;
}

/** Makes the call of a task, whatever answers it. A failure is a result in `error`; thrown is what is to be tried again. */
export async function performCall(services: CallServices, call: OpenCall): Promise<TaskResult> {
  const { state, workflow, task, iteration, incoming, key, keep } = call;
  const origin = originOf(task);
  const heavy: HeavyWork = { incoming, key, origin };
  const known = isEngineTask(task) ? services.environment.findTask(task.name, task.canvasName) : undefined;
  if (known?.name === "transformation") return transformLater(services, workflow, heavy);
  if (known?.run || known?.loadRun) return services.heavy.run({ ...heavy, name: known.name });
  const caller = await actorOf(services.callers, state, task);
  if (!caller) return errorResult(origin, "The account this task acts for is gone or inactive");
  const idempotencyKey = iterationId(state.origin._id, iteration);
  try {
    return await services.calls.call({ task, incoming, caller, idempotencyKey, keep });
  } catch (error) {
    if (error instanceof TaskError) return thrownResult(origin, error);
    throw error;
  }
}

/** A transformation whose identifier was only known at run time, or that takes too long for the event loop. */
async function transformLater(
  { store, environment, heavy }: CallServices,
  { snapshot }: CompiledWorkflow,
  work: HeavyWork,
): Promise<TaskResult> {
  const id = String(work.incoming["tr_id"]);
  const known = snapshot.transformations[id];
  if (known) return heavy.transform({ ...work, document: known });
  const stored = await store.read<JsonObject>("transformations", id);
  if (!stored) return errorResult(work.origin, `Cannot find transformation ${id}`);
  try {
    return runDocument(environment, stored.document, work.incoming);
  } catch (error) {
    if (error instanceof HeavyWorkError) return heavy.transform({ ...work, document: stored.document });
    return thrownResult(work.origin, error);
  }
}

/** `job`: the person who started it; a task id: the person who worked that task; else the platform itself. */
async function actorOf(callers: CallerDirectory, state: JobState, task: WorkflowTask): Promise<Caller | undefined> {
  const actor = task.actor ?? "Pronghorn";
  if (actor === "Pronghorn") return systemCaller;
  const { initiator } = state.origin;
  const accountId = actor === "job" ? initiator.accountId : state.tasks.get(actor)?.owner?.accountId;
  return accountId === undefined || accountId === systemCaller.accountId
    ? systemCaller
    : callers.byAccountId(accountId);
}
