import type { WorkflowDocument } from "../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../test/support/workflow-builder.ts";

const length = 10;
const ids = Array.from({ length }, (_, n) => `a${n.toString(16)}`);
const chain = ["start", ...ids, "end"];
const edges = chain.slice(1).map((to, n) => `${chain[n]} > ${to}`);

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
  return workflowOf("bench engine chain", Object.fromEntries(ids.map((id, n) => [id, kinds[n] ?? {}])), edges);
}

/** Ten tasks in a row that each leave the engine, and so each need their own commit: a look at the inventory. */
export function callChain(): WorkflowDocument {
  const call = {
    app: "MOP",
    name: "getDeviceObjectsFiltered",
    type: "automatic",
    incoming: { options: { limit: 1 } },
    outgoing: { result: "" },
  };
  return workflowOf("bench call chain", Object.fromEntries(ids.map((id) => [id, call])), edges);
}
