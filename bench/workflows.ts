import type { WorkflowDocument } from "../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../test/support/workflow-builder.ts";

/** Ten engine tasks in a row, of the kinds real workflows are made of. */
export function engineChain(): WorkflowDocument {
  const kinds = [
    { name: "newVariable", type: "operation", incoming: { name: "list", value: [] }, outgoing: { value: "" } },
    {
      name: "merge",
      type: "operation",
      incoming: {
        data_to_merge: [
          { key: "device", value: { task: "job", variable: "device" } },
          { key: "n", value: { task: "static", variable: 1 } },
        ],
      },
      outgoing: { merged_object: "$var.job.merged" },
    },
    {
      name: "query",
      type: "operation",
      incoming: { pass_on_null: false, query: "device", obj: "$var.a1.merged_object" },
      outgoing: { return_data: "" },
    },
    {
      name: "stringConcat",
      incoming: { str: "interface ", stringN: "$var.a2.return_data" },
      outgoing: { combinedStrings: "" },
    },
    {
      name: "push",
      type: "operation",
      incoming: { job_variable: "list", item_to_push: "$var.a3.combinedStrings" },
      outgoing: { job_variable_value: "" },
    },
    { name: "arrayLength", incoming: { arr: "$var.job.list" }, outgoing: { length: "" } },
    {
      name: "evaluation",
      type: "operation",
      incoming: {
        all_true_flag: true,
        evaluation_groups: [
          {
            all_true_flag: true,
            evaluations: [
              {
                operand_1: { task: "a5", variable: "length" },
                operator: "==",
                operand_2: { task: "static", variable: 1 },
                query: "",
                rightQuery: "",
              },
            ],
          },
        ],
      },
      outgoing: { return_value: "" },
    },
    { name: "toUpperCase", incoming: { str: "$var.a3.combinedStrings" }, outgoing: { uppercaseString: "" } },
    {
      name: "split",
      incoming: { str: "$var.a7.uppercaseString", separator: " ", limit: "" },
      outgoing: { splitArray: "" },
    },
    {
      name: "setObjectKey",
      incoming: { obj: "$var.job.merged", path: ["words"], value: "$var.a8.splitArray" },
      outgoing: { object: "$var.job.result" },
    },
  ];
  return chainOf("bench engine chain", kinds);
}

/** Tasks in a row that each leave the engine for an application, and so each need a commit: looks at the inventory. */
export function inventoryChain(length: number): WorkflowDocument {
  const call = {
    app: "MOP",
    name: "getDeviceObjectsFiltered",
    type: "automatic",
    incoming: { options: { limit: 1 } },
    outgoing: { result: "" },
  };
  return chainOf(
    `bench inventory chain ${length}`,
    Array.from({ length }, () => call),
  );
}

/** The ten steps of all engines as ten calls of an adapter: each task gets the state of the one before. */
export function adapterChain(): WorkflowDocument {
  const calls = Array.from({ length: 10 }, (_, n) => ({
    app: "Bench",
    name: `step${n}`,
    location: "Adapter",
    type: "automatic",
    incoming: { state: n === 0 ? "$var.job.state" : `$var.${taskId(n - 1)}.state` },
    outgoing: { state: n === 9 ? "$var.job.result" : "" },
  }));
  return chainOf("bench adapter chain", calls);
}

/** A job that waits for three days. */
export function delayed(): WorkflowDocument {
  return chainOf("bench delayed", [
    { name: "delay", type: "operation", incoming: { time: 3 * 24 * 60 * 60 }, outgoing: { time_in_milliseconds: "" } },
  ]);
}

/** A job that waits for a person. */
export function manual(): WorkflowDocument {
  return chainOf("bench manual", [
    {
      name: "ViewData",
      app: "WorkFlowEngine",
      type: "manual",
      incoming: { header: "Approve", message: "Interface of $var.job.device", body: "", btn_success: "Yes" },
      outgoing: {},
    },
  ]);
}

/**
 * A change as many are stored: two engine tasks, a call, two engine tasks, and then a second call or a person.
 * Three events in its log.
 */
export function storedJob(last: "automatic" | "manual"): WorkflowDocument {
  const call = { app: "Bench", location: "Adapter", type: "automatic", incoming: { device: "$var.job.device" } };
  const approve = { name: "ViewData", type: "manual", incoming: { header: "Approve", message: "$var.job.title" } };
  return chainOf("bench stored job", [
    {
      name: "stringConcat",
      incoming: { str: "Change of ", stringN: "$var.job.device" },
      outgoing: { combinedStrings: "$var.job.title" },
    },
    { name: "newVariable", type: "operation", incoming: { name: "list", value: [] }, outgoing: { value: "" } },
    { ...call, name: "getConfig", outgoing: { result: "$var.job.before" } },
    { name: "split", incoming: { str: "$var.job.title", separator: " ", limit: "" }, outgoing: { splitArray: "" } },
    { name: "arrayLength", incoming: { arr: "$var.a3.splitArray" }, outgoing: { length: "" } },
    last === "manual" ? approve : { ...call, name: "setConfig", outgoing: { result: "$var.job.after" } },
  ]);
}

function chainOf(name: string, tasks: readonly object[]): WorkflowDocument {
  const names = ["start", ...tasks.keys(), "end"].map((key) => (typeof key === "number" ? taskId(key) : key));
  const edges = names.slice(1).map((to, n) => `${names[n]} > ${to}`);
  return workflowOf(name, Object.fromEntries(tasks.map((task, n) => [taskId(n), task])), edges);
}

function taskId(n: number): string {
  return `a${n.toString(16)}`;
}
