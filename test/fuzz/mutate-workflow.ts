import { taskLibrary } from "../../src/task-library/index.ts";
import { hostileTexts, hostileValue, ownMember } from "./hostile-values.ts";
import { isContainer } from "./mutate.ts";
import type { Random } from "./random.ts";

type Members = Record<string, unknown>;
interface Workflow {
  name: string;
  tasks: Members;
  transitions: Members;
}

type Mutation = (workflow: Workflow, random: Random) => void;

const oddStates = ["success", "failure", "error", "loop", "", "bogus", null];
const oddReferences = [
  "$var.job.missing",
  "$var.job",
  "$var.",
  "$var.job.__proto__.x",
  "$var.job.constructor",
  "$var.zzzz.x",
  "$var.a1.result",
  "$var.workflow_end.x",
  { task: "job", variable: "__proto__" },
  { task: "static", value: { task: "job", value: "x" } },
];

/** What a workflow is refused for, mostly. */
const hardMutations: readonly Mutation[] = [
  (workflow, random) => connect(workflow, anyTask(workflow, random), random.pick(["dead", "", "__proto__", "ffffff"])),
  (workflow, random) => connect(workflow, random.pick(["dead", "__proto__", ""]), anyTask(workflow, random)),
  (workflow, random) =>
    connect(workflow, anyTask(workflow, random), anyTask(workflow, random), { state: random.pick(oddStates) }),
  (workflow, random) => connect(workflow, anyTask(workflow, random), anyTask(workflow, random)),
  (workflow, random) => connect(workflow, anyTask(workflow, random), "workflow_start"),
  (workflow, random) => connect(workflow, "workflow_end", anyTask(workflow, random)),
  (workflow, random) => ownMember(anyTask(workflow, random), random.pick([{}, null, [], "x"]), workflow.transitions),
  (workflow, random) => Reflect.deleteProperty(workflow.tasks, anyTask(workflow, random)),
  (workflow, random) => ownMember(random.pick(hostileTexts), workflow.tasks[anyTask(workflow, random)], workflow.tasks),
  (workflow, random) =>
    Object.assign(workflow, { [random.pick(["inputSchema", "outputSchema"])]: random.pick(oddSchemas) }),
];

/** What mostly shows only when the workflow runs. */
const softMutations: readonly Mutation[] = [
  connectForward,
  connectBack,
  changeTask,
  changeTask,
  changeIncoming,
  changeIncoming,
  changeIncoming,
  changeOutgoing,
  callItself,
  (workflow, random) => change(workflow, random, { actor: random.pick(["job", "a1", "__proto__", "nobody"]) }),
  (workflow, random) => change(workflow, random, { type: random.pick(["automatic", "operation", "manual", "x"]) }),
  (workflow, random) => change(workflow, random, { retrySettings: random.pick(oddRetries) }),
];

const oddRetries: readonly unknown[] = [
  { state: ["error", "failure"], autoRetry: true, limit: 1e9, delay: 0 },
  { state: ["success", "error"], autoRetry: true, limit: 3, delay: -5 },
  { state: ["error"], autoRetry: true, limit: -1, delay: 1e15 },
  { state: [], autoRetry: true },
];

const oddSchemas: readonly unknown[] = [
  { $ref: "#" },
  { type: "object", properties: { a: { $ref: "#/properties/a" } }, required: ["a"] },
  { type: "nothing" },
  { type: "object", properties: { a: { pattern: "(a+)+$" } } },
  { type: "object", properties: { a: { pattern: "[" } } },
  { type: "object", required: ["__proto__"] },
  { allOf: [{ not: {} }] },
  null,
];

/** Changes a workflow in place, in a way that only makes sense, or nonsense, in a workflow; `isHard`: also such that it hardly can be started. */
export function mutateWorkflow(workflow: unknown, random: Random, isHard: boolean): void {
  if (!isWorkflow(workflow)) return;
  random.pick(isHard && random.chance(0.6) ? hardMutations : softMutations)(workflow, random);
}

