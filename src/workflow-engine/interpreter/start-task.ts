import { HeavyWorkError, mostEffort } from "../../core/heavy-work.ts";
import { TaskError, type Task, type TaskResult } from "../../core/task.ts";
import { startTaskId, type WorkflowTask } from "../workflow-schema.ts";
import { cancelUpstream } from "./cancel-tasks.ts";
import { stateAsCompleted } from "./compensation.ts";
import { launchChildren, startChildJobs } from "./child-jobs.ts";
import { startListener } from "./event-listener.ts";
import { waitForWindow } from "./hold-task.ts";
import { chargeFor, record, type Draft } from "./draft.ts";
import { finishTask } from "./finish-task.ts";
import { asJson, noContents, type Contents } from "./json-value.ts";
import { iterationToBegin, taskState, type Mock, type Wait } from "./job-state.ts";
import { askForLock } from "./locks.ts";
import { startLoop } from "./loops.ts";
import { popVariable, pushVariable, setVariable, shiftVariable } from "./job-variables.ts";
import { resolveIncoming } from "./references.ts";
import { errorResult, originOf, thrownResult } from "./task-error.ts";
import { refuseStored } from "./stored-arguments.ts";
import { runTransformationTask } from "./transformation-task.ts";
import { eventOf, timerOf, withOthers } from "./wait-any.ts";

/** A task about to run, with its incoming values resolved. */
export interface StartedTask {
  draft: Draft;
  taskId: string;
  task: WorkflowTask;
  incoming: Record<string, unknown>;
  /** What the values hold. */
  contents: Contents;
}

/** What starting a task leads to: a result at once, or something to wait for. */
export type Started = { result: TaskResult } | { wait: Wait };

/** Starts a ready task: computes it here, or records what it waits for and asks for the effect. */
export function startTask(draft: Draft, taskId: string): void {
  const task = draft.workflow.task(taskId);
  if (!task) return;
  if (taskId === startTaskId) return startMarker(draft, taskId);
  cancelUpstream(draft, taskId);
  const mock = draft.state.origin.mocks?.[taskId];
  const lock = mock ? "held" : askSafely(draft, taskId, task);
  if (lock === "asked") return;
  const { incoming, contents, failure } = resolveSafely(draft, taskId, task);
  const started: StartedTask = { draft, taskId, task, incoming, contents };
  const begun = mock ? startMocked(draft, mock) : (lockFailure(lock) ?? failure ?? begin(started));
  recordStart(started, begun, mock !== undefined);
  if ("result" in begun) finishTask(draft, taskId, begun.result);
  else follow(started, begun.wait);
}

/** Waits for the task's run window, and asks for its lock, if it needs one that it does not have. */
function askSafely(draft: Draft, taskId: string, task: WorkflowTask): "held" | "asked" | Started {
  try {
    const shut = waitForWindow(draft, taskId, task);
    if (shut) return shut;
    return askForLock(draft, taskId) ? "asked" : "held";
  } catch (thrown) {
    return { result: thrownResult(originOf(task), thrown) };
  }
}

function lockFailure(lock: "held" | Started): Started | undefined {
  return lock === "held" ? undefined : lock;
}

function startMarker(draft: Draft, taskId: string): void {
  record(draft, { change: "started", task: taskId, iteration: 0, at: draft.at, incoming: {} });
  record(draft, { change: "finished", task: taskId, at: draft.at, state: "success", isSettled: true });
}

interface ResolvedIncoming {
  incoming: Record<string, unknown>;
  contents: Contents;
  /** Why the values cannot be used. */
  failure?: Started;
}

function resolveSafely(draft: Draft, taskId: string, task: WorkflowTask): ResolvedIncoming {
  const contents = noContents();
  try {
    // What a person gave for a retry.
    const { replaced } = taskState(draft.state, taskId);
    const resolved = resolveIncoming(stateAsCompleted(draft.state, taskId), task);
    const given = replaced ? { ...resolved, ...replaced } : resolved;
    const incoming = asJson(given, 0, contents) as Record<string, unknown>;
    chargeFor(draft, contents);
    return { incoming, contents };
  } catch (thrown) {
    return { incoming: {}, contents, failure: { result: thrownResult(originOf(task), thrown) } };
  }
}

function recordStart({ draft, taskId, incoming }: StartedTask, begun: Started, isMocked: boolean): void {
  record(draft, {
    change: "started",
    task: taskId,
    iteration: iterationToBegin(draft.state, taskId),
    at: draft.at,
    incoming,
    ...("wait" in begun ? { wait: begun.wait } : {}),
    ...(isMocked ? { isMocked: true } : {}),
  });
}

/** A mocked task calls nothing and takes the recorded values (decision 18). */
function startMocked(draft: Draft, mock: Mock): Started {
  const finishState = mock.finish_state ?? (mock.error === undefined ? "success" : "error");
  const result: TaskResult = { finishState, outgoing: mock.outgoing ?? {}, error: mock.error };
  return after(draft, mock.delay, result);
}

