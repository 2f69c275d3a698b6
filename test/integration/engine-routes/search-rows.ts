import { expect } from "vitest";
import { notApplicable, type BadCase, type Call, type RouteRow, type RouteRows } from "./route-row.ts";

const emptyResult = notApplicable("a query that nothing matches gives an empty answer");

/** What is wrong with a query at a place. */
const badQuery = (at: string): readonly BadCase[] => [
  [at, []],
  [`${at}/$where`, "1"],
  [`${at}/name`, { $regex: "(" }, `${at}/name/$regex`],
  [`${at}/name`, { $nonsense: 1 }, `${at}/name/$nonsense`],
];
const badOptions: readonly BadCase[] = [
  ["/body/options/limit", -1],
  ["/body/options/limit", 1001],
  ["/body/options/skip", "x"],
  ["/body/options/sort", "name"],
  ["/body/options/fields", { name: 2 }, "/body/options/fields/name"],
  ["/body/options/expand", ["nonsense"], "/body/options/expand/0"],
  ["/body/options/surplus", 1],
];

/** A search that finds the job; people of other groups do not. */
function search(good: (jobId: string) => Call, shows: (jobId: string) => unknown, bad: readonly BadCase[]): RouteRow {
  return {
    good: async (scene) => good((await scene.job())._id),
    shows: (_, scene) => shows(scene.lastMade()),
    bad,
    unknown: emptyResult,
    otherGroup: "absent",
  };
}

const page = (_id: string) => ({ results: [{ _id }], skip: 0, limit: 10, total: 1 });
const taskPage = (_id: string) => ({
  results: [
    { taskId: "b", job: { _id } },
    { taskId: "e", job: { _id } },
  ],
  total: 2,
});

/** Finding jobs, tasks and workflows, older family. */
export const searchRows: RouteRows = {
  "WorkFlowEngine.searchJobs": search((_id) => ({ body: { options: { query: { _id } } } }), page, [
    ...badQuery("/body/options/query"),
    ...badOptions,
  ]),
  "WorkFlowEngine.getJobList": search(
    (_id) => ({ params: { status: "active" }, body: { options: { filter: { _id } } } }),
    page,
    [["/params/status", "nonsense"], ...badQuery("/body/options/filter"), ...badOptions],
  ),
  "WorkFlowEngine.getAssociatedJobs": search((_id) => ({ body: { options: { filter: { _id } } } }), page, [
    ...badQuery("/body/options/filter"),
    ...badOptions,
  ]),
  "WorkFlowEngine.find": search(
    (_id) => ({ body: { query: { _id }, options: {} } }),
    (_id) => [{ _id, tasks: { b: { status: "running" } } }],
    [...badQuery("/body/query"), ...badOptions],
  ),
  "WorkFlowEngine.queryJobs": search(
    (_id) => ({ body: { query: { _id } } }),
    (_id) => [{ _id, tasks: { b: { status: "running" } } }],
    [...badQuery("/body/query"), ["/body/query", {}]],
  ),
  "WorkFlowEngine.getJobFromTaskQuery": search(
    (_id) => ({ body: { task_query: { "job._id": _id, taskId: "b" }, options: {} } }),
    (_id) => [{ _id, tasks: { b: { status: "running" } } }],
    [...badQuery("/body/task_query"), ...badOptions, ["/body/options/limit", 101]],
  ),
  "WorkFlowEngine.searchTasks": search(
    (_id) => ({ body: { filter: { "job._id": _id, type: "manual" }, options: { sort: { taskId: 1 } } } }),
    taskPage,
    [...badQuery("/body/filter"), ...badOptions],
  ),
  "WorkFlowEngine.getTask": search(
    (_id) => ({ body: { query: { "job._id": _id, taskId: "b" }, filter: { taskId: 1, "job._id": 1 } } }),
    (_id) => ({ _id: expect.any(String), taskId: "b", job: { _id } }),
    [...badQuery("/body/query"), ["/body/filter", { taskId: 2 }, "/body/filter/taskId"]],
  ),
  "WorkFlowEngine.queryTasks": search(
    (_id) => ({
      body: {
        query: { "job._id": _id, type: "manual" },
        filter: { taskId: 1, "job._id": 1, _id: 0 },
        options: { skip: 0, limit: 1000 },
      },
    }),
    (_id) =>
      expect.arrayContaining([
        { taskId: "b", job: { _id } },
        { taskId: "e", job: { _id } },
      ]),
    [
      ...badQuery("/body/query"),
      ["/body/filter", { taskId: 2 }, "/body/filter/taskId"],
      ["/body/options/limit", 1001],
      ["/body/options/skip", -1],
      ["/body/options/sort", { taskId: 1 }],
    ],
  ),
  "WorkFlowEngine.queryTasksBrief": search(
    (_id) => ({ body: { query: { "job._id": _id, status: "running" } } }),
    (_id) => [{ job: { _id } }, { job: { _id } }],
    badQuery("/body/query"),
  ),
  "WorkFlowEngine.searchWorkflows": {
    good: async (scene) => ({ body: { options: { query: { name: (await scene.workflow()).name }, limit: 10 } } }),
    shows: ({ body }) => {
      const { query } = (body as { options: { query: { name: string } } }).options;
      return { results: [{ name: query.name }], skip: 0, limit: 10, total: 1 };
    },
    bad: [...badQuery("/body/options/query"), ...badOptions],
    unknown: emptyResult,
    otherGroup: "absent",
  },
};
