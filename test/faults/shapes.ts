import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../support/workflow-builder.ts";
import { eventChildWorkflows, eventShapes } from "./event-shapes.ts";
import { flowShapes } from "./flow-shapes.ts";
import { withWindow, type Shape } from "./shape.ts";
import { call, callWith, childJob, delay, equals, length, manual, operation, pluck, push, set } from "./shape-tasks.ts";

/** A text of about 300 kB when it is repeated so often. */
const paragraph = "A line of a configuration that is as long as such lines are. ";
const paragraphs = 5_000;

/** More steps than one activation takes. */
const manySteps = 510;
/** More events than lie between two snapshots of a job. */
const manyCalls = 110;

const edges = (text: string) => text.split(", ");
const list = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Makes the options of a call of a text. */
export const transformation = {
  _id: "65a1b2c3d4e5f60718293a4b",
  name: "fault options",
  description: "Makes the options of a call of a text.",
  incoming: [{ $id: "text", type: "string" }],
  outgoing: [{ $id: "options", type: "object" }],
  steps: [
    { id: 1, type: "declaration", context: "#", library: "Number", method: "new Number", args: [1] },
    {
      id: 2,
      type: "assign",
      context: "#",
      from: { location: "method", name: 1, ptr: "/return" },
      to: { location: "outgoing", name: "options", ptr: "/limit" },
    },
    {
      id: 3,
      type: "assign",
      context: "#",
      from: { location: "incoming", name: "text", ptr: "" },
      to: { location: "outgoing", name: "options", ptr: "/entity" },
    },
  ],
  functions: [],
};

/** All shapes. Those that run child jobs name workflows of `childWorkflows`. */
export const shapes: readonly Shape[] = [
  {
    workflow: workflowOf(
      "fault parallel and join",
      { a1: call, a2: call, a3: delay(0.05), b1: call, b2: push("seen", "one"), b3: push("seen", "one"), c: length },
      edges("start > a1, start > a2, start > a3, a1 > b1, a2 > b2, a3 > b3, b1 > c, b2 > c, b3 > c, c > end"),
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "fault revert loop",
      { a1: call, a2: push("seen", "round"), a3: length, a4: delay(0.02), a5: equals("count", 4) },
      ["start > a1", "a1 > a2", "a2 > a3", "a3 > a4", "a4 > a5", "a5 >failure~ a1", "a5 > end"],
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "fault forEach",
      {
        f: operation("forEach", { data_array: "$var.job.list" }, { current_item: "" }),
        a1: call,
        a2: push("seen", "$var.f.current_item"),
        c: length,
      },
      ["start > f", "f >loop> a1", "a1 > a2", "f > c", "c > end"],
    ),
    variables: { list: ["r1", "r2", "r3", "r4", "r5"], seen: [] },
  },
  {
    workflow: workflowOf(
      "fault child loop",
      {
        c1: childJob("fault child", "sequential", "first"),
        c2: childJob("fault child", "parallel", "second"),
        d1: pluck("first", "twice", "sequential"),
        d2: pluck("second", "twice", "parallel"),
        e1: set("first", ""),
        e2: set("second", ""),
      },
      ["start > c1", "c1 > d1", "d1 > e1", "e1 > c2", "c2 > d2", "d2 > e2", "e2 > end"],
    ),
    variables: { list: [{ text: "a" }, { text: "b" }, { text: "c" }] },
  },
  {
    workflow: workflowOf("fault nested children", { c1: childJob("fault middle child", ""), a1: call }, [
      "start > c1",
      "c1 > a1",
      "a1 > end",
    ]),
    variables: {},
  },
  {
    workflow: workflowOf("fault manual", { a1: call, b1: manual(), a2: push("seen", "after"), c: length }, [
      "start > a1",
      "a1 > b1",
      "b1 > a2",
      "a2 > c",
      "c > end",
    ]),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "fault revert by a person",
      { a1: call, a2: push("seen", "round"), a3: length, b1: manual("$var.job.count"), a4: delay(0.02) },
      ["start > a1", "a1 > a2", "a2 > a3", "a3 > b1", "b1 >failure~ a1", "b1 > a4", "a4 > end"],
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "fault delay",
      { a1: delay(0.1), a2: push("seen", 1), a3: delay(0.3), a4: push("seen", 2), a5: call, c: length },
      ["start > a1", "a1 > a2", "a2 > a3", "a3 > a4", "a4 > a5", "a5 > c", "c > end"],
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "fault branches with timers",
      {
        a1: delay(0.05),
        a2: call,
        a3: delay(0.1),
        b1: delay(0.12),
        b2: call,
        b3: delay(0.03),
        c: push("seen", "both"),
      },
      edges("start > a1, a1 > a2, a2 > a3, a3 > c, start > b1, b1 > b2, b2 > b3, b3 > c, c > end"),
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "fault failing bodies",
      {
        f: operation("forEach", { data_array: "$var.job.list" }, { current_item: "" }),
        a1: callWith("$var.f.current_item"),
        a2: push("seen", "done"),
        a3: push("seen", "failed"),
        c: length,
      },
      ["start > f", "f >loop> a1", "a1 > a2", "a1 >error> a3", "f > c", "c > end"],
    ),
    variables: { list: [{ limit: 1 }, { limit: -1 }, { limit: 2 }, { limit: -2 }], seen: [] },
  },
  {
    workflow: workflowOf(
      "fault retry",
      {
        a1: { ...callWith({ limit: -1 }), retrySettings: { state: ["error"], autoRetry: true, limit: 2, delay: 40 } },
        a2: {
          ...operation("shift", { job_variable: "list" }),
          retrySettings: { state: ["success"], autoRetry: true, limit: 3, delay: 10 },
        },
        a3: push("seen", "gave up"),
      },
      ["start > a1", "a1 >error> a2", "a2 > a3", "a3 > end"],
    ),
    variables: { list: [1, 2, 3, 4, 5, 6], seen: [] },
  },
  {
    workflow: workflowOf(
      "fault cancel",
      { a1: call, b1: delay(3_600), c1: childJob("fault canceled child", ""), d1: push("seen", "never") },
      ["start > a1", "a1 > b1", "a1 > c1", "b1 > d1", "c1 > d1", "d1 > end"],
    ),
    variables: { seen: [] },
  },
  ...flowShapes,
  ...eventShapes,
  {
    workflow: workflowOf(
      "fault large values",
      {
        a1: {
          name: "repeat",
          incoming: { str: paragraph, count: paragraphs },
          outgoing: { repeatedString: "$var.job.text" },
        },
        a2: operation(
          "transformation",
          { tr_id: transformation.name, variableMap: { text: "$var.job.text" }, options: { extractOutput: true } },
          { options: "$var.job.options" },
        ),
        a3: callWith("$var.job.options"),
        a4: set("text", ""),
        a5: delay(0.02),
      },
      ["start > a1", "a1 > a2", "a2 > a3", "a3 > a4", "a4 > a5", "a5 > end"],
    ),
    variables: {},
    isHeavy: true,
  },
  {
    // The values of the child jobs are stored once for the tree.
    workflow: workflowOf(
      "fault large children",
      {
        c1: childJob("fault large child", "parallel", "made"),
        a1: call,
        f1: set("made", ""),
      },
      ["start > c1", "c1 > a1", "a1 > f1", "f1 > end"],
    ),
    variables: { list: [{ n: 1 }, { n: 2 }] },
    isHeavy: true,
  },
  {
    workflow: workflowOf(
      "fault many steps",
      {
        f: operation("forEach", { data_array: "$var.job.list" }, { current_item: "" }),
        a1: set("step", "$var.f.current_item"),
        a2: set("list", []),
        a3: call,
      },
      ["start > f", "f >loop> a1", "a1 > a2", "f > a3", "a3 > end"],
    ),
    variables: { list: list(manySteps) },
    isHeavy: true,
  },
  {
    workflow: workflowOf(
      "fault many events",
      {
        f: operation("forEach", { data_array: "$var.job.list" }, { current_item: "" }),
        a1: call,
        a2: delay(0.001),
      },
      ["start > f", "f >loop> a1", "a1 > a2", "f > end"],
    ),
    variables: { list: list(manyCalls) },
    isHeavy: true,
  },
];

