import { expect } from "vitest";
import { notApplicable, type BadCase, type RouteRow, type RouteRows } from "./route-row.ts";
import { twoPeople } from "../../support/repairs.ts";
import { unknownName } from "./scene.ts";

const nothingNamed = notApplicable("it names nothing");
const nothingStored = notApplicable("it works on what it is sent");
const madeByAll = notApplicable("everybody may make workflows, under names that are free");
const takesNothing = notApplicable("it takes names and nothing else: unknown ones are 404");
const forAll = notApplicable("tasks are the same for everybody");

/** What is wrong with a workflow at a place. */
const badWorkflow = (at: string): readonly BadCase[] => [
  [at, []],
  [`${at}/name`, ""],
  [`${at}/name`, 1],
  [`${at}/tasks`, []],
  [`${at}/transitions`, "none"],
  [`${at}/tasks/b`, 1],
];

const validating: RouteRow = {
  good: () => ({ body: { workflow: { ...twoPeople("x"), transitions: { workflow_start: { zz: {} } } } } }),
  shows: () => ({ errors: expect.arrayContaining([expect.any(Object)]), warnings: expect.any(Array) }),
  bad: [...badWorkflow("/body/workflow"), ["/body/workflow", undefined], ["/body/asset", twoPeople("y")]],
  unknown: nothingStored,
  otherGroup: nothingStored,
};

const detailed: RouteRow = {
  good: async (scene) => ({ params: { name: (await scene.workflow()).name } }),
  shows: ({ params }) => ({ name: params?.["name"], tasks: { b: { name: "ViewData" } } }),
  bad: takesNothing,
  unknown: [["/params/name", unknownName]],
  otherGroup: "refused",
};

const model = { app: "WorkFlowEngine", name: "query", variables: { incoming: { query: expect.any(Object) } } };

const taskModel: RouteRow = {
  good: () => ({ params: { location: "Application", pckg: "WorkFlowEngine", method: "query" } }),
  shows: () => model,
  bad: takesNothing,
  unknown: [
    ["/params/location", "Nowhere"],
    ["/params/pckg", "NoSuchApplication"],
    ["/params/method", "noSuchTask"],
  ],
  otherGroup: forAll,
};

const { tasks, transitions } = twoPeople("details");
const badDetails: readonly BadCase[] = [
  ["/body/workflow_details", []],
  ["/body/workflow_details/tasks", []],
  ["/body/workflow_details/transitions", 1],
];
const comparison = { operand_1: 2, operator: ">", operand_2: 1 };

