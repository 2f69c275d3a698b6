import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { anything, boolean, object, oneOf, optional, text } from "./arguments.ts";
import { defineManualTask } from "./define-engine-task.ts";

const button = optional(text);

const ready = {
  header: "Check",
  message: "Device <!name!> is ready",
  body: "",
  variables: { name: "r1" },
  btn_success: "Go on",
  btn_failure: "",
};
const configurations = {
  header: "Config",
  message: "",
  label1: "before",
  value1: "mtu 1500",
  label2: "after",
  value2: "mtu 9000",
  btn_success: "Accept",
  btn_failure: "Reject",
};
const unreachable = { severity: "warning", status: "Device r1 does not answer", retry: true };

const byPerson = "A person may also finish it in error.";

/** Models of the tasks that people work in a page of the engine (workflow-engine.md §5). */
export const manualTasks: readonly Task[] = [
  defineManualTask({
    name: "ViewData",
    summary: "Shows a message and data; the two buttons finish in success and in failure.",
    description: `Without btn_failure there is only the button of success. ${byPerson}`,
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
      { incoming: ready, outgoing: {} },
      { incoming: { ...ready, btn_failure: "Stop" }, outgoing: {}, finishState: "failure" },
      { incoming: { ...ready, message: "", body: [{ name: "r1", up: true }], variables: "" }, outgoing: {} },
      { incoming: ready, finishState: "error", error: "Finished in error" },
    ],
  }),
  defineManualTask({
    name: "ViewDiff",
    summary: "Shows the differences of two texts; the two buttons finish in success and in failure.",
    description: byPerson,
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
      { incoming: configurations, outgoing: {} },
      { incoming: configurations, outgoing: {}, finishState: "failure" },
      { incoming: { ...configurations, value1: "", value2: { mtu: 9000 } }, outgoing: {} },
      { incoming: configurations, finishState: "error", error: "Finished in error" },
    ],
  }),
  defineManualTask({
    name: "ErrorHandling",
    summary: "Tells a person of an error, who decides how the job goes on.",
    description:
      "retry finishes in the state whose transition leads back, and in success where none does. It is not offered where the argument retry is false.",
    incoming: { severity: oneOf("fatal", "warning", "success"), status: optional(anything), retry: optional(boolean) },
    outgoing: [
      ["response", Type.Union(["success", "failure", "retry", "error"].map((answer) => Type.Literal(answer)))],
    ],
    examples: [
      { incoming: unreachable, outgoing: { response: "retry" } },
      { incoming: { ...unreachable, severity: "success", retry: "" }, outgoing: { response: "success" } },
      {
        incoming: { ...unreachable, severity: "fatal", retry: false },
        outgoing: { response: "failure" },
        finishState: "failure",
      },
      { incoming: unreachable, finishState: "error", error: "Finished in error" },
    ],
  }),
];
