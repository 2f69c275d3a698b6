import { twoPeople } from "../../support/repairs.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { ownWorkflows } from "../corpus.ts";
import { peopleWorkflow } from "./common-objects.ts";
import { idOf, type FuzzScene } from "./fuzz-scene.ts";
import { filterList, someOf, type GoodRequest, type GoodRequests } from "./good-request.ts";

const { tasks, transitions } = twoPeople("good details");
const comparison = { operand_1: 2, operator: ">", operand_2: 1 };
const details = { tasks, transitions };

async function workflow(scene: FuzzScene): Promise<{ _id: string; name: string }> {
  const automation = twoPeople(scene.freshName());
  return {
    _id: idOf(await scene.ask("POST", "/automation-studio/automations", { automation })),
    name: automation.name,
  };
}

const reading: GoodRequest = () => ({ params: { name: peopleWorkflow } });
const withDetails: GoodRequest = () => ({ body: { workflow_details: details } });
const model: GoodRequest = ({ random }) => ({
  params: { location: "Application", pckg: "WorkFlowEngine", method: random.pick(["query", "push", "ViewData"]) },
  query: {},
});

function ownWorkflow({ random, corpus, freshName }: FuzzScene): object {
  return { ...random.pick(corpus.workflow.slice(0, ownWorkflows)), name: freshName() };
}

const given =
  (member: string): GoodRequest =>
  (scene) => ({ body: { [member]: ownWorkflow(scene) } });

const validated: GoodRequest = (scene, fitting) => given(scene.random.pick(["workflow", "asset"]))(scene, fitting);

/** A workflow of a group, with what names that group. */
const ofGroup =
  (more: (groupId: string) => { params?: object; body?: unknown }): GoodRequest =>
  async (scene) => {
    const groupId = idOf(await scene.ask("POST", "/user-management/groups", { name: scene.freshName() }));
    const automation = { ...twoPeople(scene.freshName()), groups: [groupId] };
    await scene.ask("POST", "/automation-studio/automations", { automation });
    const { params, ...rest } = more(groupId);
    return { params: { name: automation.name, ...params }, ...rest };
  };

const jobOptions = (scene: FuzzScene): object =>
  someOf(scene.random, {
    query: { status: scene.random.pick(["running", "error"]) },
    sort: scene.random.pick([{ name: 1 }, { field: "_id", direction: "desc" }]),
    skip: scene.random.below(3),
    limit: scene.random.pick([1, 20, 100]),
    expand: ["watchers"],
  });

const search: GoodRequest = (scene) => ({ body: { options: jobOptions(scene) } });

/** Finding jobs and tasks. */
const searchRequests: GoodRequests = {
  "WorkFlowEngine.searchJobs": search,
  "WorkFlowEngine.getAssociatedJobs": search,
  "WorkFlowEngine.searchTasks": search,
  "WorkFlowEngine.searchWorkflows": search,
  "WorkFlowEngine.getJobList": async (scene) => ({
    params: {
      status: scene.random.pick(["active", "cancelled", "complete", "error", "incomplete", "paused", "running"]),
    },
    body: { options: jobOptions(scene) },
  }),
  "WorkFlowEngine.find": (scene) => ({ body: { query: { name: peopleWorkflow }, options: jobOptions(scene) } }),
  "WorkFlowEngine.queryTasks": ({ random }) => ({
    body: {
      query: { name: "ViewData" },
      filter: random.pick([{}, { name: 1 }, { variables: 0 }]),
      options: someOf(random, { skip: 1, limit: 20 }),
    },
  }),
  "WorkFlowEngine.queryJobs": async (scene) => ({ body: { query: { _id: (await scene.job())._id } } }),
  "WorkFlowEngine.getJobFromTaskQuery": async (scene) => ({
    body: { task_query: { "job._id": (await scene.job())._id, taskId: "b" }, options: jobOptions(scene) },
  }),
};

/** Workflows, and helps to write them. */
export const workflowRequests: GoodRequests = {
  ...searchRequests,
  "WorkFlowEngine.getWorkflowsDetailedByName": reading,
  "WorkFlowEngine.checkWorkflowForJobVariables": reading,
  "WorkFlowEngine.runValidation": validated,
  "WorkFlowEngine.findForwardPaths": () => ({ body: { start_task: "c", end_task: "b", workflow_details: details } }),
  "WorkFlowEngine.getAllLoopTasks": withDetails,
  "WorkFlowEngine.validateAllLoops": withDetails,
  "WorkFlowEngine.getTaskDetails": model,
  "WorkFlowEngine.runEvaluationGroups": ({ random }) => ({
    body: { evaluation_group: [{ evaluations: [comparison] }], ...someOf(random, { all_true_flag: true }) },
  }),
  "WorkFlowEngine.tryTask": () => ({
    body: { task: "push", incoming: { job_variable: "all", item_to_push: "$var.job.one" }, variables: { one: 1 } },
  }),
  "WorkflowBuilder.importWorkflow": (scene) => ({ body: { workflow: ownWorkflow(scene), options: {} } }),
  "WorkflowBuilder.exportWorkflow": () => ({ body: { options: { name: peopleWorkflow } } }),
  "WorkflowBuilder.deleteWorkflow": async (scene) => ({ params: { name: (await workflow(scene)).name } }),
  "WorkflowBuilder.renameWorkflow": async (scene) => ({
    body: { workflow: (await workflow(scene)).name, newName: scene.freshName() },
  }),
  "WorkflowBuilder.saveWorkflow": async (scene) => ({
    body: { workflow: { ...twoPeople((await workflow(scene)).name), description: "d" } },
  }),
  "WorkflowBuilder.listWorkflowGroups": reading,
  "WorkflowBuilder.createWorkflowGroupEntry": ofGroup((group) => ({ body: { group } })),
  "WorkflowBuilder.replaceWorkflowGroups": ofGroup((group) => ({ body: { groups: [group] } })),
  "WorkflowBuilder.deleteWorkflowGroups": ofGroup(() => ({})),
  "WorkflowBuilder.removeWorkflowGroup": ofGroup((group) => ({ params: { group } })),
  "WorkflowBuilder.getSchemas": given("workflow"),
  "WorkflowBuilder.getTaskDetails": () => ({ params: { app: "WorkFlowEngine", task: "query" } }),
  "AutomationStudio.createAutomation": given("automation"),
  "AutomationStudio.updateAutomation": async (scene) => ({
    params: { id: (await workflow(scene))._id },
    body: { update: someOf(scene.random, { description: "d", name: scene.freshName(), tags: [] }) },
  }),
  "AutomationStudio.importAutomations": (scene) => ({
    body: { automations: [workflowOf(scene.freshName(), {}, ["start > end"]), twoPeople(scene.freshName())] },
  }),
  "AutomationStudio.getWorkflows": filterList("name", "_id", "type", "created"),
  "AutomationStudio.getWorkflowDetailedByName": reading,
  "AutomationStudio.validateWorkflow": validated,
  "AutomationStudio.getTaskDetails": model,
};
