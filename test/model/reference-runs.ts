import type { WorkflowTask } from "../../src/workflow-engine/workflow-schema.ts";
import { familyOf, resultOfChildren, startChildren, type Family } from "./reference-children.ts";
import type { Standing } from "./reference-joins.ts";
import { resolve, runEngineTask, type Result, type Values } from "./reference-values.ts";

/** What a task waits for: the outside, a person, a timer, its next attempt, its child jobs, or its body. */
export type Wait = "call" | "person" | "timer" | "retry" | "children" | "body";

/** What a task does or did since it was last reset. */
export type Run = Standing & {
  /** Which run of this task it is, counted from 1 over all passes. */
  number: number;
  wait?: Wait;
  /** How it ended. */
  result?: Result;
  /** How it ends when its timer is due. */
  planned?: Result;
  /** Its timer was due, as the so many-th of the job, and has not acted yet. */
  rang?: number;
  /** Of a forEach. */
  items?: readonly unknown[];
  /** Of a childJob. */
  family?: Family;
};

/** Takes the place of the work of a task: decision 18. `delay` in seconds. */
export type ReferenceMock = {
  finish_state: Result["finishState"];
  outgoing?: Record<string, unknown>;
  error?: unknown;
  delay?: number;
};

/** What the start of a task leads to: its result, or something it waits for. */
export type Begun = Result | ({ wait: Wait } & Pick<Run, "planned" | "items" | "family">);

/** Begins a task: a mock takes its place; people, child jobs, bodies and timers are waited for; the rest is done or called. */
export function beginRun(task: WorkflowTask, mock: ReferenceMock | undefined, values: Values): Begun {
  if (mock) return later(mock.delay, mockedResult(mock));
  if (task.type === "manual") return { wait: "person" };
  const isEngine = task.app === "WorkFlowEngine";
  const given = Object.entries(task.variables?.incoming ?? {}).map(([key, value]) => [key, resolve(value, values)]);
  const incoming = Object.fromEntries(given) as Record<string, unknown>;
  const begin = isEngine ? waitingTasks[task.name] : undefined;
  return begin?.(incoming, values, task) ?? runEngineTask(task, incoming, values) ?? { wait: "call" };
}

type Begin = (incoming: Record<string, unknown>, values: Values, task: WorkflowTask) => Begun;

const waitingTasks: Record<string, Begin> = {
  delay: ({ time }) => later(time, { finishState: "success", outgoing: { time_in_milliseconds: Number(time) * 1000 } }),
  stub: ({ type, delay, response }) =>
    later(delay, {
      finishState: type as Result["finishState"],
      outgoing: { response: response ?? null },
      ...(type === "error" ? { error: response } : {}),
    }),
  forEach: ({ data_array }) => {
    if (!Array.isArray(data_array)) return { finishState: "error", outgoing: {}, error: "not an array" };
    if (data_array.length === 0) return { finishState: "success", outgoing: {} };
    return { wait: "body", items: data_array };
  },
  childJob: (incoming, values, task) => {
    const family = familyOf(task, incoming, values);
    if (!family) return { finishState: "error", outgoing: {}, error: "not an array" };
    startChildren(family);
    return resultOfChildren(family) ?? { wait: "children", family };
  },
};

function mockedResult({ finish_state, outgoing, error }: ReferenceMock): Result {
  return { finishState: finish_state, outgoing: outgoing ?? {}, ...(error === undefined ? {} : { error }) };
}

function later(seconds: unknown, result: Result): Begun {
  return Number(seconds) > 0 ? { wait: "timer", planned: result } : result;
}
