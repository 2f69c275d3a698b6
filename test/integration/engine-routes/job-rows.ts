import { notApplicable, type BadCase, type RouteRow, type RouteRows } from "./route-row.ts";
import { peopleWorkflow, unknownName } from "./scene.ts";

const ownJob = notApplicable("it makes a job of its own");
const takesNoQuery = notApplicable("it takes the job and nothing else: an unknown one is 404");
const dryRun = ["/query/dryRun", "perhaps"] as const;

const startOptions = (groupId: string) => ({ description: "d", variables: { x: 1 }, groups: [groupId] });
const badOptions = [
  ["/query/wait", -1],
  ["/body/options", []],
  ["/body/options/description", 1],
  ["/body/options/variables", []],
  ["/body/options/groups", "none"],
  ["/body/options/groups", ["no-such-group"], "/body/options/groups/0"],
  ["/body/options/mocks", { zz: {} }, "/body/options/mocks/zz"],
  ["/body/options/surplus", 1],
] as const;

/** A command to one job, older family. */
function steering(from: "running" | "paused", to: string, bad: readonly BadCase[] = []): RouteRow {
  return {
    good: async (scene) => ({ query: { dryRun: false }, body: { job_id: (await scene.job(from))._id } }),
    shows: ({ body }) => ({ _id: (body as { job_id: string }).job_id, status: to }),
    bad: [["/body/job_id", 1], ["/body/job_id", ""], dryRun, ...bad],
    unknown: ["/body/job_id"],
    otherGroup: "refused",
  };
}

/** A command to several jobs, newer family. */
function steeringAll(from: "running" | "paused", to: string, bad: readonly BadCase[] = []): RouteRow {
  return {
    good: async (scene) => ({ body: { jobIds: [(await scene.job(from))._id, (await scene.job(from))._id] } }),
    shows: ({ body }) => ({ data: (body as { jobIds: string[] }).jobIds.map((_id) => ({ _id, status: to })) }),
    bad: [["/body/jobIds", []], ["/body/jobIds", "x"], ["/body/jobIds", [1], "/body/jobIds/0"], dryRun, ...bad],
    unknown: ["/body/jobIds/0"],
    otherGroup: "refused",
  };
}

/** Reads one job, older family. */
function reading(param: string, shows: (jobId: string) => object): RouteRow {
  return {
    good: async (scene) => ({ params: { [param]: (await scene.job())._id } }),
    shows: ({ params }) => shows(params?.[param] ?? ""),
    bad: takesNoQuery,
    unknown: [`/params/${param}`],
    otherGroup: "refused",
  };
}

const statuses = { c: "complete", a: "complete", b: "running", e: "running", workflow_end: "incomplete" };
const document = (_id: string) => ({ _id, name: peopleWorkflow, status: "running" });

/** Starting, steering and reading jobs, both families. */
export const jobRows: RouteRows = {
  "WorkFlowEngine.startJobWithOptions": {
    good: ({ member }) => ({
      params: { workflow: peopleWorkflow },
      body: { workflow: peopleWorkflow, options: startOptions(member.groupId) },
    }),
    shows: (_, { member }) => ({
      name: peopleWorkflow,
      description: "d",
      groups: [member.groupId],
      variables: { x: 1 },
    }),
    bad: badOptions,
    unknown: [["/params/workflow", unknownName]],
    otherGroup: ownJob,
  },
  "WorkFlowEngine.startJob": {
    good: () => ({ params: { workflow: peopleWorkflow }, body: { description: "d", variables: { x: 1 } } }),
    shows: () => ({ name: peopleWorkflow, description: "d", variables: { x: 1 } }),
    bad: [
      ["/query/wait", "soon"],
      ["/body/description", 1],
      ["/body/variables", []],
    ],
    unknown: [["/params/workflow", unknownName]],
    otherGroup: ownJob,
  },
  "WorkFlowEngine.pauseJob": steering("running", "paused"),
  "WorkFlowEngine.resumeJob": steering("paused", "running"),
  "WorkFlowEngine.cancelJob": steering("running", "canceled", [["/body/force", "yes"]]),
  "WorkFlowEngine.getJob": reading("job_id", (_id) => ({
    ...document(_id),
    tasks: { b: { job: { _id }, variables: { incoming: {} }, metrics: {} } },
  })),
  "WorkFlowEngine.getEntireJob": reading("job_data", (_id) => ({ ...document(_id), variables: { _id } })),
  "WorkFlowEngine.getJobShallow": reading("job_data", document),
  "WorkFlowEngine.getJobDetails": reading("job_id", document),
  "WorkFlowEngine.getJobOutput": reading("job_id", (_id) => ({ _id, initiator: "route-member" })),
  "WorkFlowEngine.getTaskStatuses": reading("job_id", () => statuses),
  "WorkFlowEngine.getJobVisualizationData": reading("job_id", (_id) => ({
    transitions: { c: ["a"], a: ["b", "e"] },
    job: document(_id),
  })),
  "OperationsManager.startJob": {
    good: ({ member }) => ({ body: { workflow: peopleWorkflow, options: startOptions(member.groupId) } }),
    shows: (_, { member }) => ({ data: { name: peopleWorkflow, description: "d", groups: [member.groupId] } }),
    bad: badOptions,
    unknown: [["/body/workflow", unknownName]],
    otherGroup: ownJob,
  },
  "OperationsManager.pauseJobs": steeringAll("running", "paused"),
  "OperationsManager.resumeJobs": steeringAll("paused", "running"),
  "OperationsManager.cancelJobs": steeringAll("running", "canceled", [["/body/force", "yes"]]),
  "OperationsManager.getJob": {
    good: async (scene) => ({
      params: { id: (await scene.job("complete"))._id },
      query: { wait: 1, exclude: "transitions" },
    }),
    shows: ({ params }) => ({ data: { _id: params?.["id"], status: "complete" } }),
    bad: [
      ["/query/wait", -1],
      ["/query/wait", "soon"],
      ["/query/include", "a b", "/query"],
      ["/query/dereference", "nonsense"],
    ],
    unknown: ["/params/id"],
    otherGroup: "refused",
  },
  "OperationsManager.getJobs": {
    good: async (scene) => ({ query: { "equals[_id]": (await scene.job())._id } }),
    shows: ({ query }) => ({ data: [{ _id: query?.["equals[_id]"], status: "running" }], metadata: { total: 1 } }),
    bad: [
      ["/query/limit", -1],
      ["/query/limit", "many"],
      ["/query/skip", -1],
      ["/query/order", 2],
      ["/query/sort", "no name!", "/query"],
      ["/query/dereference", "nonsense"],
    ],
    unknown: notApplicable("a filter that nothing matches gives an empty list"),
    otherGroup: "absent",
  },
};
