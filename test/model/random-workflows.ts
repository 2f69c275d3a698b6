import {
  endTaskId,
  startTaskId,
  type Transition,
  type WorkflowDocument,
  type WorkflowTask,
} from "../../src/workflow-engine/workflow-schema.ts";
import { createRandom, type Random } from "../fuzz/random.ts";
import { edgesOf, forwardOf } from "./reference-graph.ts";
import type { ReferenceMock } from "./reference-runs.ts";
import { outsideKinds, pickKind, randomTask, statesOf, type Kind } from "./random-tasks.ts";

/** A workflow and what its jobs are started with. */
export type Scenario = {
  seed: number;
  workflow: WorkflowDocument;
  variables: Record<string, unknown>;
  mocks: Record<string, ReferenceMock>;
};

type Plan = {
  random: Random;
  tasks: Record<string, WorkflowTask>;
  kinds: Map<string, Kind>;
  transitions: Record<string, Record<string, Transition>>;
  /** forEach tasks around the place that is being filled. */
  loops: string[];
};

/** A level of a workflow: its whole, or the body of a forEach. */
type Level = { entry: string; hasEnd: boolean };

/**
 * The scenario of a seed: up to 40 tasks with parallel splits and joins, bodies of forEach two deep, revert
 * transitions that lead back, tasks of all kinds, and the flaws that real documents have: keys of tasks that
 * do not exist, missing entries.
 */
export function randomScenario(seed: number): Scenario {
  const random = createRandom(seed, 1);
  const size = random.pick([3, 6, 6, 12, 12, 20, 40]);
  const plan: Plan = {
    random,
    tasks: { [startTaskId]: { name: startTaskId }, [endTaskId]: { name: endTaskId } },
    kinds: new Map(),
    transitions: { [startTaskId]: {}, [endTaskId]: {} },
    loops: [],
  };
  fill(plan, 1 + random.below(size), { entry: startTaskId, hasEnd: true });
  addReverts(plan);
  if (random.chance(0.25)) addJoins(plan);
  const mocks = randomMocks(plan);
  addFlaws(plan);
  const workflow = { name: `random ${seed}`, type: "automation", tasks: plan.tasks, transitions: plan.transitions };
  return {
    seed,
    workflow,
    mocks,
    variables: { v0: random.below(4), n0: random.below(4), list0: [1], list2: [1, 2], object: { a: random.below(3) } },
  };
}

/** Adds `count` tasks behind the entry of a level, each behind some that are there before it. */
function fill(plan: Plan, count: number, level: Level): void {
  const { random } = plan;
  const before: string[] = [];
  for (let left = count; left > 0; left--) {
    const inside = plan.loops.length < 2 ? Math.min(left - 1, random.below(5)) : 0;
    const kind = pickKind(random);
    // Known: a forEach without a body never ends.
    const task = addTask(plan, kind);
    connect(plan, before, task, level);
    before.push(task);
    if (plan.kinds.get(task) !== "forEach" || inside === 0) continue;
    plan.loops.push(task);
    fill(plan, inside, { entry: task, hasEnd: false });
    plan.loops.pop();
    left -= inside;
  }
  if (level.hasEnd) connectEnd(plan, before);
}

function addTask(plan: Plan, kind: Kind): string {
  const { random, tasks, kinds } = plan;
  let id = random.below(65_536).toString(16);
  while (Object.hasOwn(tasks, id)) id = random.below(65_536).toString(16);
  const ids = [...kinds.keys()];
  const calls = ids.filter((task) => kinds.get(task) === "call");
  tasks[id] = randomTask(random, kind, { tasks: ids, calls, loops: plan.loops });
  kinds.set(id, kind);
  plan.transitions[id] = {};
  return id;
}

function connect(plan: Plan, before: readonly string[], task: string, { entry, hasEnd }: Level): void {
  const { random } = plan;
  const near = before.slice(-4);
  const ways = near.length === 0 ? 0 : random.pick([0, 1, 1, 1, 1, 1, 2, 2, 2, 3]);
  // Known: a join of a loop transition and others waits for ever once a task of the body was reverted.
  const isEntered = ways === 0 || random.chance(0.12);
  if (isEntered) lead(plan, entry, task, hasEnd ? "success" : "loop");
  for (let way = 0; way < ways; way++) {
    const from = random.pick(random.chance(0.8) ? near : before);
    lead(plan, from, task, stateFor(plan, from));
  }
}

/** Mostly success: what never leads on tells little. Seldom a state that the task cannot have. */
function stateFor({ random, kinds }: Plan, from: string): Transition["state"] {
  const states = statesOf[kinds.get(from) ?? "call"];
  if (random.chance(0.55)) return "success";
  return random.chance(0.95) ? random.pick(states) : random.pick(["failure", "error"] as const);
}

