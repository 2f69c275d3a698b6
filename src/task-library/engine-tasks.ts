import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { anything, list, object, oneOf, optional, scalar, text } from "./arguments.ts";
import { defineEngineTask } from "./define-engine-task.ts";

const addVlan = {
  task: "",
  workflow: "Add VLAN",
  variables: { vlan: 12 },
  data_array: "",
  transformation: "",
  loopType: "",
};
const jobPause = { source: "@itential/app-workflow_engine", topic: "jobPause", schema: { type: "object" } };
const filterOfVpc = {
  tr_id: "65a1b2c3d4e5f60718293a4b",
  variableMap: { vpcId: "vpc-1" },
  options: { extractOutput: true },
};
const unnamed = "The name of the job variable is missing";
const devices = 'In the examples the job variable devices is `["r1", "r2"]`, and none is set.';

/**
 * Models of the tasks in which the engine itself acts: it starts jobs, waits, or writes job variables
 * (workflow-engine.md §5, tasks-and-transformations.md §4, §8). They have no computation of their own.
 */
export const engineTasks: readonly Task[] = [
  defineEngineTask({
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
        incoming: addVlan,
        outgoing: {
          job_details: { status: "complete", vlan: 12, _id: "65a1b2c3d4e5f60718293a4b", initiator: "admin" },
        },
      },
      {
        incoming: { ...addVlan, data_array: [{ vlan: 1 }, { vlan: 2 }], loopType: "parallel" },
        outgoing: {
          job_details: {
            status: "complete",
            loop: [
              { vlan: 1, childJobLoopIndex: 0 },
              { vlan: 2, childJobLoopIndex: 1 },
            ],
          },
        },
      },
      {
        incoming: { ...addVlan, data_array: [], loopType: "sequential" },
        outgoing: { job_details: { status: "complete", loop: [] } },
      },
      { incoming: { ...addVlan, workflow: "" }, error: "the name of the workflow is missing" },
      { incoming: { ...addVlan, data_array: "r1", loopType: "parallel" }, error: "data_array is not an array" },
    ],
  }),
  defineEngineTask({
    name: "delay",
    summary: "Waits a number of seconds; outlives a restart.",
    incoming: { time: scalar },
    outgoing: [["time_in_milliseconds", Type.Number()]],
    examples: [
      { incoming: { time: 60 }, outgoing: { time_in_milliseconds: 60_000 } },
      { incoming: { time: "0.5" }, outgoing: { time_in_milliseconds: 500 } },
      { incoming: { time: 0 }, outgoing: { time_in_milliseconds: 0 } },
      { incoming: { time: "soon" }, error: 'delay needs a number of seconds, got "soon"' },
      { incoming: { time: -1 }, error: "delay needs a number of seconds, got -1" },
    ],
  }),
  defineEngineTask({
    name: "eventListenerJob",
    summary: "Waits for an event of a source and topic whose payload matches a JSON schema; outlives a restart.",
    incoming: { source: text, topic: text, schema: optional(object) },
    outgoing: [["result", Type.Unknown()]],
    examples: [
      {
        incoming: jobPause,
        outgoing: { result: { _id: "65a1b2c3d4e5f60718293a4b", name: "Add VLAN", status: "paused" } },
      },
      { incoming: { ...jobPause, schema: "" }, outgoing: { result: null } },
      { incoming: { ...jobPause, topic: "" }, error: "The topic of the event is missing" },
      { incoming: { ...jobPause, schema: { type: "nothing" } }, error: "The schema of the event cannot be used" },
    ],
  }),
  defineEngineTask({
    name: "forEach",
    summary: "Runs the tasks behind its loop transition once per element, one after the other.",
    incoming: { data_array: list },
    outgoing: [["current_item", Type.Unknown()]],
    examples: [
      { incoming: { data_array: ["r1", "r2"] }, outgoing: { current_item: "r1" }, finishState: "loop" },
      { incoming: { data_array: [] }, outgoing: {} },
      { incoming: { data_array: "r1" }, error: "forEach needs an array in data_array" },
    ],
  }),
  defineEngineTask({
    name: "newVariable",
    summary: "Writes a job variable.",
    incoming: { name: text, value: anything },
    outgoing: [["value", Type.Unknown()]],
    examples: [
      { incoming: { name: "devices", value: [] }, outgoing: { value: [] } },
      { incoming: { name: "device", value: null }, outgoing: { value: null } },
      { incoming: { name: "", value: 1 }, error: unnamed },
    ],
  }),
  defineEngineTask({
    name: "push",
    summary: "Appends an item to a job variable that is an array; job_variable is its name.",
    description: devices,
    incoming: { job_variable: text, item_to_push: anything },
    outgoing: [["job_variable_value", Type.Array(Type.Unknown())]],
    examples: [
      {
        incoming: { job_variable: "devices", item_to_push: "r3" },
        outgoing: { job_variable_value: ["r1", "r2", "r3"] },
      },
      { incoming: { job_variable: "none", item_to_push: ["r1"] }, outgoing: { job_variable_value: [["r1"]] } },
      { incoming: { job_variable: "", item_to_push: "r1" }, error: unnamed },
    ],
  }),
  defineEngineTask({
    name: "pop",
    summary: "Takes the last item off a job variable that is an array; failure where it is empty.",
    description: devices,
    incoming: { job_variable: text },
    outgoing: [["popped_item", Type.Unknown()]],
    examples: [
      { incoming: { job_variable: "devices" }, outgoing: { popped_item: "r2" } },
      { incoming: { job_variable: "none" }, outgoing: {}, finishState: "failure" },
      { incoming: { job_variable: "" }, error: unnamed },
    ],
  }),
  defineEngineTask({
    name: "shift",
    summary: "Takes the first item off a job variable that is an array; failure where it is empty.",
    description: devices,
    incoming: { job_variable: text },
    outgoing: [["shifted_item", Type.Unknown()]],
    examples: [
      { incoming: { job_variable: "devices" }, outgoing: { shifted_item: "r1" } },
      { incoming: { job_variable: "none" }, outgoing: {}, finishState: "failure" },
      { incoming: { job_variable: "" }, error: unnamed },
    ],
  }),
  defineEngineTask({
    name: "transformation",
    summary: "Runs a transformation; each of its outgoing values is a variable of the task.",
    incoming: { tr_id: text, variableMap: optional(object), options: optional(object) },
    outgoing: [],
    examples: [
      { incoming: filterOfVpc, outgoing: { vpcFilter: { "Filter.1.Value.1": "vpc-1" } } },
      {
        incoming: { ...filterOfVpc, variableMap: "", options: "" },
        outgoing: { vpcFilter: { "Filter.1.Value.1": null } },
      },
      { incoming: { ...filterOfVpc, tr_id: "" }, error: "The identifier of the transformation (tr_id) is missing" },
      {
        incoming: { ...filterOfVpc, tr_id: "65a1b2c3d4e5f60718293a4c" },
        error: "Cannot find transformation 65a1b2c3d4e5f60718293a4c",
      },
    ],
  }),
  defineEngineTask({
    name: "updateJobDescription",
    summary: "Replaces the description of the job.",
    incoming: { description: text },
    outgoing: [["description", Type.String()]],
    examples: [
      { incoming: { description: "VLAN 12 on r1" }, outgoing: { description: "VLAN 12 on r1" } },
      { incoming: { description: "" }, outgoing: { description: "" } },
      { incoming: { description: 12 }, error: "The description is not text" },
    ],
  }),
];
