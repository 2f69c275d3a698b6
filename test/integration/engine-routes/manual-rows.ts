import { notApplicable, type RouteRow, type RouteRows } from "./route-row.ts";
import { diffWorkflow, handlingWorkflow, peopleWorkflow } from "./scene.ts";

/** No job has an iteration like this. */
const unknownIteration = "01234567-89ab-4cde-8f01-234567000001";
const takesNothing = notApplicable("it takes the task and nothing else: an unknown one is 404");

/** A request about the iteration of `b`, which a member may have claimed. */
function ofTask(at: string, isClaimed: boolean, row: Partial<RouteRow>): RouteRow {
  const isBody = at.startsWith("/body");
  return {
    async good(scene) {
      const job = await (isClaimed ? scene.claimed() : scene.job());
      const task = await scene.iteration(job._id, "b");
      return isBody ? { body: { task_id: task } } : { params: { taskId: task } };
    },
    bad: isBody
      ? [
          [at, 1],
          [at, ""],
        ]
      : takesNothing,
    unknown: [
      [at, unknownIteration],
      [at, "b"],
    ],
    otherGroup: "refused",
    ...row,
  };
}

/** The controller of a manual task, by its short id. */
function controlling(shown: (controller: object) => object): RouteRow {
  return {
    good: async (scene) => ({ params: { jobId: (await scene.job())._id, taskId: "b" } }),
    shows: ({ params }) =>
      shown({ task: { taskId: "b" }, job: { _id: params?.["jobId"] }, view: "/workflow_engine/task/ViewData" }),
    bad: takesNothing,
    unknown: ["/params/jobId", ["/params/taskId", "zz"], ["/params/taskId", unknownIteration]],
    otherGroup: "refused",
  };
}

function finishing(good: RouteRow["good"], data: string, row: Partial<RouteRow>): RouteRow {
  return {
    good,
    bad: [
      [data, []],
      [`${data}/finish_state`, "maybe"],
      [`${data}/variables`, []],
      [`${data}/surplus`, 1],
    ],
    unknown: [],
    otherGroup: "refused",
    ...row,
  };
}

const pages = {
  ViewData: { workflow: peopleWorkflow, task: "b" },
  ViewDiff: { workflow: diffWorkflow, task: "d" },
  ErrorHandling: { workflow: handlingWorkflow, task: "d" },
} as const;
type PageName = keyof typeof pages;

function showingPage(name: PageName): RouteRow {
  const { workflow, task } = pages[name];
  return {
    good: async (scene) => ({ query: { job: (await scene.job("running", workflow))._id, task } }),
    shows: () => ({ view: `/workflow_engine/task/${name}`, task: { taskId: task } }),
    bad: [
      ["/query/download", "perhaps"],
      ["/query/download", true],
    ],
    unknown: ["/query/job", ["/query/task", "zz"]],
    otherGroup: "refused",
  };
}

function finishingPage(name: PageName): RouteRow {
  const { workflow, task } = pages[name];
  return {
    good: async (scene) => ({
      body: { job_id: (await scene.job("running", workflow))._id, task_id: task, finish_state: "success" },
    }),
    shows: ({ body }) => ({ _id: (body as { job_id: string }).job_id, tasks: { [task]: { status: "complete" } } }),
    bad: [
      ["/body/job_id", 1],
      ["/body/task_id", ""],
      ["/body/finish_state", "maybe"],
      ["/body/variables", []],
    ],
    unknown: ["/body/job_id", ["/body/task_id", "zz"]],
    otherGroup: "refused",
  };
}

/** Manual tasks and their pages, both families. */
export const manualRows: RouteRows = {
  "WorkFlowEngine.claimTask": ofTask("/body/task_id", false, {
    shows: () => ({ taskId: "b", status: "running", metrics: { owner: "route-member" } }),
    bad: [
      ["/body/task_id", 1],
      ["/body/task_id", ""],
      ["/body/user", 1],
    ],
  }),
  "WorkFlowEngine.releaseTask": ofTask("/body/task_id", true, { shows: () => ({ taskId: "b", status: "running" }) }),
  "WorkFlowEngine.finishManualTask": finishing(
    async (scene) => ({
      body: {
        job_id: (await scene.job())._id,
        task_id: "b",
        task_data: { finish_state: "success", variables: {} },
      },
    }),
    "/body/task_data",
    {
      shows: () => ({ status: "running", tasks: { b: { status: "complete", finish_state: "success" } } }),
      unknown: ["/body/job_id", ["/body/task_id", "zz"], ["/body/task_id", unknownIteration]],
    },
  ),
  "WorkFlowEngine.getManualTaskController": controlling((controller) => controller),
  "WorkFlowEngine.ViewData": showingPage("ViewData"),
  "WorkFlowEngine.finishViewData": finishingPage("ViewData"),
  "WorkFlowEngine.ViewDiff": showingPage("ViewDiff"),
  "WorkFlowEngine.finishViewDiff": finishingPage("ViewDiff"),
  "WorkFlowEngine.ErrorHandling": showingPage("ErrorHandling"),
  "WorkFlowEngine.finishErrorHandling": finishingPage("ErrorHandling"),
  "OperationsManager.claimTask": ofTask("/params/taskId", false, {
    shows: () => ({ data: { taskId: "b", metrics: { owner: "route-member" } } }),
  }),
  "OperationsManager.releaseTask": ofTask("/params/taskId", true, { shows: () => ({ data: { taskId: "b" } }) }),
  "OperationsManager.assignTask": ofTask("/params/taskId", false, {
    async good(scene) {
      const { _id } = await scene.job();
      return { params: { taskId: await scene.iteration(_id, "b") }, body: { userId: scene.member.id } };
    },
    shows: () => ({ data: { taskId: "b", metrics: { owner: "route-member" } } }),
    bad: [
      ["/body/userId", 1],
      ["/body/userId", ""],
      ["/body", {}, "/body"],
      ["/body/username", "route-member", "/body"],
      ["/body", { username: "route-outsider" }, "/body/username"],
    ],
    unknown: [
      ["/params/taskId", unknownIteration],
      ["/body/userId", "0123456789abcdef01234567"],
    ],
  }),
  "OperationsManager.finishManualTask": finishing(
    async (scene) => ({
      params: { jobId: (await scene.job())._id, taskId: "b" },
      body: { taskData: { finish_state: "success", variables: {} } },
    }),
    "/body/taskData",
    {
      shows: () => ({ data: { status: "running", tasks: { b: { status: "complete" } } } }),
      unknown: ["/params/jobId", ["/params/taskId", "zz"]],
    },
  ),
  "OperationsManager.getManualTaskController": controlling((data) => ({ data })),
  "OperationsManager.getTask": ofTask("/params/taskId", false, {
    shows: () => ({ data: { taskId: "b", status: "running" } }),
    bad: [["/query/dereference", "nonsense"]],
  }),
  "OperationsManager.getTasks": {
    good: async (scene) => ({ query: { "equals[job._id]": (await scene.job())._id, view: "unclaimed" } }),
    shows: () => ({ data: [{ taskId: "b" }, { taskId: "e" }], metadata: { total: 2 } }),
    bad: [
      ["/query/view", "all"],
      ["/query/limit", -1],
      ["/query/order", 0],
      ["/query/sort", "no name!", "/query"],
    ],
    unknown: notApplicable("a filter that nothing matches gives an empty list"),
    otherGroup: "absent",
  },
};
