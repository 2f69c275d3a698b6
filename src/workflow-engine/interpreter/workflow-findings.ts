import { valueFindingDefinitions } from "./workflow-findings-values.ts";

/** What validation can find: said once. `{…}` in the message stands for what differs. */
export interface FindingDefinition {
  /** A job of a workflow with an error is refused; a warning is something to think about. */
  severity: "error" | "warning";
  message: string;
  /** What it means for a job. */
  meaning: string;
  /** What stands in the places of the message in an example. */
  example: Readonly<Record<string, string | number>>;
}

const transitionFindingDefinitions = {
  "malformed-document": {
    severity: "error",
    message: "{path}: {problem}",
    meaning: "The document is no workflow at this place. Nothing else is checked until it is.",
    example: { path: "/transitions/a1/b1/state", problem: "Expected union value" },
  },
  "missing-fixed-task": {
    severity: "error",
    message: "Workflow has no task '{id}'",
    meaning: "Every workflow has the tasks `workflow_start` and `workflow_end`.",
    example: { id: "workflow_end" },
  },
  "missing-target": {
    severity: "error",
    message: "Transition leads to task '{target}' which does not exist",
    meaning: "Mostly left over from a task that was removed.",
    example: { target: "b1" },
  },
  "missing-transitions": {
    severity: "warning",
    message: "Task has no entry in the transitions",
    meaning: "The task is taken to lead nowhere.",
    example: {},
  },
  "standard-cycle": {
    severity: "error",
    message: "Task is part of a cycle of standard transitions",
    meaning: "Each task of the cycle would wait for the others. A way back is a revert transition.",
    example: {},
  },
  "forward-revert": {
    severity: "error",
    message: "Revert transition to task '{target}' does not lead back to an earlier task",
    meaning: "A revert takes back what lies between: its target has to lead to it.",
    example: { target: "b1" },
  },
  "conflicting-transitions": {
    severity: "error",
    message: "Transitions for '{state}' are both standard and revert",
    meaning: "A task that ends so cannot go on and back at the same time.",
    example: { state: "success" },
  },
  "start-without-success": {
    severity: "error",
    message: "Workflow start has no success transition",
    meaning: "The start always ends in success: nothing would ever run.",
    example: {},
  },
  "unreachable-task": {
    severity: "error",
    // The sentence is the field's own: its clients show it as it is.
    message: "Could not find standard transition path between workflow start and task",
    meaning: "The task would never run. At `workflow_end`: no job would ever be complete.",
    example: {},
  },
} as const satisfies Record<string, FindingDefinition>;

