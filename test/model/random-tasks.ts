import type { WorkflowTask } from "../../src/workflow-engine/workflow-schema.ts";
import type { Random } from "../fuzz/random.ts";

/** Kinds of tasks that random workflows are made of. */
export type Kind =
  | "call"
  | "manual"
  | "stub"
  | "delay"
  | "newVariable"
  | "push"
  | "pop"
  | "shift"
  | "evaluation"
  | "query"
  | "merge"
  | "childJob"
  | "forEach";

/** What a new task may refer to. */
export type Known = { tasks: readonly string[]; calls: readonly string[]; loops: readonly string[] };

type State = "success" | "failure" | "error";

/** States a kind can finish in, and so the ones its transitions mostly wait for. */
export const statesOf: Record<Kind, readonly State[]> = {
  call: ["success", "failure", "error"],
  manual: ["success", "failure"],
  stub: ["success", "failure", "error"],
  delay: ["success"],
  newVariable: ["success"],
  push: ["success", "error"],
  pop: ["success", "failure"],
  shift: ["success", "failure", "error"],
  evaluation: ["success", "failure"],
  query: ["success", "failure"],
  merge: ["success"],
  childJob: ["success", "error"],
  forEach: ["success", "error"],
};

/** Kinds whose end always comes from outside: a cycle through one of them does not run for ever by itself. */
export const outsideKinds: ReadonlySet<Kind> = new Set<Kind>(["call", "manual"]);

const weighted: Kind[] = [
  ...Array.from({ length: 14 }, () => "call" as const),
  ...Array.from({ length: 4 }, () => "manual" as const),
  ...Array.from({ length: 4 }, () => "stub" as const),
  ...(["delay", "delay", "evaluation", "evaluation", "evaluation", "childJob", "childJob", "childJob"] as const),
  ...(["newVariable", "newVariable", "push", "push", "pop", "shift", "query", "merge", "forEach", "forEach"] as const),
];

/** Draws the kind of a task. */
export function pickKind(random: Random): Kind {
  return random.pick(weighted);
}

/** A task of this kind, with arguments, bindings and retry settings drawn at random. */
export function randomTask(random: Random, kind: Kind, known: Known): WorkflowTask {
  const { outgoing, isFromOutside, ...incoming } = makers[kind](random, known);
  // Only numbers are compared: types are another matter, with tests of their own.
  const bound = isFromOutside && random.chance(0.5) ? number(random) : variable(random);
  return {
    ...frameOf(kind),
    ...(kind === "childJob" && incoming["loopType"] !== "" && random.chance(0.4) ? { loop: randomLimits(random) } : {}),
    ...(canRetry.has(kind) && random.chance(0.15) ? { retrySettings: randomRetry(random) } : {}),
    variables: {
      incoming,
      outgoing: { [outgoing]: random.chance(0.4) && kind !== "push" ? `$var.job.${bound}` : null },
      ...(kind === "call" && random.chance(0.3) ? { error: "$var.job.problem" } : {}),
      decorators: [],
    },
  };
}

/** What every task of a kind has. */
function frameOf(kind: Kind): WorkflowTask {
  return {
    name: kind,
    summary: kind,
    description: kind,
    app: kind === "call" || kind === "manual" ? "Outside" : "WorkFlowEngine",
    location: kind === "call" ? "Adapter" : "Application",
    type: kind === "manual" ? "manual" : "automatic",
    ...(kind === "manual" ? { view: "/outside/task/manual" } : {}),
    displayName: kind,
    groups: [],
  };
}

const canRetry: ReadonlySet<Kind> = new Set<Kind>(["call", "manual", "stub", "childJob", "pop", "query"]);

function randomRetry(random: Random) {
  return {
    state: random.pick([["error"], ["failure"], ["error", "failure"], ["success"]]),
    autoRetry: random.chance(0.9),
    limit: random.below(4),
    delay: random.pick([0, 1_000, 60_000]),
  };
}

/** How far a loop of child jobs goes. */
function randomLimits(random: Random) {
  const [completed, failed, failedPercent] = [1 + random.below(3), 1 + random.below(3), random.pick([30, 50, 100])];
  const stops = [{ completed }, { failed }, { failedPercent }, { completed, failed }, { completed, failedPercent }];
  return {
    ...(random.chance(0.5) ? { maxParallel: 1 + random.below(3) } : {}),
    ...(random.chance(0.6) ? { stopWhen: random.pick(stops) } : {}),
  };
}

type Drawn = Record<string, unknown> & { outgoing: string; isFromOutside?: boolean };

