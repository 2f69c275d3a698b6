import { endTaskId, startTaskId, type WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import type { Scenario } from "./random-workflows.ts";
import { edgesOf, forwardOf } from "./reference-graph.ts";

const mostTries = 800;

/** Makes a scenario smaller while it still fails: fewer tasks, transitions, mocks, and plainer tasks. */
export function shrink(scenario: Scenario, fails: (smaller: Scenario) => boolean): Scenario {
  let smallest = scenario;
  for (let tries = 0; tries < mostTries;) {
    let next: Scenario | undefined;
    for (const candidate of smaller(smallest)) {
      const made = candidate();
      if (isWhole(made.workflow) && tries++ < mostTries && fails(made)) {
        next = made;
        break;
      }
    }
    if (!next) return smallest;
    smallest = next;
  }
  return smallest;
}

/** Made one by one when they are asked for: a large workflow has many. */
function smaller(scenario: Scenario): (() => Scenario)[] {
  const { tasks } = scenario.workflow;
  const ids = Object.keys(tasks).filter((task) => task !== startTaskId && task !== endTaskId);
  return [
    ...(Object.keys(scenario.mocks).length > 0 ? [() => ({ ...scenario, mocks: {} })] : []),
    ...ids.map((task) => () => reachable(withoutTask(scenario, task))),
    ...ids.map((task) => () => reachable(bridged(scenario, task))),
    ...edgesOf(scenario.workflow).map((edge) => () => reachable(withoutEdge(scenario, edge.from, edge.to))),
    ...Object.keys(tasks).flatMap((task) => withoutOptions(scenario, task)),
  ];
}

/** The end can be reached, and every forEach has a body. */
function isWhole(workflow: WorkflowDocument): boolean {
  const edges = edgesOf(workflow);
  const loops = Object.keys(workflow.tasks).filter((task) => workflow.tasks[task]?.name === "forEach");
  const haveBodies = loops.every((task) => edges.some(({ from, state }) => from === task && state === "loop"));
  return haveBodies && forwardOf(edges, [startTaskId]).has(endTaskId);
}

function withWorkflow(scenario: Scenario, change: (workflow: WorkflowDocument) => void): Scenario {
  const workflow = structuredClone(scenario.workflow);
  change(workflow);
  return { ...scenario, workflow };
}

function withoutTask(scenario: Scenario, task: string): Scenario {
  return withWorkflow(scenario, ({ tasks, transitions }) => {
    delete tasks[task];
    delete transitions[task];
    for (const targets of Object.values(transitions)) delete targets[task];
  });
}

/** Without the task, but with its ways: what led to it leads to where it led. */
function bridged(scenario: Scenario, task: string): Scenario {
  const next = Object.entries(scenario.workflow.transitions[task] ?? {}).filter(([, { type }]) => type === "standard");
  const before = edgesOf(scenario.workflow).filter(({ to, isRevert }) => to === task && !isRevert);
  return withWorkflow(withoutTask(scenario, task), ({ transitions }) => {
    for (const { from, state } of before)
      for (const [to, { state: out }] of next) {
        if (state !== "loop" && out === "loop") continue;
        (transitions[from] ??= {})[to] ??= { state, type: "standard" };
      }
  });
}

function withoutEdge(scenario: Scenario, from: string, to: string): Scenario {
  return withWorkflow(scenario, ({ transitions }) => delete transitions[from]?.[to]);
}

const options = ["retrySettings", "join", "cancelOthers", "loop"];

function withoutOptions(scenario: Scenario, task: string): (() => Scenario)[] {
  const given = options.filter((option) => Object.hasOwn(scenario.workflow.tasks[task] ?? {}, option));
  return given.map(
    (option) => () =>
      withWorkflow(scenario, ({ tasks }) => delete (tasks[task] as Record<string, unknown> | undefined)?.[option]),
  );
}

/** Only what the start leads to: the rest would be a mistake of the workflow. */
function reachable(scenario: Scenario): Scenario {
  const kept = forwardOf(edgesOf(scenario.workflow), [startTaskId]).add(endTaskId);
  const lost = Object.keys(scenario.workflow.tasks).filter((task) => !kept.has(task));
  return sound(lost.reduce((rest, task) => withoutTask(rest, task), scenario));
}

/** Without what would be a mistake by now: revert transitions that lead forward, joins that ask for too much. */
function sound(scenario: Scenario): Scenario {
  const edges = edgesOf(scenario.workflow);
  const wrong = edges.filter(({ from, to, isRevert }) => isRevert && !forwardOf(edges, [to]).has(from));
  const kept = wrong.reduce((rest, { from, to }) => withoutEdge(rest, from, to), scenario);
  return withWorkflow(kept, ({ tasks }) => {
    for (const [id, task] of Object.entries(tasks)) {
      const ways = edges.filter(({ to, isRevert }) => to === id && !isRevert).length;
      const { join, cancelOthers } = task as { join?: unknown; cancelOthers?: unknown };
      if (typeof join === "number" && join > ways) Object.assign(task, { join: ways });
      if (Array.isArray(cancelOthers))
        Object.assign(task, { cancelOthers: cancelOthers.filter((other: string) => Object.hasOwn(tasks, other)) });
    }
  });
}
