import { describe, expect, it } from "vitest";
import { applyChange, createState } from "../../../src/workflow-engine/interpreter/apply-change.ts";
import type { Change } from "../../../src/workflow-engine/interpreter/changes.ts";
import { compileWorkflow } from "../../../src/workflow-engine/interpreter/compiled-workflow.ts";
import { createDataFlow, type Before, type DataFlow } from "../../../src/workflow-engine/interpreter/data-flow.ts";
import type { Way } from "../../../src/workflow-engine/interpreter/data-flow-without.ts";
import { finishStates } from "../../../src/workflow-engine/interpreter/data-flow-states.ts";
import type { JobState } from "../../../src/workflow-engine/interpreter/job-state.ts";
import { transitionFindings } from "../../../src/workflow-engine/interpreter/validate-workflow-transitions.ts";
import {
  compileWorkflowGraph,
  edgesFrom,
  upstreamOf,
} from "../../../src/workflow-engine/interpreter/workflow-graph.ts";
import { endTaskId, startTaskId, type WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { createRandom, type Random } from "../../fuzz/random.ts";
import { createProductEnvironment, ProductJob } from "../../model/product-job.ts";
import { randomEnding } from "../../model/random-answers.ts";
import { randomScenario, type Scenario } from "../../model/random-workflows.ts";
import type { Work } from "../../model/views.ts";
import { SimulatedJob, tester } from "../../support/simulated-job.ts";

const workflows = Number(process.env["PROPERTY_RUNS"] ?? 300);
const schedules = 6;
const mostEvents = 120;
const environment = createProductEnvironment();

/** A job is refused when its transitions have such errors; tasks that nothing leads to do no harm here. */
function isSound(workflow: WorkflowDocument): boolean {
  const known = { findTask: () => undefined, hasTransformation: () => true, hasWorkflow: () => true };
  const graph = compileWorkflowGraph(workflow);
  const flow = createDataFlow(workflow, graph);
  const findings = transitionFindings({ workflow, graph, flow, environment: known });
  return findings.every(({ severity, message }) => severity === "warning" || message.startsWith("Could not find"));
}

/** Source → reader → what the analysis says. */
type Verdicts = Map<string, Map<string, Before>>;

function verdictsOf(workflow: WorkflowDocument): Verdicts {
  const flow = createDataFlow(workflow, compileWorkflowGraph(workflow)) as DataFlow;
  const ids = Object.keys(workflow.tasks).filter((id) => id !== startTaskId && id !== endTaskId);
  return new Map(ids.map((source) => [source, flow.before(source, ids)]));
}

/** Calls back at every start of a task with what the tasks were then. */
function eachStart(
  workflow: WorkflowDocument,
  changes: readonly Change[],
  visit: (reader: string, state: JobState) => void,
) {
  const compiled = compileWorkflow({ workflow, transformations: {} });
  const origin = {
    _id: "j",
    snapshot: "s",
    workflowId: "w",
    name: "w",
    variables: {},
    initiator: tester,
    groups: [],
    ancestors: [],
  };
  const state = createState(origin, 0, compiled);
  for (const change of changes) {
    if (change.change === "started" && change.task !== startTaskId) visit(change.task, state);
    applyChange(state, change, compiled);
  }
}

/** A task has ended and not been reset since, or is a loop that has an element. */
function hasValues(state: JobState, task: string): boolean {
  const { finishState, cursor } = state.tasks.get(task) ?? {};
  return finishState !== undefined || cursor !== undefined;
}

/** Answers what is open in a random order; a task ends in any of the states that count. */
function play(scenario: Scenario, random: Random): Change[] {
  const job = new ProductJob(scenario, environment);
  const graph = compileWorkflowGraph(scenario.workflow);
  for (let events = 0; events < mostEvents && job.status === "running"; events++) {
    const open = job.open();
    if (open.length === 0) break;
    const work = random.pick(open);
    job.answered(work);
    answer(work);
  }
  return job.takeChanges();

  function answer(work: Work): void {
    const { task, iteration, index = 0 } = work;
    if (work.kind === "timer") return void job.send({ event: "timerDue", task, iteration });
    if (work.kind === "child") {
      const end = randomEnding(random.below(1_000_000), work, scenario.workflow, 0);
      return void job.send({ event: "childEnded", task, iteration, index, end });
    }
    const document = scenario.workflow.tasks[task];
    const edges = edgesFrom(graph, task);
    const reverting = edges.filter(({ type }) => type === "revert").map(({ state }) => state);
    const states = document ? [...finishStates(document, edges), ...reverting] : [];
    const finishState = random.pick(states) as "success";
    if (work.kind === "person")
      return void job.send({ event: "finishManualTask", task, iteration, finishState, variables: {}, by: tester });
    job.send({ event: "taskResult", task, iteration, result: { finishState, outgoing: { result: random.below(3) } } });
  }
}

describe("what data flow says of random workflows", () => {
  it("always: the task has ended at every start of the reader; never: at none", () => {
    const counts = { always: 0, never: 0, sometimes: 0, unordered: 0 };
    const wrong: string[] = [];
    let checked = 0;
    for (let seed = 1; seed <= workflows; seed++) {
      const scenario = { ...randomScenario(seed), mocks: {} };
      if (!isSound(scenario.workflow)) continue;
      checked += 1;
      const verdicts = verdictsOf(scenario.workflow);
      for (let schedule = 0; schedule < schedules; schedule++) {
        eachStart(scenario.workflow, play(scenario, createRandom(seed, schedule)), (reader, state) => {
          for (const [source, readers] of verdicts) {
            const { has } = readers.get(reader) ?? {};
            if (has === undefined) continue;
            counts[has] += 1;
            const isThere = hasValues(state, source);
            if ((has === "always" && !isThere) || (has === "never" && isThere))
              wrong.push(`seed ${seed}: ${reader} reads ${source}, said ${has}, is ${isThere ? "there" : "not there"}`);
          }
        });
      }
    }
    expect([...new Set(wrong)]).toEqual([]);
    expect(checked).toBeGreaterThan(workflows / 3);
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(100);
  });

  it("every way it gives can be gone: tasks that end as it says start the reader without the source", () => {
    let ways = 0;
    for (let seed = 1; seed <= workflows / 2; seed++) {
      const workflow = callsOnly(randomScenario(seed).workflow);
      const all = [...verdictsOf(workflow)].flatMap(([source, readers]) =>
        [...readers].flatMap(([reader, before]) =>
          before.has === "sometimes" ? [{ source, reader, way: before.way() }] : [],
        ),
      );
      ways += all.length;
      expect(all.filter((way) => !isGone(workflow, way))).toEqual([]);
    }
    expect(ways).toBeGreaterThan(workflows);
  });
});

/** Drives a job of calls: the task that is open longest ends as `choose` says. At the start of the reader: had a writer succeeded? Undefined: it did not start. */
function wasWritten(
  workflow: WorkflowDocument,
  { writers, reader }: { writers: readonly string[]; reader: string },
  choose: (task: string) => "success" | "failure" | "error",
): boolean | undefined {
  const job = new SimulatedJob(workflow);
  const next = () => [...job.state.tasks].find(([, task]) => task.status === "running" && task.wait)?.[0];
  for (let open = next(); open !== undefined && job.runs(reader) === 0; open = next()) {
    const state = choose(open);
    job.answer(open, state, {}, state === "error" ? "broken" : undefined);
  }
  if (job.runs(reader) === 0) return undefined;
  return writers.some((writer) => job.state.tasks.get(writer)?.finishState === "success");
}

describe("what data flow says of job variables in random workflows", () => {
  it("a way it gives can be gone without the variable; where it gives none, every course has written it", () => {
    const counts = { ways: 0, sure: 0 };
    for (let seed = 1; seed <= workflows; seed++) {
      const workflow = callsOnly(randomScenario(seed).workflow);
      const random = createRandom(seed, 7);
      const ids = Object.keys(workflow.tasks).filter((id) => id !== startTaskId && id !== endTaskId);
      const graph = compileWorkflowGraph(workflow);
      const writers = [...new Set([random.pick(ids), random.pick(ids)])];
      const writes = new Map(writers.map((writer) => [writer, (state: string) => state === "success"]));
      for (const [reader, written] of createDataFlow(workflow, graph)?.written(writes, ids) ?? []) {
        if (written.is === "input") continue;
        const { steps = [], besides = [] } = written.way?.() ?? {};
        // Whoever runs beside the reader may be late, and need not be.
        const leading = upstreamOf(graph, [reader]);
        const counted = writers.filter((writer) => writer !== reader && leading.has(writer));
        const states = new Map([...steps, ...besides].map(({ task, state }) => [task, state as "success"]));
        const anyState = (task: string) =>
          random.pick(finishStates({ name: "call" }, edgesFrom(graph, task))) as "success";
        if (written.way) {
          counts.ways += 1;
          const choose = (task: string) => states.get(task) ?? "success";
          const course = wasWritten(workflow, { writers: counted, reader }, choose);
          expect(course, `seed ${seed}: ${reader} without ${writers.join()}`).toBe(false);
        } else {
          const courses = Array.from({ length: 10 }, () =>
            wasWritten(workflow, { writers: counted, reader }, anyState),
          );
          counts.sure += courses.filter((course) => course === true).length;
          expect(courses, `seed ${seed}: ${reader} with ${writers.join()}`).not.toContain(false);
        }
      }
    }
    expect(counts.ways).toBeGreaterThan(workflows / 4);
    expect(counts.sure).toBeGreaterThan(workflows / 4);
  });
});

/** The same graph without revert transitions and loops, every task a call; without a way to the end, at which a job would stop. */
function callsOnly({ tasks, transitions, ...workflow }: WorkflowDocument): WorkflowDocument {
  const call = { name: "call", app: "Outside", location: "Adapter", type: "automatic" };
  const calls = Object.entries(tasks).map(([id, task]) => [id, id === startTaskId || id === endTaskId ? task : call]);
  const edges = Object.entries(transitions).map(([from, targets]) => [
    from,
    Object.fromEntries(
      Object.entries(targets)
        .filter(([to, { type }]) => to !== endTaskId && type === "standard")
        .map(([to, { state, type }]) => [to, { state: state === "loop" ? "success" : state, type }]),
    ),
  ]);
  return { ...workflow, tasks: Object.fromEntries(calls), transitions: Object.fromEntries(edges) };
}

/** Drives a job along a way; all that it does not name ends in success. True when the reader started and the source had not run. */
function isGone(
  workflow: WorkflowDocument,
  { source, reader, way }: { source: string; reader: string; way: Way },
): boolean {
  const states = new Map([...way.steps, ...way.besides].map(({ task, state }) => [task, state]));
  const job = new SimulatedJob(workflow);
  for (let open = next(); open !== undefined && job.runs(reader) === 0; open = next()) {
    const state = (states.get(open) ?? "success") as "success";
    job.answer(open, state, {}, state === ("error" as string) ? "broken" : undefined);
  }
  return job.runs(reader) === 1 && job.runs(source) === 0;

  function next(): string | undefined {
    return [...job.state.tasks].find(([, task]) => task.status === "running" && task.wait)?.[0];
  }
}