const makers: Record<Kind, (random: Random, known: Known) => Drawn> = {
  call: (random, known) => ({ a: value(random, known), outgoing: "result", isFromOutside: true }),
  manual: () => ({ outgoing: "result", isFromOutside: true }),
  stub: (random, known) => ({
    type: random.pick(["success", "success", "failure", "error"]),
    delay: random.pick(["", "", 5]),
    response: random.chance(0.5) ? "stubbed" : (reference(random, known) ?? "stubbed"),
    outgoing: "response",
  }),
  delay: (random) => ({ time: random.pick([1, "3"]), outgoing: "time_in_milliseconds" }),
  newVariable: (random, known) => ({ name: variable(random), value: value(random, known), outgoing: "value" }),
  push: (random, known) => ({
    job_variable: list(random),
    item_to_push: smallValue(random, known),
    outgoing: "job_variable_value",
  }),
  pop: (random) => ({ job_variable: list(random), outgoing: "popped_item" }),
  shift: (random) => ({ job_variable: list(random), outgoing: "shifted_item" }),
  evaluation: (random, known) => ({
    all_true_flag: random.chance(0.5),
    evaluation_groups: [group(random, known), ...(random.chance(0.2) ? [group(random, known)] : [])],
    outgoing: "return_value",
  }),
  query: (random) => ({
    pass_on_null: random.chance(0.3),
    query: random.pick(["a", "missing"]),
    obj: "$var.job.object",
    outgoing: "return_data",
  }),
  merge: (random, known) => ({
    data_to_merge: [
      { key: "one", value: operand(random, known) },
      { key: "two", value: operand(random, known) },
    ],
    outgoing: "merged_object",
  }),
  childJob: (random, known) => ({
    task: "",
    workflow: "child",
    variables: { given: { task: "static", value: 1 }, passed: { task: "job", value: number(random) } },
    data_array: random.chance(0.1) ? value(random, known) : random.pick(arrays),
    transformation: "",
    loopType: random.pick(["", "sequential", "parallel"]),
    outgoing: "job_details",
  }),
  forEach: (random) => ({
    data_array: random.chance(0.15) ? random.pick(["$var.job.list2", "$var.job.v0"]) : random.pick(arrays),
    outgoing: "unbound",
  }),
};

const arrays = [[], [{ n: 1 }], [{ n: 1 }, { n: 2 }], [{ n: 1 }, { n: 2 }, { n: 3 }]];

function variable(random: Random): string {
  return random.pick(["v0", "v1", "v2", "v3"]);
}

function number(random: Random): string {
  return random.pick(["n0", "n1"]);
}

/** Mostly a variable that is an array, or may become one; seldom one that is none. */
function list(random: Random): string {
  return random.pick(["list0", "list0", "list0", "list1", "list1", "object"]);
}

function value(random: Random, known: Known): unknown {
  return random.chance(0.4) ? random.below(5) : (reference(random, known) ?? "$var.job.v1");
}

/** What cannot hold what it is put into: else values would double with every pass. */
function smallValue(random: Random, { calls, loops }: Known): unknown {
  const loop = loops.at(-1);
  if (loop !== undefined && random.chance(0.5)) return `$var.${loop}.current_item`;
  if (calls.length > 0 && random.chance(0.4)) return `$var.${random.pick(calls)}.result`;
  return random.chance(0.5) ? `$var.job.${number(random)}` : random.below(5);
}

function reference(random: Random, { tasks, calls, loops }: Known): string | undefined {
  const loop = loops.at(-1);
  if (loop !== undefined && random.chance(0.5)) return `$var.${loop}.current_item`;
  if (random.chance(0.4)) return `$var.job.${random.pick(["v0", "v1", "v2", "never"])}`;
  if (calls.length > 0 && random.chance(0.2)) return `$var.${random.pick(calls)}.error`;
  return tasks.length > 0 ? `$var.${random.pick(tasks)}.${random.pick(["result", "response", "value"])}` : undefined;
}

function operand(random: Random, { calls }: Known): { task: string; variable: unknown } {
  if (random.chance(0.5)) return { task: "job", variable: number(random) };
  if (calls.length > 0 && random.chance(0.5)) return { task: random.pick(calls), variable: "result" };
  return { task: "static", variable: random.below(5) };
}

function group(random: Random, known: Known) {
  const rule = () => ({
    operand_1: operand(random, known),
    operator: random.pick(["<", ">=", "=="]),
    operand_2: { task: "static", variable: random.below(5) },
    query: "",
    rightQuery: "",
  });
  return { all_true_flag: random.chance(0.5), evaluations: random.chance(0.3) ? [rule(), rule()] : [rule()] };
}
