import type { WorkflowDocument } from "../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../support/workflow-builder.ts";

const operation = (name: string, incoming: Record<string, unknown>, outgoing: Record<string, unknown> = {}) => ({
  name,
  type: "operation",
  incoming,
  outgoing,
});
const delay = (seconds: number) => operation("delay", { time: seconds });
const call = {
  app: "MOP",
  name: "getDeviceObjectsFiltered",
  type: "automatic",
  incoming: { options: { limit: 1 } },
  outgoing: { result: "" },
};
const push = (variable: string, item: unknown) => operation("push", { job_variable: variable, item_to_push: item });
const equals = (variable: string, value: unknown) =>
  operation("evaluation", {
    all_true_flag: true,
    evaluation_groups: [
      {
        all_true_flag: true,
        evaluations: [
          {
            operand_1: { task: "job", variable },
            operator: "==",
            operand_2: { task: "static", variable: value },
            query: "",
            rightQuery: "",
          },
        ],
      },
    ],
  });
const length = { name: "arrayLength", incoming: { arr: "$var.job.seen" }, outgoing: { length: "$var.job.count" } };

/** Workflows of the shapes that faults are let loose on, each with the job variables it starts with. */
export const shapes: readonly { workflow: WorkflowDocument; variables: Record<string, unknown> }[] = [
  {
    workflow: workflowOf(
      "fault parallel and join",
      { a1: call, a2: call, a3: delay(0.05), b1: call, b2: push("seen", "one"), b3: push("seen", "one"), c: length },
      [
        "start > a1",
        "start > a2",
        "start > a3",
        "a1 > b1",
        "a2 > b2",
        "a3 > b3",
        "b1 > c",
        "b2 > c",
        "b3 > c",
        "c > end",
      ],
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
        c1: operation(
          "childJob",
          {
            task: "",
            workflow: "fault child",
            variables: {},
            data_array: "$var.job.list",
            transformation: "",
            loopType: "sequential",
          },
          { job_details: "$var.job.first" },
        ),
        c2: operation(
          "childJob",
          {
            task: "",
            workflow: "fault child",
            variables: {},
            data_array: "$var.job.list",
            transformation: "",
            loopType: "parallel",
          },
          { job_details: "$var.job.second" },
        ),
        d1: operation(
          "query",
          { pass_on_null: false, query: "loop[*].twice", obj: "$var.job.first" },
          { return_data: "$var.job.sequential" },
        ),
        d2: operation(
          "query",
          { pass_on_null: false, query: "loop[*].twice", obj: "$var.job.second" },
          { return_data: "$var.job.parallel" },
        ),
        e1: operation("newVariable", { name: "first", value: "" }),
        e2: operation("newVariable", { name: "second", value: "" }),
      },
      ["start > c1", "c1 > d1", "d1 > e1", "e1 > c2", "c2 > d2", "d2 > e2", "e2 > end"],
    ),
    variables: { list: [{ text: "a" }, { text: "b" }, { text: "c" }] },
  },
  {
    workflow: workflowOf(
      "fault manual",
      {
        a1: call,
        b1: {
          type: "manual",
          name: "ViewData",
          view: "/workflow_engine/task/ViewData",
          incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
        },
        a2: push("seen", "after"),
        c: length,
      },
      ["start > a1", "a1 > b1", "b1 > a2", "a2 > c", "c > end"],
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
];

/** The workflow that the child loop runs. */
export const childWorkflow: WorkflowDocument = workflowOf(
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
);
