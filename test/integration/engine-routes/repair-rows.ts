import { type Call, type RouteRow, type RouteRows } from "./route-row.ts";
import type { Scene } from "./scene.ts";

const unknownTask = "no such task";
const dryRun = ["/query/dryRun", "perhaps"] as const;

/** A repair, of a job in error. `task`: where the request names tasks. */
function repair(good: (jobId: string) => Call, shows: RouteRow["shows"], tasks: readonly string[]): RouteRow {
  const jobPlace = (call: Call) => (call.params ? "/params/jobId" : "/body/job_id");
  return {
    good: async (scene: Scene) => good((await scene.job("error"))._id),
    ...(shows ? { shows } : {}),
    bad: [dryRun, ...tasks.filter((at) => at.startsWith("/body")).map((at) => [at, 1] as const)],
    unknown: [jobPlace(good("")), ...tasks.map((at) => [at, unknownTask] as const)],
    otherGroup: "refused",
  };
}

const running = () => ({ status: "running" });
const runningIn = () => ({ data: { status: "running", tasks: { e: { status: "running" } } } });

/** Changing the course of jobs, both families. */
export const repairRows: RouteRows = {
  "WorkFlowEngine.fixJob": repair(
    (job_id) => ({ body: { job_id, errored_task: "e", revert_task: "a" } }),
    () => ({ status: "running", tasks: { a: { status: "complete" }, e: { status: "running" } } }),
    ["/body/errored_task", "/body/revert_task"],
  ),
  "WorkFlowEngine.revertToTask": repair(
    (job_id) => ({ body: { job_id, current_task: "e", target_task: "a" } }),
    running,
    ["/body/current_task", "/body/target_task"],
  ),
  "WorkFlowEngine.continueJob": {
    ...repair((jobId) => ({ params: { jobId }, body: { fromTask: "c" } }), running, ["/body/fromTask"]),
    bad: [
      dryRun,
      ["/body/fromTask", 1],
      ["/body", {}, "/body/fromTask"],
      ["/body", { fromTask: "c", task: "c" }, "/body/task"],
    ],
  },
  "WorkFlowEngine.retryTask": {
    ...repair((jobId) => ({ params: { jobId }, body: { task_id: "e", variables: { header: "x" } } }), running, [
      "/body/task_id",
    ]),
    bad: [
      dryRun,
      ["/body/task_id", 1],
      ["/body/variables", []],
      ["/body", {}, "/body/task_id"],
      ["/body", { task_id: "e", taskId: "e" }, "/body/taskId"],
    ],
  },
  "OperationsManager.revertJob": repair(
    (jobId) => ({ params: { jobId }, body: { fromTask: "e", toTask: "a" } }),
    runningIn,
    ["/body/fromTask", "/body/toTask"],
  ),
  "OperationsManager.continueJob": repair((jobId) => ({ params: { jobId }, body: { fromTask: "c" } }), runningIn, [
    "/body/fromTask",
  ]),
  "OperationsManager.retryTask": {
    ...repair((jobId) => ({ params: { jobId, taskId: "e" }, body: { variables: { header: "x" } } }), runningIn, [
      "/params/taskId",
    ]),
    bad: [dryRun, ["/body/variables", []]],
  },
};