function lead({ transitions }: Plan, from: string, to: string, state: Transition["state"]): void {
  const targets = (transitions[from] ??= {});
  targets[to] ??= { state, type: "standard" };
}

function connectEnd(plan: Plan, tasks: readonly string[]): void {
  const { random, transitions } = plan;
  for (const task of tasks) {
    const isLeaf = Object.keys(transitions[task] ?? {}).length === 0;
    if (random.chance(isLeaf ? 0.92 : 0.12)) lead(plan, task, endTaskId, stateFor(plan, task));
  }
  const [first] = tasks;
  const isReached = tasks.some((task) => transitions[task]?.[endTaskId]);
  if (first !== undefined && !isReached) lead(plan, first, endTaskId, "success");
}

/** Leads some tasks back to one they come after, on a state that leads nowhere else. */
function addReverts({ random, tasks, kinds, transitions }: Plan): void {
  const edges = edgesOf({ name: "", tasks, transitions });
  const turned = edges.map((edge) => ({ ...edge, from: edge.to, to: edge.from }));
  for (const [source, kind] of kinds) {
    if (!random.chance(0.2)) continue;
    const upstream = forwardOf(turned, [source]);
    const used = new Set(Object.values(transitions[source] ?? {}).map(({ state }) => state));
    const states = statesOf[kind].filter((state) => !used.has(state));
    const isEndless = (target: string) => !isFromOutside(kinds, source) && !isFromOutside(kinds, target);
    const targets = [...kinds.keys()].filter(
      (target) => target !== source && !isEndless(target) && upstream.has(target),
    );
    if (states.length === 0 || targets.length === 0 || (!states.includes("failure") && random.chance(0.6))) continue;
    const targetsOf = (transitions[source] ??= {});
    const state = states.includes("failure") && random.chance(0.7) ? "failure" : random.pick(states);
    targetsOf[random.pick(targets)] ??= { state, type: "revert" };
  }
}

/** Lets some joins start before all that leads to them is decided, and some tasks cancel others. */
function addJoins({ random, tasks, transitions, kinds }: Plan): void {
  const edges = edgesOf({ name: "", tasks, transitions });
  const ids = [...kinds.keys()];
  for (const [id, task] of Object.entries(tasks).filter(([id]) => id !== startTaskId)) {
    const ways = edges.filter(({ to, isRevert }) => to === id && !isRevert).length;
    // A join that does not wait and leads back could do so for ever.
    const isBack = edges.some(({ from, isRevert }) => from === id && isRevert);
    const join = random.pick(["all", "any", "any", 2, ways] as const);
    if (ways > 1 && !isBack && random.chance(0.4))
      Object.assign(task, { join, ...(join !== "all" && random.chance(0.5) ? { cancelOthers: true } : {}) });
    const others = [random.pick(ids), random.pick(ids)].filter((other) => other !== id);
    if (id !== endTaskId && !Object.hasOwn(task, "cancelOthers") && random.chance(0.1))
      Object.assign(task, { cancelOthers: others });
  }
}

function isFromOutside(kinds: ReadonlyMap<string, Kind>, task: string): boolean {
  return outsideKinds.has(kinds.get(task) ?? "merge");
}

/** Mocks some tasks, but none that a revert transition leads from or to: a cycle could run for ever. */
function randomMocks({ random, kinds, transitions }: Plan): Record<string, ReferenceMock> {
  if (random.chance(0.6)) return {};
  const ends = Object.entries(transitions).flatMap(([from, targets]) =>
    Object.entries(targets).flatMap(([to, { type }]) => (type === "revert" ? [from, to] : [])),
  );
  const reverts = new Set(ends);
  const mocked = [...kinds.keys()].filter((task) => !reverts.has(task) && random.chance(0.15));
  return Object.fromEntries(mocked.map((task) => [task, randomMock(random)]));
}

function randomMock(random: Random): ReferenceMock {
  const finish_state = random.pick(["success", "success", "failure", "error"] as const);
  return {
    finish_state,
    outgoing: random.chance(0.7) ? { result: "mocked" } : {},
    ...(finish_state === "error" ? { error: "mocked error" } : {}),
    ...(random.chance(0.3) ? { delay: 2 } : {}),
  };
}

function addFlaws({ random, transitions, kinds }: Plan): void {
  if (random.chance(0.3)) transitions["zombie"] = random.chance(0.5) ? {} : { [endTaskId]: success };
  for (const task of kinds.keys()) {
    if (Object.keys(transitions[task] ?? {}).length === 0 && random.chance(0.2)) delete transitions[task];
  }
}

const success: Transition = { state: "success", type: "standard" };
