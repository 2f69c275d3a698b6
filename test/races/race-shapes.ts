import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { call, callWith, childJob, delay, equals, length, manual, operation, push } from "../faults/shape-tasks.ts";
import { workflowOf } from "../support/workflow-builder.ts";

/** A workflow that clients race for. Its jobs meet people, times, calls and each other. */
export interface RaceShape {
  workflow: WorkflowDocument;
  variables: Record<string, unknown>;
}

const edges = (text: string) => text.split(", ");
const soon = 0.03;

/** What tasks that listen wait for. */
export const racedEvent = { source: "races", topic: "go" };

const listener = operation("eventListenerJob", { ...racedEvent, schema: {} }, { result: "" });
/** Ends as `type` says: a person who retries it may say otherwise. */
const moody = { name: "stub", type: "operation", incoming: { type: "$var.job.mood", delay: "", response: "said" } };
const forEach = operation("forEach", { data_array: "$var.job.list" }, { current_item: "" });

/** Workflows that the shapes run as child jobs. */
const childWorkflows: readonly WorkflowDocument[] = [
  workflowOf("race child", { a1: call, b1: manual(), a2: delay(soon) }, [
    "start > a1",
    "a1 > b1",
    "b1 > a2",
    "a2 > end",
  ]),
  workflowOf("race quick child", { a1: call, a2: delay(soon) }, ["start > a1", "a1 > a2", "a2 > end"]),
];

/** What clients start, in turn. */
export const raceShapes: readonly RaceShape[] = [
  {
    workflow: workflowOf(
      "race parallel",
      { a1: call, a2: delay(soon), b1: manual(), b2: manual(), c1: push("seen", "one"), c2: length },
      edges("start > a1, start > a2, start > b1, a1 > b2, a2 > c1, b1 > c1, b2 > c1, c1 > c2, c2 > end"),
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "race revert by a person",
      { a1: call, a2: push("seen", "round"), b1: manual(), a3: delay(soon), b2: manual() },
      edges("start > a1, a1 > a2, a2 > b1, b1 >failure~ a1, b1 > a3, a3 > b2, b2 >failure~ a2, b2 > end"),
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "race forEach",
      { f: forEach, a1: call, a2: delay(soon), b1: manual(), c1: length },
      edges("start > f, f >loop> a1, a1 > a2, a2 > b1, f > c1, c1 > end"),
    ),
    variables: { list: ["r1", "r2", "r3"], seen: [] },
  },
  {
    workflow: workflowOf(
      "race children",
      { c1: childJob("race child", "parallel"), a1: delay(soon), c2: childJob("race quick child", "sequential") },
      edges("start > c1, start > a1, c1 > c2, a1 > c2, c2 > end"),
    ),
    variables: { list: [{ n: 1 }, { n: 2 }, { n: 3 }] },
  },
  {
    workflow: workflowOf(
      "race errors",
      {
        a1: { ...callWith({ limit: -1 }), retrySettings: { state: ["error"], autoRetry: true, limit: 2, delay: 20 } },
        a2: moody,
        b1: manual(),
        a3: delay(soon),
      },
      edges("start > a1, start > a2, start > b1, a1 > a3, a1 >error> a3, a2 > a3, b1 > a3, a3 > end"),
    ),
    variables: { mood: "error" },
  },
  {
    workflow: workflowOf(
      "race stuck",
      { b1: manual(), a1: equals("seen", 1), a2: delay(soon), a3: moody },
      edges("start > b1, b1 > a1, a1 > a2, a2 > end, b1 >failure> a3, a3 > end"),
    ),
    variables: { seen: 2, mood: "error" },
  },
  {
    workflow: workflowOf(
      "race lock",
      {
        a1: { ...delay(soon), lock: "race section" },
        b1: { ...call, lock: "race section" },
        d1: { ...delay(soon), lock: "race corridor" },
        b2: manual(),
        a2: push("seen", "one"),
      },
      edges("start > a1, start > b1, start > b2, a1 > a2, b1 > a2, b2 > d1, d1 > a2, a2 > end"),
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "race compensation",
      {
        a1: { ...call, compensation: "e1" },
        e1: delay(soon),
        a2: { ...push("seen", "made"), compensation: "e2" },
        e2: push("seen", "undone"),
        b1: { ...manual(), compensation: "e3" },
        e3: moody,
        a3: delay(soon),
        b2: manual(),
      },
      edges("start > a1, a1 > a2, a2 > b1, b1 >failure~ a1, b1 > a3, a3 > b2, b2 >failure~ a2, b2 > end"),
    ),
    variables: { seen: [], mood: "success" },
  },
  {
    workflow: workflowOf(
      "race first come",
      {
        a1: delay(soon),
        b1: manual(),
        d1: { ...delay(3_600), lock: "race vain" },
        d2: listener,
        c1: { ...push("seen", "first"), join: "any", cancelOthers: true },
        c2: { ...call, cancelOthers: ["d3"] },
        d3: delay(3_600),
        b2: manual(),
      },
      edges(
        "start > a1, a1 > b1, start > d1, start > d2, b1 > c1, d1 > c1, d2 > c1, c1 > c2, c2 > b2, b2 > end, start > d3",
      ),
    ),
    variables: { seen: [] },
  },
  {
    workflow: workflowOf(
      "race listener",
      { d1: listener, b1: manual(), a1: moody },
      edges("start > d1, start > b1, d1 > a1, b1 > a1, a1 > end"),
    ),
    variables: { mood: "error" },
  },
];

/** Every workflow of the races, child workflows first. */
export const raceWorkflows: readonly WorkflowDocument[] = [
  ...childWorkflows,
  ...raceShapes.map(({ workflow }) => workflow),
];
