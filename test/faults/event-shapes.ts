import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../support/workflow-builder.ts";
import { aboutSchema, anyone, eventSource, silentSource } from "./publisher.ts";
import { call, childJob, delay, length, listener, manual, operation, push, set } from "./shape-tasks.ts";
import type { Shape } from "./shape.ts";

/** A task with fields that only some tasks know. */
const having = (task: object, fields: object): object => ({ ...task, ...fields });
/** A workflow that promises to end within so many milliseconds. */
const promising = (workflow: WorkflowDocument, sla: number): WorkflowDocument =>
  Object.assign({ ...workflow }, { sla });

const edges = (text: string) => text.split(", ");

/** Longer than any run. */
const keptSeconds = 600;
const never = 3_600;
/** A node hears within a second of what tasks on other nodes wait for; those that are disturbed get a little more. Seconds. */
const untilKnown = 2.5;
const engineSource = "@itential/app-workflow_engine";

const early = having(listener("$var.job.early", aboutSchema("early")), { events: { keepFor: keptSeconds } });
const late = listener("$var.job.late", aboutSchema("late"));
/** An event that nobody publishes. */
const silence = { source: silentSource, topic: "never" };

/** The identifier of the job as a value of its own, and in the schema that is made of the text. */
const ownSchema = (schema: object) => ({
  c91: {
    name: "merge",
    incoming: { data_to_merge: [{ key: "id", value: { task: "job", variable: "_id" } }] },
    outgoing: { merged_object: "" },
  },
  c92: {
    name: "makeData",
    incoming: { input: JSON.stringify(schema), outputType: "json", variables: "$var.c91.merged_object" },
    outgoing: { output: "" },
  },
});

/** Shapes that wait for events: of others, of their own child jobs, of themselves. */
export const eventShapes: readonly Shape[] = [
  {
    // Takes what was published before it began to wait; what comes meanwhile reaches both that wait for it.
    workflow: promising(
      workflowOf(
        "fault events",
        {
          a1: call,
          e1: early,
          a91: push("seen", "$var.e1.result"),
          e2: late,
          e3: late,
          a92: push("seen", "$var.e2.result"),
          a93: push("seen", "$var.e3.result"),
          c: length,
          f1: set("early", ""),
          f2: set("late", ""),
        },
        edges(
          "start > a1, a1 > e1, e1 > a91, a91 > e2, a91 > e3, e2 > a92, e3 > a93, a92 > c, a93 > c, c > f1, f1 > f2, f2 > end",
        ),
      ),
      // Never missed: the work that would tell of it goes with the job.
      never * 1_000,
    ),
    variables: { seen: [] },
    topics: ["early", "late"],
  },
  {
    // Whatever comes first is known here.
    workflow: workflowOf(
      "fault first of three",
      {
        b1: having(manual("$var.job.late"), {
          waitAny: {
            event: { source: eventSource, topic: "$var.job.late", schema: aboutSchema("late") },
            afterSeconds: never,
          },
        }),
        a91: push("seen", "$var.b1.winner"),
        b2: having(manual("leave"), { waitAny: { event: silence, afterSeconds: 0.1, afterState: "success" } }),
        a92: push("seen", "$var.b2.winner"),
        b3: having(manual(), { waitAny: { event: silence, afterSeconds: never } }),
        a93: push("seen", "$var.b3.winner"),
        b4: having(operation("eventListenerJob", { ...silence, schema: "" }, { result: "" }), {
          waitAny: { afterSeconds: 0.05, afterState: "success" },
        }),
        a94: push("seen", "$var.b4.winner"),
        f1: set("late", ""),
      },
      edges("start > b1, b1 > a91, a91 > b2, b2 > a92, a92 > b3, b3 > a93, a93 > b4, b4 > a94, a94 > f1, f1 > end"),
    ),
    variables: { seen: [] },
    topics: ["late"],
  },
  {
    // Event, time and person meet; whoever is first, the task ends once.
    workflow: workflowOf(
      "fault close race",
      {
        f: operation("forEach", { data_array: "$var.job.list" }, { current_item: "" }),
        b1: having(listener("$var.job.late", { ...aboutSchema("late"), title: anyone }), {
          waitAny: { afterSeconds: 0.03, afterState: "success", person: true },
        }),
        a1: push("seen", "one"),
        c: length,
        f1: set("late", ""),
      },
      ["start > f", "f >loop> b1", "b1 > a1", "f > c", "c > f1", "f1 > end"],
    ),
    variables: { list: [1, 2, 3], seen: [] },
    topics: ["late"],
  },
  {
    // The engine tells of the end of the child job.
    workflow: workflowOf(
      "fault told of a child",
      {
        ...ownSchema({
          properties: { parent: { properties: { job: { const: "<!id!>" } }, required: ["job"] } },
          required: ["parent"],
        }),
        e1: operation(
          "eventListenerJob",
          { source: engineSource, topic: "jobComplete", schema: "$var.c92.output" },
          { result: "" },
        ),
        a91: push("seen", "$var.e1.result#/name"),
        d1: delay(untilKnown),
        c1: childJob("fault told child", ""),
        c: length,
      },
      edges("start > c91, c91 > c92, c92 > e1, c92 > d1, d1 > c1, e1 > a91, a91 > c, c1 > c, c > end"),
    ),
    variables: { seen: [] },
  },
  {
    // Waits for its own promise to be broken.
    workflow: promising(
      workflowOf(
        "fault broken promise",
        {
          ...ownSchema({ properties: { _id: { const: "<!id!>" } }, required: ["_id"] }),
          e1: operation(
            "eventListenerJob",
            { source: engineSource, topic: "jobSlaBreach", schema: "$var.c92.output" },
            { result: "" },
          ),
          a1: call,
          a91: push("seen", "$var.e1.result#/slaMissed"),
        },
        ["start > c91", "c91 > c92", "c92 > e1", "e1 > a1", "a1 > a91", "a91 > end"],
      ),
      untilKnown * 1_000,
    ),
    variables: { seen: [] },
  },
  {
    // Starts when its window opens, by itself and with a lock that it asks for then.
    workflow: workflowOf(
      "fault run window",
      {
        a1: call,
        b1: having(call, { scheduled: true }),
        b2: having(delay(0.02), { scheduled: true, lock: "fault window" }),
        a2: push("seen", "one"),
        a3: push("seen", "one"),
        c: length,
      },
      edges("start > a1, a1 > b1, a1 > b2, b1 > a2, b2 > a3, a2 > c, a3 > c, c > end"),
    ),
    variables: { seen: [] },
    windowInMs: 1_000,
  },
];

/** Workflows that these run as child jobs. */
export const eventChildWorkflows: readonly WorkflowDocument[] = [
  workflowOf("fault told child", { a1: call }, ["start > a1", "a1 > end"]),
];