const taskFindingDefinitions = {
  "missing-field": {
    severity: "error",
    message: "Missing required field: '{field}'",
    meaning: "A task has to say what it is: `description`, `location`, `app`, `type` and `variables`.",
    example: { field: "description" },
  },
  "malformed-task-id": {
    severity: "error",
    message: "Task id is not a hexadecimal number of 1 to 4 digits",
    meaning: "Clients of the field refuse other ids.",
    example: {},
  },
  "unknown-task-type": {
    severity: "error",
    message: "Unknown task type: '{type}'",
    meaning: "A task is `automatic`, `operation` or `manual`.",
    example: { type: "magic" },
  },
  "missing-view": {
    severity: "error",
    message: "Manual Tasks require 'view' key",
    meaning: "Without a page nobody could work the task.",
    example: {},
  },
  "unknown-actor": {
    severity: "error",
    message: "Unknown actor: '{actor}'",
    meaning:
      "A task acts for `Pronghorn`, for `job` (who started it), or for who worked a manual task, named by its id.",
    example: { actor: "a1" },
  },
  "actor-never-before": {
    severity: "warning",
    message: "Actor: task '{actor}' can never have run before",
    meaning: "Nobody has worked the manual task yet, so the task acts for the platform.",
    example: { actor: "b1" },
  },
  "actor-maybe-not-before": {
    severity: "warning",
    message: "Actor: task '{actor}' may not have run before",
    meaning: "Where nobody has worked the manual task, the task acts for the platform.",
    example: { actor: "b1" },
  },
  "unknown-method": {
    severity: "warning",
    message: "Method not found",
    meaning: "The application has no such task. It ends in error, unless the job mocks it.",
    example: {},
  },
  "unknown-application": {
    severity: "warning",
    message: "No config found for Application: {app}",
    meaning: "The application is not there. The task ends in error, unless the job mocks it.",
    example: { app: "ServiceCog" },
  },
  "unknown-adapter": {
    severity: "warning",
    message: "No config found for Adapter: {app}",
    meaning: "No adapter of the type is installed. The task ends in error, unless the job mocks it.",
    example: { app: "Infoblox" },
  },
  "unknown-argument": {
    severity: "error",
    message: "Input: '{argument}' is not defined in task model",
    meaning: "The method takes no such argument.",
    example: { argument: "colour" },
  },
  "missing-argument": {
    severity: "error",
    message: "Cannot find match for input: {argument}",
    meaning: "The method needs the argument.",
    example: { argument: "str" },
  },
  "malformed-variable-name": {
    severity: "error",
    message: "Illegal job variable name: '{name}'",
    meaning: "A dot would end the name in `$var.job.<name>`; blanks at its ends would be lost.",
    example: { name: "device.name" },
  },
  "unknown-retry-state": {
    severity: "error",
    message: "{path}/state: unknown finish state '{state}'",
    meaning: "No task ends so: the task would never be run again.",
    example: { path: "/tasks/a1/retrySettings", state: "failed" },
  },
  "malformed-retry-limit": {
    severity: "error",
    message: "{path}/limit must be a whole number from 0",
    meaning: "The number of further attempts cannot be told.",
    example: { path: "/tasks/a1/retrySettings" },
  },
  "malformed-retry-delay": {
    severity: "error",
    message: "{path}/delay must be a number of milliseconds from 0",
    meaning: "The time before an attempt cannot be told.",
    example: { path: "/tasks/a1/retrySettings" },
  },
  "missing-transformation": {
    severity: "error",
    message: "Cannot find transformation {id}",
    meaning: "Import the transformation first.",
    example: { id: "5f0000000000000000000001" },
  },
  "missing-workflow": {
    severity: "warning",
    message: "Cannot find workflow {name}",
    meaning: "The childJob task ends in error unless the workflow is imported before it runs.",
    example: { name: "Port Turn Up" },
  },
  "unsafe-pattern": {
    severity: "error",
    message: "Regular expression is unsafe: it repeats a group that itself repeats",
    meaning: "On some texts such an expression, like `(a+)+`, takes for ever.",
    example: {},
  },
  "no-error-transition": {
    severity: "warning",
    message: "Adapter task has no error transition: its error ends the job",
    meaning: "The job goes into error, and a person has to repair it.",
    example: {},
  },
  "unled-choice": {
    severity: "error",
    message: "Decision chooses task '{next}', to which none of its success transitions leads",
    meaning: "When that choice is made nothing follows.",
    example: { next: "b1" },
  },
  "unchosen-transition": {
    severity: "warning",
    message: "Success transition to task '{to}' is never taken: the decision does not choose it",
    meaning: "What it leads to does not run after this task.",
    example: { to: "b1" },
  },
  "choices-behind-default": {
    severity: "warning",
    message: "Decision has choices behind one without conditions: they are never made",
    meaning: "Choices are tried in order, and one without conditions always holds.",
    example: {},
  },
  "undecided-decision": {
    severity: "warning",
    message:
      "Decision has neither a choice without conditions nor a failure transition: when none holds the end cannot be reached",
    meaning: "The job is stuck then, and ends in error.",
    example: {},
  },
  "no-failure-transition": {
    severity: "warning",
    message: "Evaluation has no failure transition: when it is false the end cannot be reached",
    meaning: "The job is stuck then, and ends in error.",
    example: {},
  },
} as const satisfies Record<string, FindingDefinition>;

/** Every finding of workflow validation by its code (workflow-engine.md §10, and our own). */
export const workflowFindings = {
  ...transitionFindingDefinitions,
  ...taskFindingDefinitions,
  ...valueFindingDefinitions,
} as const satisfies Record<string, FindingDefinition>;

/** Names a finding, also in the reference. */
export type FindingCode = keyof typeof workflowFindings;

/** Names of the places of a message. */
type Places<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never;

/** What stands in the places of the message of a finding. */
export type FindingValues<Code extends FindingCode> = Readonly<
  Record<Places<(typeof workflowFindings)[Code]["message"]>, string | number>
>;

/** The message of a finding, its places filled. */
export function findingMessage<Code extends FindingCode>(code: Code, values: FindingValues<Code>): string {
  const known: Readonly<Record<string, string | number>> = values;
  return workflowFindings[code].message.replaceAll(/\{(\w+)\}/gu, (_place, name: string) => String(known[name]));
}