/** Workflows that shapes run as child jobs. */
export const childWorkflows: readonly WorkflowDocument[] = [
  workflowOf(
    "fault child",
    {
      a1: call,
      a2: {
        name: "repeat",
        incoming: { str: "$var.job.text", count: 2 },
        outgoing: { repeatedString: "$var.job.twice" },
      },
    },
    ["start > a1", "a1 > a2", "a2 > end"],
  ),
  workflowOf(
    "fault middle child",
    { a1: set("list", [{ text: "x" }, { text: "y" }]), c1: childJob("fault child", "parallel"), a2: call },
    ["start > a1", "a1 > c1", "c1 > a2", "a2 > end"],
  ),
  workflowOf("fault failing child", { a1: callWith("$var.job.options") }, ["start > a1", "a1 > end"]),
  // A person who sees its task cancels the parent: everything else is at rest by then.
  workflowOf("fault canceled child", { a1: call, b1: manual("cancel") }, ["start > a1", "a1 > b1", "b1 > end"]),
  workflowOf(
    "fault large child",
    {
      a1: {
        name: "repeat",
        incoming: { str: paragraph, count: paragraphs },
        outgoing: { repeatedString: "$var.job.text" },
      },
      a2: call,
    },
    ["start > a1", "a1 > a2", "a2 > end"],
  ),
  ...eventChildWorkflows,
];

const light = shapes.filter(({ isHeavy }) => !isHeavy);
const heavy = shapes.filter(({ isHeavy }) => isHeavy);
/** Workflows are stored a while before their jobs are asked for. */
const storedWindowInMs = 5_000;
/** Of so many jobs one has a heavy shape. */
const jobsPerHeavyOne = 40;

/** The shape of the n-th job of a run: all in turn, the heavy ones now and then. */
export function shapeOfJob(n: number): Shape {
  const isHeavy = n % jobsPerHeavyOne === jobsPerHeavyOne - 1;
  const turn = isHeavy ? Math.floor(n / jobsPerHeavyOne) : n - Math.floor(n / jobsPerHeavyOne);
  const choice = isHeavy ? heavy : light;
  return choice[turn % choice.length] ?? light[0]!;
}

/** Waits `seconds`: for programmes about time alone. */
export const timerShape: Shape = {
  workflow: workflowOf(
    "fault timer",
    { a1: operation("delay", { time: "$var.job.seconds" }), a2: set("seconds", "over") },
    ["start > a1", "a1 > a2", "a2 > end"],
  ),
  variables: { seconds: 1 },
};

/** Every workflow of the laboratory, child workflows first. `now`: of who stores them, milliseconds since the epoch; run windows open from then. */
export function faultWorkflows(now: number): WorkflowDocument[] {
  const own = [...shapes, timerShape].map(({ workflow, windowInMs }) =>
    windowInMs === undefined ? workflow : withWindow(workflow, now + storedWindowInMs),
  );
  return [...childWorkflows, ...own];
}