function isWorkflow(value: unknown): value is Workflow {
  if (!isContainer(value) || Array.isArray(value)) return false;
  const { tasks, transitions } = value;
  const isWhole = isContainer(tasks) && isContainer(transitions) && !Array.isArray(tasks);
  return isWhole && Object.keys(tasks).length > 0;
}

function anyTask({ tasks }: Workflow, random: Random): string {
  return random.pick([...Object.keys(tasks), "a1"]);
}

function connect({ transitions }: Workflow, from: string, to: string, parts: Members = {}): void {
  const known = Object.hasOwn(transitions, from) ? transitions[from] : {};
  const targets = isContainer(known) && !Array.isArray(known) ? known : {};
  ownMember(to, { state: "success", type: "standard", ...parts }, targets);
  ownMember(from, targets, transitions);
}

const finishStates = ["success", "failure", "error"];

/** Tasks stand in the order they run in, more or less: such edges make no cycle of their own. */
function connectForward(workflow: Workflow, random: Random): void {
  const [from, to] = twoInOrder(workflow, random);
  connect(workflow, from, to, { state: random.pick(finishStates) });
}

function connectBack(workflow: Workflow, random: Random): void {
  const [to, from] = twoInOrder(workflow, random);
  connect(workflow, from, to, { state: random.pick(finishStates), type: "revert" });
}

function twoInOrder({ tasks }: Workflow, random: Random): [string, string] {
  const ids = Object.keys(tasks).filter((taskId) => !taskId.startsWith("workflow_"));
  const first = random.below(Math.max(1, ids.length - 1));
  return [ids[first] ?? "a1", random.pick([...ids.slice(first + 1), "workflow_end"])];
}

function taskAt(workflow: Workflow, taskId: string): Members {
  const task = Object.hasOwn(workflow.tasks, taskId) ? workflow.tasks[taskId] : undefined;
  return isContainer(task) && !Array.isArray(task) ? task : {};
}

function change(workflow: Workflow, random: Random, parts: Members): void {
  Object.assign(taskAt(workflow, anyTask(workflow, random)), parts);
}

/** Puts another task of the library in the place of one, its arguments valid or not. */
function changeTask(workflow: Workflow, random: Random): void {
  const { name, app, type, incoming, examples } = random.pick(taskLibrary);
  const [example] = examples;
  const values = random.chance(0.5) && example ? structuredClone(example.incoming) : {};
  for (const argument of incoming) if (!(argument.name in values)) values[argument.name] = hostileValue(random);
  change(workflow, random, { name, app, type, variables: { incoming: values, outgoing: {}, decorators: [] } });
}

function variablesOf(workflow: Workflow, random: Random): Members {
  const task = taskAt(workflow, anyTask(workflow, random));
  const variables = task["variables"];
  return isContainer(variables) && !Array.isArray(variables) ? variables : {};
}

function changeIncoming(workflow: Workflow, random: Random): void {
  const { incoming } = variablesOf(workflow, random);
  if (!isContainer(incoming) || Array.isArray(incoming)) return;
  const known = Object.keys(incoming);
  const name = known.length === 0 || random.chance(0.1) ? "extra" : random.pick(known);
  ownMember(name, random.chance(0.5) ? random.pick(oddReferences) : hostileValue(random), incoming);
}

function changeOutgoing(workflow: Workflow, random: Random): void {
  const { outgoing } = variablesOf(workflow, random);
  if (!isContainer(outgoing) || Array.isArray(outgoing)) return;
  const name = random.pick([...Object.keys(outgoing), "extra"]);
  const target = ["$var.job.__proto__", "$var.job._id", "$var.job.initiator", "$var.job.", "$var.a1.x", 7, {}];
  ownMember(name, random.pick(target), outgoing);
}

/** A job that starts itself as its child, once or for each element. */
function callItself(workflow: Workflow, random: Random): void {
  const loopType = random.pick(["", "sequential", "parallel"]);
  const incoming = {
    task: "",
    workflow: workflow.name,
    variables: {},
    data_array: loopType === "" ? "" : [{}, {}],
    transformation: "",
    loopType,
  };
  change(workflow, random, {
    name: "childJob",
    app: "WorkFlowEngine",
    type: "operation",
    variables: { incoming, outgoing: { job_details: "" }, decorators: [] },
  });
}
