import { Type, type TSchema } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import {
  anything,
  boolean,
  describeArguments,
  list,
  object,
  oneOf,
  optional,
  scalar,
  text,
  type ArgumentKinds,
} from "./arguments.ts";

interface EngineTask {
  name: string;
  summary: string;
  /** In the order of the arguments. */
  incoming: ArgumentKinds;
  outgoing: readonly (readonly [name: string, schema: TSchema])[];
  examples: Task["examples"];
}

/**
 * Models of the tasks in which the engine itself acts: it starts jobs, waits, or writes job variables
 * (workflow-engine.md §5, tasks-and-transformations.md §4, §8). They have no computation of their own.
 */
export const engineTasks: readonly Task[] = [
  engineTask({
    name: "childJob",
    summary: "Runs another workflow, once or once per element of an array, and hands on its job variables.",
    incoming: {
      task: optional(text),
      workflow: text,
      variables: optional(object),
      data_array: optional(list),
      transformation: optional(text),
      loopType: optional(oneOf("sequential", "parallel")),
    },
    outgoing: [["job_details", Type.Object({}, { additionalProperties: true })]],
    examples: [
      {
        incoming: {
          task: "",
          workflow: "Add VLAN",
          variables: { vlan: 12 },
          data_array: "",
          transformation: "",
          loopType: "",
        },
        outgoing: {
          job_details: { status: "complete", vlan: 12, _id: "65a1b2c3d4e5f60718293a4b", initiator: "admin" },
        },
      },
    ],
  }),
  engineTask({
    name: "delay",
    summary: "Waits a number of seconds; outlives a restart.",
    incoming: { time: scalar },
    outgoing: [["time_in_milliseconds", Type.Number()]],
    examples: [{ incoming: { time: 60 }, outgoing: { time_in_milliseconds: 60_000 } }],
  }),
  engineTask({
    name: "eventListenerJob",
    summary: "Waits for an event of a source and topic whose payload matches a JSON schema; outlives a restart.",
    incoming: { source: text, topic: text, schema: optional(object) },
    outgoing: [["result", Type.Unknown()]],
    examples: [
      {
        incoming: { source: "@itential/app-workflow_engine", topic: "jobPause", schema: { type: "object" } },
        outgoing: { result: { _id: "65a1b2c3d4e5f60718293a4b", name: "Add VLAN", status: "paused" } },
      },
    ],
  }),
  engineTask({
    name: "forEach",
    summary: "Runs the tasks behind its loop transition once per element, one after the other.",
    incoming: { data_array: list },
    outgoing: [["current_item", Type.Unknown()]],
    examples: [{ incoming: { data_array: ["r1", "r2"] }, outgoing: { current_item: "r1" }, finishState: "loop" }],
  }),
  engineTask({
    name: "newVariable",
    summary: "Writes a job variable.",
    incoming: { name: text, value: anything },
    outgoing: [["value", Type.Unknown()]],
    examples: [{ incoming: { name: "devices", value: [] }, outgoing: { value: [] } }],
  }),
  engineTask({
    name: "push",
    summary: "Appends an item to a job variable that is an array; job_variable is its name.",
    incoming: { job_variable: text, item_to_push: anything },
    outgoing: [["job_variable_value", Type.Array(Type.Unknown())]],
    examples: [{ incoming: { job_variable: "devices", item_to_push: "r1" }, outgoing: { job_variable_value: ["r1"] } }],
  }),
  engineTask({
    name: "pop",
    summary: "Takes the last item off a job variable that is an array; failure where it is empty.",
    incoming: { job_variable: text },
    outgoing: [["popped_item", Type.Unknown()]],
    examples: [{ incoming: { job_variable: "devices" }, outgoing: { popped_item: "r2" } }],
  }),
  engineTask({
    name: "shift",
    summary: "Takes the first item off a job variable that is an array; failure where it is empty.",
    incoming: { job_variable: text },
    outgoing: [["shifted_item", Type.Unknown()]],
    examples: [{ incoming: { job_variable: "devices" }, outgoing: { shifted_item: "r1" } }],
  }),
  engineTask({
    name: "transformation",
    summary: "Runs a transformation; each of its outgoing values is a variable of the task.",
    incoming: { tr_id: text, variableMap: optional(object), options: optional(object) },
    outgoing: [],
    examples: [
      {
        incoming: {
          tr_id: "65a1b2c3d4e5f60718293a4b",
          variableMap: { vpcId: "vpc-1" },
          options: { extractOutput: true },
        },
        outgoing: { vpcFilter: { "Filter.1.Value.1": "vpc-1" } },
      },
    ],
  }),
  engineTask({
    name: "updateJobDescription",
    summary: "Replaces the description of the job.",
    incoming: { description: text },
    outgoing: [["description", Type.String()]],
    examples: [{ incoming: { description: "VLAN 12 on r1" }, outgoing: { description: "VLAN 12 on r1" } }],
  }),
];

const button = optional(text);

/** Models of the tasks that people work in a page of the engine (workflow-engine.md §5). */
export const manualTasks: readonly Task[] = [
  manualTask({
    name: "ViewData",
    summary: "Shows a message and data; the two buttons finish in success and in failure.",
    incoming: {
      header: optional(text),
      message: optional(text),
      body: optional(anything),
      variables: optional(object),
      btn_success: button,
      btn_failure: button,
    },
    outgoing: [],
    examples: [
      {
        incoming: {
          header: "Check",
          message: "Device <!name!> is ready",
          body: "",
          variables: { name: "r1" },
          btn_success: "Go on",
          btn_failure: "",
        },
        outgoing: {},
      },
    ],
  }),
  manualTask({
    name: "ViewDiff",
    summary: "Shows the differences of two texts; the two buttons finish in success and in failure.",
    incoming: {
      header: optional(text),
      message: optional(text),
      label1: optional(text),
      value1: anything,
      label2: optional(text),
      value2: anything,
      btn_success: button,
      btn_failure: button,
    },
    outgoing: [],
    examples: [
      {
        incoming: {
          header: "Config",
          message: "",
          label1: "before",
          value1: "mtu 1500",
          label2: "after",
          value2: "mtu 9000",
          btn_success: "Accept",
          btn_failure: "Reject",
        },
        outgoing: {},
      },
    ],
  }),
  manualTask({
    name: "ErrorHandling",
    summary: "Tells a person of an error, who decides how the job goes on.",
    incoming: { severity: oneOf("fatal", "warning", "success"), status: optional(anything), retry: optional(boolean) },
    outgoing: [
      ["response", Type.Union(["success", "failure", "retry", "error"].map((answer) => Type.Literal(answer)))],
    ],
    examples: [
      {
        incoming: { severity: "warning", status: "Device r1 does not answer", retry: true },
        outgoing: { response: "retry" },
      },
    ],
  }),
];

function engineTask({ incoming, outgoing, ...model }: EngineTask): Task {
  return {
    ...model,
    app: "WorkFlowEngine",
    type: "operation",
    displayName: "WorkFlowEngine",
    incoming: describeArguments(incoming),
    outgoing: outgoing.map(([name, schema]) => ({ name, schema })),
  };
}

function manualTask(model: EngineTask): Task {
  return { ...engineTask(model), type: "manual", view: `/workflow_engine/task/${model.name}` };
}
