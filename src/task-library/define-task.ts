import type { TSchema } from "@sinclair/typebox";
import { TaskError, type Task, type TaskExample, type TaskResult, type TaskType } from "../core/task.ts";
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
}

interface ComputedTask<Kinds extends ArgumentKinds> extends TaskModel<Kinds> {
  /** The value of the outgoing variable. */
  compute: (values: ArgumentValues<Kinds>) => unknown;
}

interface ConcludingTask<Kinds extends ArgumentKinds> extends TaskModel<Kinds> {
  /** Finish state and value, for tasks that can end in something else than success. */
  conclude: (values: ArgumentValues<Kinds>) => Conclusion;
}

export interface Conclusion {
  finishState: "success" | "failure" | "error";
  value: unknown;
  error?: unknown;
}

/** A task of the library that computes one value. */
export function defineTask<const Kinds extends ArgumentKinds>(model: ComputedTask<Kinds>): Task {
  const { compute } = model;
  return buildTask(model, (values) => ({ finishState: "success", value: compute(values) }));
}

/** A task of the library that also decides how it finishes. */
export function defineConcludingTask<const Kinds extends ArgumentKinds>(model: ConcludingTask<Kinds>): Task {
  return buildTask(model, model.conclude);
}

/** Example: these arguments give this value. */
export function gives(values: readonly unknown[], result: unknown): WorkedExample {
  return { arguments: values, result };
}

/** Example: these arguments are refused with a message that holds this text. */
export function refuses(values: readonly unknown[], refusal: string): WorkedExample {
  return { arguments: values, refusal };
}

function buildTask<Kinds extends ArgumentKinds>(
  model: TaskModel<Kinds>,
  conclude: (values: ArgumentValues<Kinds>) => Conclusion,
): Task {
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
    outgoing: [{ name: outgoing, schema }],
    examples: model.examples.map((example) => namedExample(example, Object.keys(model.incoming), outgoing)),
    run: createRun(model, outgoing, conclude),
  };
}

function namedExample(example: WorkedExample, names: readonly string[], outgoing: string): TaskExample {
  const incoming = Object.fromEntries(example.arguments.map((value, index) => [names[index] ?? String(index), value]));
  if ("refusal" in example) return { incoming, finishState: "error", error: example.refusal };
  return { incoming, outgoing: { [outgoing]: example.result }, finishState: example.finishState ?? "success" };
}

function createRun<Kinds extends ArgumentKinds>(
  model: TaskModel<Kinds>,
  outgoing: string,
  conclude: (values: ArgumentValues<Kinds>) => Conclusion,
): (incoming: Readonly<Record<string, unknown>>) => TaskResult {
  const kinds = Object.entries(model.incoming).map(([name, kind]) => ({ name, kind, alias: model.aliases?.[name] }));
  return (incoming) => {
    const values: Record<string, unknown> = {};
    let target = outgoing;
    for (const { name, kind, alias } of kinds) {
      const isAlias = alias !== undefined && incoming[name] === undefined && incoming[alias.incoming] !== undefined;
      if (isAlias) target = alias.outgoing ?? target;
      values[name] = readArgument(name, kind, incoming[isAlias ? alias.incoming : name]);
    }
    const { value, ...finish } = explained(model.name, () => conclude(values as ArgumentValues<Kinds>));
    return { ...finish, outgoing: { [target]: value } };
  };
}

/** What JavaScript itself refuses (a locale, a deep nesting, bad JSON) becomes the task's error. */
function explained<Value>(name: string, compute: () => Value): Value {
  try {
    return compute();
  } catch (thrown) {
    if (thrown instanceof TaskError) throw thrown;
    throw new TaskError(`${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