/** The result at once, or after a delay in seconds. */
function after(draft: Draft, seconds: unknown, result: TaskResult): Started {
  const delayMs = Number(seconds ?? 0) * 1000;
  if (!(delayMs > 0)) return { result };
  const then = {
    finishState: result.finishState,
    outgoing: result.outgoing,
    ...(result.error === undefined ? {} : { error: result.error }),
  };
  return { wait: { for: "timer", dueAt: draft.at + delayMs, then } };
}

function begin(started: StartedTask): Started {
  const { draft, task } = started;
  try {
    const begun = beginHereOrInWorker(started);
    return "wait" in begun ? { wait: withOthers(draft, task, begun.wait) } : begun;
  } catch (thrown) {
    return { result: thrownResult(originOf(task), thrown) };
  }
}

/** What turns out to be too much for an activation becomes a call, which a worker of the pool answers. */
function beginHereOrInWorker(started: StartedTask): Started {
  try {
    return beginAlone(started);
  } catch (thrown) {
    if (thrown instanceof HeavyWorkError) return { wait: { for: "call" } };
    throw thrown;
  }
}

function beginAlone(started: StartedTask): Started {
  const { draft, task } = started;
  if (task.type === "manual") return { wait: { for: "person" } };
  if (!isEngineTask(task)) return { wait: { for: "call" } };
  const known = draft.environment.findTask(task.name, task.canvasName);
  const name = known?.name ?? task.name;
  if (started.contents.stored.length > 0) refuseStored(name, started.incoming);
  const engineTask = engineTasks[name];
  return engineTask ? engineTask(started) : runPure(started, known);
}

/** Is it a task of the engine itself, and not one of an application or adapter? */
export function isEngineTask(task: WorkflowTask): boolean {
  return task.app === "WorkFlowEngine" || (task.app === undefined && task.location !== "Adapter");
}

function unknownTask(task: WorkflowTask): TaskResult {
  return errorResult(originOf(task), `Method not found: ${originOf(task)}`, "Check the task's application and name.");
}

function runPure({ draft, task, incoming, contents }: StartedTask, known: Task | undefined): Started {
  const { effort, random } = draft.environment;
  const weight = known?.weigh?.(incoming, contents) ?? 0;
  if (known?.loadRun || known?.isCall || weight > 1) return { wait: { for: "call" } };
  if (!known?.run) return { result: unknownTask(task) };
  effort.spent += weight * mostEffort;
  return { result: known.run(incoming, { now: draft.at, random, effort }) };
}

/** The tasks in which the engine itself acts. */
const engineTasks: Readonly<Record<string, (started: StartedTask) => Started>> = {
  childJob: (started) => startChildJobs(started),
  delay: startDelay,
  eventListenerJob: startListener,
  forEach: (started) => startLoop(started),
  newVariable: (started) => ({ result: setVariable(started) }),
  push: (started) => ({ result: pushVariable(started) }),
  pop: (started) => ({ result: popVariable(started) }),
  shift: (started) => ({ result: shiftVariable(started) }),
  stub: startStub,
  transformation: (started) => runTransformationTask(started),
  updateJobDescription: describeJob,
};

function startDelay({ draft, incoming }: StartedTask): Started {
  const seconds = Number(incoming["time"]);
  if (incoming["time"] === "" || incoming["time"] === null || !Number.isFinite(seconds) || seconds < 0) {
    throw new TaskError(`delay needs a number of seconds, got ${JSON.stringify(incoming["time"])}`);
  }
  return after(draft, seconds, { finishState: "success", outgoing: { time_in_milliseconds: seconds * 1000 } });
}

function startStub(started: StartedTask): Started {
  const begun = runPure(started, started.draft.environment.findTask("stub"));
  return "result" in begun ? after(started.draft, started.incoming["delay"], begun.result) : begun;
}

function describeJob({ draft, incoming }: StartedTask): Started {
  const description = incoming["description"] ?? "";
  if (typeof description !== "string") throw new TaskError("The description is not text");
  record(draft, { change: "described", description });
  return { result: { finishState: "success", outgoing: { description } } };
}

/** Asks for what the wait needs. */
function follow({ draft, taskId }: StartedTask, wait: Wait): void {
  const { iteration } = draft.state.tasks.get(taskId) ?? { iteration: 0 };
  if (wait.for === "call") draft.effects.push({ effect: "call", task: taskId, iteration });
  if (wait.for === "children") launchChildren(draft, taskId);
  const timer = timerOf(wait);
  if (timer) draft.effects.push({ effect: "timer", task: taskId, iteration, dueAt: timer.dueAt });
  if (eventOf(wait)) draft.effects.push({ effect: "lookForEvents", task: taskId, iteration });
}
