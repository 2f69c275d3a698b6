import type { Task, TaskContext } from "../../src/core/task.ts";
import { answerRender, createTemplateCache } from "../../src/jinja/index.ts";
import { createTaskCatalog, taskLibrary } from "../../src/task-library/index.ts";
import { createTransformer } from "../../src/transformations/create-transformer.ts";
import { createJob } from "../../src/workflow-engine/interpreter/advance.ts";
import { compileWorkflow } from "../../src/workflow-engine/interpreter/compiled-workflow.ts";
import { queryPath } from "../../src/workflow-engine/interpreter/query-path.ts";
import { compileRegularExpression } from "../../src/workflow-engine/interpreter/regular-expression.ts";
import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../../test/support/workflow-builder.ts";
import { medianTransformation, medianValues } from "./median-transformation.ts";

/** One thing that is done again and again. */
export interface TaskWork {
  name: string;
  /** What is counted. */
  unit: "tasks" | "runs" | "MB";
  /** What is expected of one core, in units per second. */
  aim?: number;
  /** Does it once; answers how many units that was. */
  run(): number;
}

const context: TaskContext = { now: Date.UTC(2024, 0, 1), random: () => 0.5 };
const inWorker: TaskContext = { ...context, isInWorker: true };
const catalog = createTaskCatalog(taskLibrary);

/** All that is measured. */
export function taskWorks(): TaskWork[] {
  const tasks = computedTasks();
  const simple = tasks.filter(({ name }) => !isCostly(name));
  const costly = tasks.filter(({ name }) => isCostly(name));
  return [
    inTurn(simple, "simple", 200_000),
    inTurn(costly, "costly"),
    ...[1, 10, longestChain].map(chainOfTasks),
    transformationRuns(),
    ...["query", "evaluation", "merge", "makeData"].map(ofTask),
    ...jinjaRenders(),
    csvParsing(),
  ];
}

interface ComputedTask {
  name: string;
  run: NonNullable<Task["run"]>;
  incoming: Record<string, unknown>;
}

/** Tasks that compute, with the arguments of their first example. */
function computedTasks(): ComputedTask[] {
  return taskLibrary.flatMap(({ name, run, examples }) => {
    const [example] = examples;
    return run && example ? [{ name, run, incoming: example.incoming }] : [];
  });
}

/** Those that go through a library of calendars, languages, formats or patterns: each is measured by its own costs. */
const isCostly = (name: string): boolean =>
  /time|duration|epoch|locale|csv|schema|^(?:match|search|replace|query|extractField|decision)$/iu.test(name);

/** Each task in turn, arguments checked as in a job. */
function inTurn(tasks: readonly ComputedTask[], what: string, aim?: number): TaskWork {
  const run = (): number => {
    for (const task of tasks) task.run(task.incoming, context);
    return tasks.length;
  };
  return { name: `${tasks.length} ${what} tasks in turn`, unit: "tasks", ...(aim === undefined ? {} : { aim }), run };
}

/** One of them. */
function ofTask(name: string): TaskWork {
  const task = computedTasks().find((one) => one.name === name);
  if (!task) throw new Error(`there is no task ${name}`);
  const run = (): number => {
    task.run(task.incoming, context);
    return 1;
  };
  return { name, unit: "tasks", run };
}

const kinds = [
  {
    name: "stringConcat",
    incoming: { str: "interface ", stringN: "$var.job.port" },
    outgoing: { combinedStrings: "" },
  },
  { name: "arrayPush", incoming: { arr: ["a"], elementN: "$var.job.port" }, outgoing: { newArray: "" } },
  { name: "substring", incoming: { str: "$var.job.port", indexStart: 0, indexEnd: 2 }, outgoing: { subString: "" } },
  { name: "toUpperCase", incoming: { str: "$var.job.port" }, outgoing: { upperCaseString: "$var.job.upper" } },
];

/** What fits into one activation. */
const longestChain = 900;

function chainOf(length: number): WorkflowDocument {
  const ids = Array.from({ length }, (_, place) => `a${place.toString(16)}`);
  const tasks = Object.fromEntries(ids.map((id, place) => [id, kinds[place % kinds.length] ?? {}]));
  const places = ["start", ...ids, "end"];
  const edges = places.slice(1).map((id, place) => `${places[place]} > ${id}`);
  return workflowOf(`chain of ${length}`, tasks, edges);
}

/** A job whose tasks are computed in one activation: the interpreter alone, nothing is stored. */
function chainOfTasks(length: number): TaskWork {
  const workflow = compileWorkflow({ workflow: chainOf(length), transformations: {} });
  const environment = {
    findTask: catalog.find,
    random: () => 0.5,
    childJobId: () => "c1",
    transform: () => ({}),
    effort: { spent: 0 },
  };
  const origin = {
    _id: "0123456789abcdef01234567",
    snapshot: "s",
    workflowId: "w",
    name: workflow.snapshot.workflow.name,
    variables: { port: "Gi0/1" },
    initiator: { accountId: "a", username: "a" },
    groups: [],
    ancestors: [],
  };
  const run = (): number => {
    const { state } = createJob(origin, { workflow, environment, at: context.now });
    if (state.status !== "complete") throw new Error(`the chain is ${state.status}: ${JSON.stringify(state.errors)}`);
    return length;
  };
  return { name: `a job of ${length} tasks, in one activation`, unit: "tasks", run };
}

function transformationRuns(): TaskWork {
  const transform = createTransformer({
    effort: { spent: 0 },
    now: () => context.now,
    random: () => 0.5,
    query: queryPath,
    compileRegularExpression,
  });
  const run = (): number => {
    transform(medianTransformation, medianValues, {});
    return 1;
  };
  return { name: "transformation of ten steps", unit: "runs", aim: 20_000, run };
}

const interfaceTemplate =
  "interface {{ name }}\n{% for vlan in vlans %} switchport trunk allowed vlan add {{ vlan }}\n{% endfor %}{% if up %} no shutdown{% endif %}\n";
const configurationTemplate = `{% for name in names %}${interfaceTemplate}{% endfor %}`;

function jinjaRenders(): TaskWork[] {
  const vlans = Array.from({ length: 10 }, (_, place) => place + 100);
  const names = Array.from({ length: 100 }, (_, place) => `GigabitEthernet0/${place}`);
  return [
    renders("Jinja2, one interface of ten VLANs", interfaceTemplate, { name: "Gi0/1", vlans, up: true }),
    renders("Jinja2, a hundred interfaces of ten VLANs", configurationTemplate, { names, vlans, up: true }),
  ];
}

function renders(name: string, template: string, values: Record<string, unknown>): TaskWork {
  const cache = createTemplateCache(1_000_000);
  const run = (): number => {
    const answer = answerRender({ template, context: values }, { random: () => 0.5, cache });
    if (!("text" in answer)) throw new Error(JSON.stringify(answer));
    return 1;
  };
  return { name, unit: "runs", run };
}

/** As a worker does it. */
function csvParsing(): TaskWork {
  const rows = Array.from(
    { length: 20_000 },
    (_, n) => `r${n},10.0.${n >> 8}.${n & 255},"floor ${n % 40}, rack ${n % 7}",${n}`,
  );
  const input = `name,address,place,number\n${rows.join("\n")}\n`;
  const csv = computedTasks().find(({ name }) => name === "csvStringToJson");
  if (!csv) throw new Error("there is no task csvStringToJson");
  const run = (): number => {
    csv.run({ input }, inWorker);
    return input.length / 1e6;
  };
  return { name: "csvStringToJson", unit: "MB", run };
}
