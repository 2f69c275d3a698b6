import { eventSource } from "./publisher.ts";

// The tasks that the shapes are made of, in short notation.

/** A task in which the engine itself acts. */
export const operation = (name: string, incoming: Record<string, unknown>, outgoing: Record<string, unknown> = {}) => ({
  name,
  type: "operation",
  incoming,
  outgoing,
});

/** Waits on a timer. */
export const delay = (seconds: number) => operation("delay", { time: seconds });

/** Leaves the engine: lists devices. A limit below 1 ends in error. */
export const call = callWith({ limit: 1 });

/** A call with other options, or with a reference to them. */
export function callWith(options: unknown) {
  return {
    app: "MOP",
    name: "getDeviceObjectsFiltered",
    type: "automatic",
    incoming: { options },
    outgoing: { result: "" },
  };
}

/** Appends to a job variable. */
export const push = (variable: string, item: unknown) =>
  operation("push", { job_variable: variable, item_to_push: item });

/** Writes a job variable. */
export const set = (name: string, value: unknown) => operation("newVariable", { name, value });

/** Success when the job variable has the value, else failure. */
export const equals = (variable: string, value: unknown) =>
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

/** Counts what was pushed to `seen`. */
export const length = {
  name: "arrayLength",
  incoming: { arr: "$var.job.seen" },
  outgoing: { length: "$var.job.count" },
};

/** One child job, or one per element of `list`. */
export const childJob = (workflow: string, loopType: "" | "sequential" | "parallel", result = "") =>
  operation(
    "childJob",
    { task: "", workflow, variables: {}, data_array: loopType && "$var.job.list", transformation: "", loopType },
    { job_details: result && `$var.job.${result}` },
  );

/** Takes the values of a member out of the results of a child loop: identifiers differ from run to run. */
export const pluck = (from: string, member: string, to: string) =>
  operation(
    "query",
    { pass_on_null: false, query: `loop[*].${member}`, obj: `$var.job.${from}` },
    { return_data: `$var.job.${to}` },
  );

/** Waits for an event of the laboratory. */
export const listener = (topic: string, schema: object) =>
  operation("eventListenerJob", { source: eventSource, topic, schema }, { result: "" });

/** Waits for a person, who is shown `body`. */
export const manual = (body: unknown = "") => ({
  type: "manual",
  name: "ViewData",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body, variables: "", btn_success: "ok", btn_failure: "no" },
});