/** Helps to write workflows, older family. */
const helpRows: RouteRows = {
  "WorkFlowEngine.getWorkflowsDetailedByName": detailed,
  "WorkFlowEngine.checkWorkflowForJobVariables": { ...detailed, shows: () => ({}) },
  "WorkFlowEngine.runValidation": validating,
  "WorkFlowEngine.findForwardPaths": {
    good: () => ({ body: { start_task: "c", end_task: "b", workflow_details: { tasks, transitions } } }),
    shows: () => [["c", "a", "b"]],
    bad: [["/body/start_task", 1], ["/body/end_task", 1], ...badDetails],
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
  "WorkFlowEngine.getAllLoopTasks": {
    good: () => ({ body: { workflow_details: { tasks, transitions } } }),
    shows: () => [],
    bad: badDetails,
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
  "WorkFlowEngine.validateAllLoops": {
    good: () => ({ body: { workflow_details: { tasks, transitions } } }),
    shows: () => ({ valid: true, errors: [] }),
    bad: badDetails,
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
  "WorkFlowEngine.query": {
    good: () => ({
      body: { pass_on_null: false, query: "a[1].b", obj: { a: [0, { b: 7 }] }, job_id: "0123456789abcdef01234567" },
    }),
    shows: () => 7,
    bad: [
      ["/body/pass_on_null", "x"],
      ["/body/query", 1],
      ["/body/query", "a[", "/body/query"],
      ["/body/job_id", 1],
    ],
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
  "WorkFlowEngine.runEvaluationGroup": {
    good: () => ({ body: { evaluation_group: [comparison], all_true_flag: true, options: { strictTypes: true } } }),
    shows: () => true,
    bad: [
      ["/body/evaluation_group", {}],
      ["/body/evaluation_group", [{}], "/body/evaluation_group/0/operator"],
      ["/body/all_true_flag", "yes"],
      ["/body/options/strictTypes", 1],
    ],
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
  "WorkFlowEngine.runEvaluationGroups": {
    good: () => ({
      body: { evaluation_group: [{ evaluations: [comparison], all_true_flag: true }], all_true_flag: true },
    }),
    shows: () => true,
    bad: [
      ["/body/evaluation_group", {}],
      ["/body/evaluation_group", [{}], "/body/evaluation_group/0/evaluations"],
      ["/body", {}, "/body/evaluation_group"],
    ],
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
  "WorkFlowEngine.getTaskDetails": taskModel,
  "WorkFlowEngine.tryTask": {
    good: () => ({
      body: { task: "push", incoming: { job_variable: "all", item_to_push: "$var.job.one" }, variables: { one: 1 } },
    }),
    shows: () => ({ finish_state: "success", outgoing: { job_variable_value: [1] }, variables: { all: [1] } }),
    bad: [
      ["/body/task", ""],
      ["/body/task", "noSuchTask"],
      ["/body/task", "ViewData"],
      ["/body/incoming", []],
      ["/body/incoming/surplus", 1],
      ["/body/incoming/job_variable", 1],
      ["/body/incoming/item_to_push", undefined],
      ["/body/variables", "none"],
    ],
    unknown: notApplicable("a task that does not exist is a mistake of the body"),
    otherGroup: nothingStored,
  },
  "WorkFlowEngine.diffToHTML": {
    good: () => ({ body: { label1: "before", value1: "one\n<b>two</b>", label2: "after", value2: ["one"] } }),
    shows: () => expect.stringMatching(/^[^]*<del><code>&lt;b&gt;two&lt;\/b&gt;<\/code><\/del>[^]*$/u),
    bad: [
      ["/body/label1", 1],
      ["/body/label2", null],
    ],
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
};

/** Single workflows in and out. */
const builderRows: RouteRows = {
  "WorkflowBuilder.importWorkflow": {
    good: (scene) => ({ body: { workflow: twoPeople(scene.freshName()), options: {} } }),
    shows: ({ body }) => ({ n: 1, ok: 1, name: (body as { workflow: { name: string } }).workflow.name }),
    bad: [...badWorkflow("/body/workflow"), ["/body/options", []]],
    unknown: nothingNamed,
    otherGroup: madeByAll,
  },
  "WorkflowBuilder.exportWorkflow": {
    good: async (scene) => ({ body: { options: { name: (await scene.workflow()).name, type: "automation" } } }),
    shows: ({ body }) => ({ name: (body as { options: { name: string } }).options.name }),
    bad: [
      ["/body/options", {}],
      ["/body/options", []],
      ["/body/options/name", ""],
      ["/body/options/type", 1],
    ],
    unknown: [["/body/options/name", unknownName]],
    otherGroup: "refused",
  },
  "WorkflowBuilder.deleteWorkflow": {
    good: async (scene) => ({ params: { name: (await scene.workflow()).name } }),
    shows: ({ params }) => ({ lastErrorObject: { n: 1 }, value: { name: params?.["name"] }, ok: 1 }),
    bad: takesNothing,
    unknown: [["/params/name", unknownName]],
    otherGroup: "refused",
  },
  "WorkflowBuilder.renameWorkflow": {
    good: async (scene) => ({ body: { workflow: (await scene.workflow()).name, newName: scene.freshName() } }),
    shows: ({ body }) => ({ n: 1, ok: 1, name: (body as { newName: string }).newName }),
    bad: [
      ["/body/workflow", 1],
      ["/body/workflow", ""],
      ["/body/newName", ""],
    ],
    unknown: [["/body/workflow", unknownName]],
    otherGroup: "refused",
  },
  "WorkflowBuilder.saveWorkflow": {
    good: async (scene) => {
      // Its groups stay as they are.
      const { groups: _, ...workflow } = twoPeople((await scene.workflow()).name);
      return { body: { workflow: { ...workflow, description: "d" } } };
    },
    shows: () => ({ description: "d" }),
    bad: badWorkflow("/body/workflow"),
    unknown: notApplicable("what does not exist is made"),
    otherGroup: madeByAll,
  },
  "WorkflowBuilder.getSchemas": {
    good: () => ({ body: { workflow: twoPeople("x", { header: "$var.job.title" }) } }),
    shows: () => ({ inputSchema: { properties: { title: {} } }, outputSchema: { properties: { title: {} } } }),
    bad: badWorkflow("/body/workflow"),
    unknown: nothingStored,
    otherGroup: nothingStored,
  },
  "WorkflowBuilder.getTasksList": {
    good: () => ({}),
    shows: () => expect.arrayContaining([expect.objectContaining({ app: "WorkFlowEngine", name: "query" })]),
    bad: notApplicable("it takes nothing"),
    unknown: nothingNamed,
    otherGroup: forAll,
  },
  "WorkflowBuilder.getTaskDetails": {
    ...taskModel,
    good: () => ({ params: { app: "WorkFlowEngine", task: "query" } }),
    unknown: [
      ["/params/app", "NoSuchApplication"],
      ["/params/task", "noSuchTask"],
    ],
  },
};

/** The newer routes to workflows. */
const studioRows: RouteRows = {
  "AutomationStudio.createAutomation": {
    good: (scene) => ({ body: { automation: twoPeople(scene.freshName()) } }),
    shows: ({ body }) => ({ created: { name: (body as { automation: { name: string } }).automation.name } }),
    bad: badWorkflow("/body/automation"),
    unknown: nothingNamed,
    otherGroup: madeByAll,
  },
  "AutomationStudio.updateAutomation": {
    good: async (scene) => ({ params: { id: (await scene.workflow())._id }, body: { update: { description: "d" } } }),
    shows: ({ params }) => ({ _id: params?.["id"], description: "d" }),
    bad: [
      ["/body/update", []],
      ["/body/update", "x"],
      ["/body/update/name", ""],
      ["/body/update/tasks", []],
    ],
    unknown: ["/params/id"],
    otherGroup: "refused",
  },
  "AutomationStudio.importAutomations": {
    good: (scene) => ({ body: { automations: [twoPeople(scene.freshName())] } }),
    shows: ({ body }) => ({
      imported: [{ success: true, original: (body as { automations: object[] }).automations[0] }],
    }),
    bad: [["/body/automations", []], ...badWorkflow("/body/automations/0")],
    unknown: nothingNamed,
    otherGroup: madeByAll,
  },
  "AutomationStudio.getWorkflows": {
    good: async (scene) => ({ query: { "equals[name]": (await scene.workflow()).name, limit: 5 } }),
    shows: ({ query }) => ({
      items: [{ name: query?.["equals[name]"] }],
      count: 1,
      end: 1,
      limit: 5,
      skip: 0,
      total: 1,
    }),
    bad: [
      ["/query/limit", -1],
      ["/query/skip", "x"],
      ["/query/order", 0],
      ["/query/sort", "no name!", "/query"],
    ],
    unknown: notApplicable("a filter that nothing matches gives an empty list"),
    otherGroup: "absent",
  },
  "AutomationStudio.getWorkflowDetailedByName": detailed,
  "AutomationStudio.validateWorkflow": validating,
  "AutomationStudio.getAppsAndAdapters": {
    good: () => ({}),
    shows: () => expect.arrayContaining([{ id: "WorkFlowEngine", type: "Application", name: expect.any(String) }]),
    bad: notApplicable("it takes nothing"),
    unknown: nothingNamed,
    otherGroup: forAll,
  },
  "AutomationStudio.getTaskDetails": taskModel,
  "AutomationStudio.getMultipleTaskDetails": {
    good: () => ({ body: { inputsArray: [{ location: "Application", pckg: "WorkFlowEngine", method: "query" }] } }),
    shows: () => [model],
    bad: [
      ["/body/inputsArray", {}],
      ["/body/inputsArray/0/pckg", ""],
      ["/body/inputsArray/0", {}, "/body/inputsArray/0/location"],
    ],
    unknown: notApplicable("null stands for a task that is not installed"),
    otherGroup: forAll,
  },
};

/** Workflows and the tasks they are made of. */
export const workflowRows: RouteRows = { ...helpRows, ...builderRows, ...studioRows };
