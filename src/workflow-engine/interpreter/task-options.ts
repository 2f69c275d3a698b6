import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { WorkflowTask } from "../workflow-schema.ts";

// Members of tasks that the original field does not know (spec: control-flow-patterns.md). Where they are
// absent or null a task does exactly as it always did.

const count = { minimum: 1 };

/** `all`: every joined transition is decided and one is taken. `any` or n: one, or n, are taken. */
const Join = Type.Union([Type.Literal("all"), Type.Literal("any"), Type.Integer(count)], {
  description: `must be "all", "any" or a number of transitions from 1`,
});

/** `true`: what still runs upstream is canceled when the task starts. A list: those tasks are canceled when it finishes. */
const CancelOthers = Type.Union([Type.Boolean(), Type.Array(Type.String({ minLength: 1 }))], {
  description: "must be true, false or a list of task ids",
});

/** The lock that the task holds while it runs: of a name, or of a device. Values may be `$var` references. */
const Lock = Type.Union(
  [
    Type.String({ minLength: 1 }),
    Type.Object({ name: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    Type.Object({ device: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  ],
  { description: "must be a name, or an object with either a name or a device" },
);

/** When a loop of child jobs goes no further: so many complete, so many failed, or such a share of all elements failed. */
const StopWhen = Type.Object(
  {
    completed: Type.Optional(Type.Integer(count)),
    failed: Type.Optional(Type.Integer(count)),
    failedPercent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
  },
  { additionalProperties: false, minProperties: 1 },
);
/** @see StopWhen */
export type StopWhen = Static<typeof StopWhen>;

const Loop = Type.Object(
  { maxParallel: Type.Optional(Type.Integer(count)), stopWhen: Type.Optional(StopWhen) },
  {
    additionalProperties: false,
    description:
      "must be an object of maxParallel (from 1) and stopWhen (at least one of completed and failed, from 1, and failedPercent, up to 100)",
  },
);

const Compensation = Type.String({ minLength: 1, description: "must be the id of a task" });

const schemas = { join: Join, cancelOthers: CancelOthers, lock: Lock, loop: Loop, compensation: Compensation };
type OptionName = keyof typeof schemas;

/** Which lock a task asks for; `value` may be a `$var` reference. */
export interface LockOption {
  of: "name" | "device";
  value: string;
}

/** How far a loop of child jobs goes. */
export interface LoopLimits {
  /** Children under way at a time, of a parallel loop. Absent: all. */
  maxParallel?: number;
  stopWhen?: StopWhen;
}

/** The optional members of a task that steer the flow, read. Members that are undefined were not given. */
export interface TaskOptions {
  /** So many joined transitions have to be taken; the task then runs at once. */
  join: number | undefined;
  /** True: cancels what is unfinished upstream when the task starts. */
  cancelsUpstream: boolean;
  /** Tasks that are canceled when this one finishes. */
  cancels: readonly string[];
  lock: LockOption | undefined;
  loop: LoopLimits | undefined;
  /** The task that undoes this one. */
  compensation: string | undefined;
}

/** An option that is not as it must be. */
export interface OptionProblem {
  /** JSON pointer from the task. */
  path: string;
  message: string;
}

/** The options of a task. What is malformed counts as not given: validation refuses such a workflow. */
export function taskOptions(task: WorkflowTask | undefined): TaskOptions {
  if (!task) return noOptions;
  const join = given("join", task) as Static<typeof Join> | undefined;
  const others = given("cancelOthers", task) as Static<typeof CancelOthers> | undefined;
  return {
    join: join === "any" ? 1 : join === "all" ? undefined : join,
    cancelsUpstream: others === true,
    cancels: Array.isArray(others) ? others : [],
    lock: lockOption(given("lock", task) as Static<typeof Lock> | undefined),
    loop: given("loop", task) as LoopLimits | undefined,
    compensation: given("compensation", task) as string | undefined,
  };
}

/** What a task without options has. */
export const noOptions: TaskOptions = {
  join: undefined,
  cancelsUpstream: false,
  cancels: [],
  lock: undefined,
  loop: undefined,
  compensation: undefined,
};

/** What is wrong with the options of a task, place by place. */
export function optionProblems(task: WorkflowTask): OptionProblem[] {
  return (Object.keys(schemas) as OptionName[]).flatMap((name) => {
    const value = memberOf(task, name);
    if (value === undefined || value === null) return [];
    const schema: TSchema = schemas[name];
    const [first] = [...Value.Errors(schema, value)];
    return first ? [{ path: `/${name}${first.path}`, message: `${name} ${schema.description}` }] : [];
  });
}

function given(name: OptionName, task: WorkflowTask): unknown {
  const value = memberOf(task, name);
  if (value === undefined || value === null) return undefined;
  return Value.Check(schemas[name], value) ? value : undefined;
}

function memberOf(task: WorkflowTask, name: OptionName): unknown {
  return task[name];
}

function lockOption(lock: Static<typeof Lock> | undefined): LockOption | undefined {
  if (lock === undefined) return undefined;
  if (typeof lock === "string") return { of: "name", value: lock };
  return "name" in lock ? { of: "name", value: lock.name } : { of: "device", value: lock.device };
}
