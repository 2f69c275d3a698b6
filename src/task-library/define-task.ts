import type { TSchema } from "@sinclair/typebox";
import { HeavyWorkError } from "../core/heavy-work.ts";
import { TaskError, type Task, type TaskContext, type TaskExample, type TaskRun, type TaskType } from "../core/task.ts";
import { describeArguments, readArgument, type ArgumentKinds, type ArgumentValues } from "./arguments.ts";

/** A worked example by position: the arguments, and what comes of them. */
export type WorkedExample =
  | { arguments: readonly unknown[]; result: unknown; finishState?: "success" | "failure" | "error" }
  | { arguments: readonly unknown[]; refusal: string };

interface TaskModel<Kinds extends ArgumentKinds> {
  name: string;
  canvasName?: string;
  /** Palette group. */
  palette: string;
  /** Default: automatic. */
  type?: TaskType;
  summary: string;
  description?: string;
  /** In the order of the arguments. */
  incoming: Kinds;
  /** Name and schema of the one outgoing variable. */
  outgoing: readonly [name: string, schema: TSchema];
  /** Other names that real workflows use for an argument, and for the outgoing variable then. */
  aliases?: Readonly<Record<string, { incoming: string; outgoing?: string }>>;
  examples: readonly WorkedExample[];
  /** See `Task.weigh`. */
  weigh?: NonNullable<Task["weigh"]>;
}

interface ComputedTask<Kinds extends ArgumentKinds> extends TaskModel<Kinds> {
  /** The value of the outgoing variable. */
  compute: (values: ArgumentValues<Kinds>, context: TaskContext) => unknown;
}

interface WorkerTask<Kinds extends ArgumentKinds> extends TaskModel<Kinds> {
  /** Loads what computes the value of the outgoing variable. */
  load: () => Promise<(values: ArgumentValues<Kinds>, context: TaskContext) => unknown>;
}

interface ConcludingTask<Kinds extends ArgumentKinds> extends TaskModel<Kinds> {
  /** Finish state and value, for tasks that can end in something else than success. */
  conclude: (values: ArgumentValues<Kinds>, context: TaskContext) => Conclusion;
}

type Conclude<Kinds extends ArgumentKinds> = ConcludingTask<Kinds>["conclude"];

export interface Conclusion {
  finishState: "success" | "failure" | "error";
  value: unknown;
  error?: unknown;
}

/** A task of the library that computes one value. */
export function defineTask<const Kinds extends ArgumentKinds>(model: ComputedTask<Kinds>): Task {
  return { ...describeTask(model), run: createRun(model, successOf(model.compute)) };
}

/** The same for one that always runs in a worker of the pool: see `Task.loadRun`. */
export function defineWorkerTask<const Kinds extends ArgumentKinds>(model: WorkerTask<Kinds>): Task {
  return { ...describeTask(model), loadRun: async () => createRun(model, successOf(await model.load())) };
}

/** A task of the library that also decides how it finishes. */
export function defineConcludingTask<const Kinds extends ArgumentKinds>(model: ConcludingTask<Kinds>): Task {
  return { ...describeTask(model), run: createRun(model, model.conclude) };
}

/** A task whose arguments the library reads, while the platform makes the call: see `Task.isCall`. */
export function defineCallTask<const Kinds extends ArgumentKinds>(model: TaskModel<Kinds>): Task {
  return { ...describeTask(model), isCall: true };
}

/** The arguments of a task with the types of their kinds. TaskError that names the first which is of another. */
export function readArguments<const Kinds extends ArgumentKinds>(
  kinds: Kinds,
  incoming: Readonly<Record<string, unknown>>,
): ArgumentValues<Kinds> {
  const values = Object.entries(kinds).map(([name, kind]) => [name, readArgument(name, kind, incoming[name])]);
  return Object.fromEntries(values) as ArgumentValues<Kinds>;
}

function successOf<Kinds extends ArgumentKinds>(compute: ComputedTask<Kinds>["compute"]): Conclude<Kinds> {
  return (values, context) => ({ finishState: "success", value: compute(values, context) });
}

/** Example: these arguments give this value. */
export function gives(values: readonly unknown[], result: unknown): WorkedExample {
  return { arguments: values, result };
}

/** Example: these arguments are refused with a message that holds this text. */
export function refuses(values: readonly unknown[], refusal: string): WorkedExample {
  return { arguments: values, refusal };
}

function describeTask<Kinds extends ArgumentKinds>(model: TaskModel<Kinds>): Task {
  const [outgoing, schema] = model.outgoing;
  return {
    name: model.name,
    app: "WorkFlowEngine",
    type: model.type ?? "automatic",
    displayName: model.palette,
    ...(model.canvasName === undefined ? {} : { canvasName: model.canvasName }),
    summary: model.summary,
    ...(model.description === undefined ? {} : { description: model.description }),
    incoming: describeArguments(model.incoming),
    ...(model.aliases === undefined ? {} : { otherNames: otherNames(model.aliases) }),
    outgoing: [{ name: outgoing, schema }],
    examples: model.examples.map((example) => namedExample(example, Object.keys(model.incoming), outgoing)),
    ...(model.weigh === undefined ? {} : { weigh: model.weigh }),
  };
}

function otherNames(aliases: NonNullable<TaskModel<ArgumentKinds>["aliases"]>): Record<string, string> {
  return Object.fromEntries(Object.entries(aliases).map(([name, { incoming }]) => [incoming, name]));
}

function namedExample(example: WorkedExample, names: readonly string[], outgoing: string): TaskExample {
  const incoming = Object.fromEntries(example.arguments.map((value, index) => [names[index] ?? String(index), value]));
  if ("refusal" in example) return { incoming, finishState: "error", error: example.refusal };
  return { incoming, outgoing: { [outgoing]: example.result }, finishState: example.finishState ?? "success" };
}

function createRun<Kinds extends ArgumentKinds>(model: TaskModel<Kinds>, conclude: Conclude<Kinds>): TaskRun {
  const [outgoing] = model.outgoing;
  const kinds = Object.entries(model.incoming).map(([name, kind]) => ({ name, kind, alias: model.aliases?.[name] }));
  return (incoming, context) => {
    const values: Record<string, unknown> = {};
    let target = outgoing;
    for (const { name, kind, alias } of kinds) {
      const isAlias = alias !== undefined && incoming[name] === undefined && incoming[alias.incoming] !== undefined;
      if (isAlias) target = alias.outgoing ?? target;
      values[name] = readArgument(name, kind, incoming[isAlias ? alias.incoming : name]);
    }
    const { value, ...finish } = explained(model.name, () => conclude(values as ArgumentValues<Kinds>, context));
    return { ...finish, outgoing: { [target]: value } };
  };
}

/** What JavaScript itself refuses (a locale, a deep nesting, bad JSON) becomes the task's error. */
function explained<Value>(name: string, compute: () => Value): Value {
  try {
    return compute();
  } catch (thrown) {
    if (thrown instanceof TaskError || thrown instanceof HeavyWorkError) throw thrown;
    throw new TaskError(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
