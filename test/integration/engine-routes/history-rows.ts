import { expect } from "vitest";
import { notApplicable, type RouteRow, type RouteRows } from "./route-row.ts";
import type { Scene } from "./scene.ts";

const badPage = [
  ["/query/after", -1],
  ["/query/after", "x"],
  ["/query/limit", 0],
  ["/query/limit", 1001],
] as const;

function history(param: string, shows: (jobId: string) => object): RouteRow {
  return {
    good: async (scene) => ({ params: { [param]: (await scene.job("paused"))._id }, query: { after: 0, limit: 10 } }),
    shows: ({ params }) => shows(params?.[param] ?? ""),
    bad: badPage,
    unknown: [`/params/${param}`],
    otherGroup: "refused",
  };
}

const paused = { seq: 2, at: expect.any(Number), cause: { event: "pause", by: "route-member" } };
const started = { seq: 1, changes: expect.any(Array) };
const manyCharacters = 300_000;

/** The large value of a job of its own, and the job. */
async function largeValue(scene: Scene): Promise<{ id: string; job: string }> {
  const { _id } = await scene.job("running", undefined, { text: "x".repeat(manyCharacters) });
  const reply = await scene.platform.request("GET", `/operations-manager/jobs/${_id}/history`);
  const id = /"large_data":"([^"]+)"/u.exec(JSON.stringify(reply.body))?.[1];
  if (id === undefined) throw new Error(`no large value in the history of ${_id}`);
  return { id, job: _id };
}

/** What happened to jobs, and their end. */
export const historyRows: RouteRows = {
  "WorkFlowEngine.getJobHistory": history("job_id", (_id) => ({
    job: { _id, status: "paused" },
    results: [started, paused],
    total: 2,
  })),
  "OperationsManager.getJobHistory": history("id", (_id) => ({
    data: [started, paused],
    metadata: { after: 0, limit: 10, total: 2, nextPageAfter: null, currentPageSize: 2, job: { _id } },
  })),
  "OperationsManager.getJobAt": {
    good: async (scene) => ({ params: { id: (await scene.job("paused"))._id, seq: "1" } }),
    shows: ({ params }) => ({ data: { _id: params?.["id"], status: "running" }, metadata: { seq: 1 } }),
    bad: [
      ["/params/seq", "0"],
      ["/params/seq", "first"],
    ],
    unknown: ["/params/id", ["/params/seq", "3"]],
    otherGroup: "refused",
  },
  "OperationsManager.getLargeData": {
    async good(scene) {
      const { id, job } = await largeValue(scene);
      return { params: { id }, query: { job } };
    },
    shows: () => "x".repeat(manyCharacters),
    bad: [["/query/job", ""]],
    unknown: ["/params/id", "/query/job"],
    otherGroup: "refused",
  },
  "OperationsManager.deleteJob": {
    good: async (scene) => ({ params: { jobId: (await scene.job("canceled"))._id } }),
    shows: ({ params }) => ({ data: { _id: params?.["jobId"] } }),
    bad: notApplicable("it takes the job and nothing else: an unknown one is 404"),
    unknown: ["/params/jobId"],
    otherGroup: "refused",
  },
  "OperationsManager.deleteJobs": {
    good: async (scene) => ({
      body: { jobIds: [(await scene.job("canceled"))._id, (await scene.job("complete"))._id] },
    }),
    shows: ({ body }) => ({ data: (body as { jobIds: string[] }).jobIds.map((_id) => ({ _id })) }),
    bad: [
      ["/body/jobIds", []],
      ["/body/jobIds", "x"],
      ["/body/jobIds/0", 1],
    ],
    unknown: ["/body/jobIds/0", "/body/jobIds/1"],
    otherGroup: "refused",
  },
};
