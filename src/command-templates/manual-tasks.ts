import { Type, type TSchema } from "@sinclair/typebox";
import type { Task, TaskArgument } from "../core/task.ts";

const anything = Type.Unknown();
const required = (name: string, schema: TSchema = anything): TaskArgument => ({ name, schema });
const optional = (name: string, schema: TSchema = anything): TaskArgument => ({ name, schema, isOptional: true });

interface ManualModel {
  name: string;
  summary: string;
  incoming: readonly TaskArgument[];
  outgoing?: Task["outgoing"];
  example: { incoming: Record<string, unknown>; outgoing?: Record<string, unknown> };
}

const runResult = {
  name: "interfaces",
  all_pass_flag: true,
  result: true,
  commands_results: [
    { raw: "show clock", evaluated: "show clock", device: "r1", response: "12:00", result: true, rules: [] },
  ],
};

/** Models of the manual tasks of command templates: spec templates-gateway-forms.md §1.10. */
export const commandTemplateManualTasks: readonly Task[] = [
  manualTask({
    name: "chooseDevice",
    summary: "Lets a person choose one of the devices whose names contain a text.",
    incoming: [optional("filter", Type.String())],
    outgoing: [{ name: "device", schema: Type.String() }],
    example: { incoming: { filter: "edge" }, outgoing: { device: "edge-1" } },
  }),
  manualTask({
    name: "diffConfig",
    summary: "Shows the differences of two configurations, to be accepted or rejected.",
    incoming: [required("pre"), required("post")],
    example: { incoming: { pre: "mtu 1500", post: "mtu 9000" } },
  }),
  manualTask({
    name: "reloadFailed",
    summary: "Tells a person that a device did not come back; success tries again, failure gives up.",
    incoming: [optional("device", Type.String()), optional("error")],
    example: { incoming: { device: "r1", error: "no answer for 600 s" } },
  }),
  manualTask({
    name: "reviewSummary",
    summary: "Shows the figures of a job and what its tasks worked on, with all of it as a file.",
    incoming: [optional("job_id", Type.String())],
    example: { incoming: { job_id: "" } },
  }),
  manualTask({
    name: "runTemplatesDiff",
    summary: "Compares the outputs of two template runs, device by device and command by command.",
    incoming: [required("pre"), required("post")],
    example: { incoming: { pre: runResult, post: runResult } },
  }),
  manualTask({
    name: "verifyConfig",
    summary: "Shows a configuration, to be accepted or rejected.",
    incoming: [required("config")],
    example: { incoming: { config: "hostname r1" } },
  }),
  manualTask({
    name: "viewTemplateResults",
    summary: "Shows the results of a template run: device by command by rules.",
    incoming: [required("mop_template_results")],
    example: { incoming: { mop_template_results: runResult } },
  }),
];

function manualTask({ outgoing = [], example, ...model }: ManualModel): Task {
  return {
    ...model,
    app: "MOP",
    type: "manual",
    displayName: "MOP",
    outgoing,
    view: `/mop/task/${model.name}`,
    examples: [{ incoming: example.incoming, outgoing: example.outgoing ?? {} }],
  };
}
