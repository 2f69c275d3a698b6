import { jobId, spanMs, workflowNames } from "./load-jobs.ts";

/** A list or document as the job pages ask for it. */
export interface ListQuery {
  name: string;
  path: string;
  /** Posted, if there is one. */
  body?: object;
  /** Asked by somebody who is no administrator. */
  isOfMember?: boolean;
}

/** A workflow with jobs in error, which not all have. */
const searchedName = workflowNames[12] ?? "";
const list = "/operations-manager/jobs";
const newest = "sort=metrics.start_time&order=-1&limit=25";

/** What people look for among `count` jobs that were loaded at `now`. */
export function listQueries(count: number, now: number): ListQuery[] {
  const name = encodeURIComponent(searchedName);
  const from = Math.floor(now - spanMs / 3);
  const day = `gte[metrics.start_time]=${from}&lt[metrics.start_time]=${from + 24 * 60 * 60 * 1000}`;
  const middle = Math.floor(count / 2);
  const one = jobId(Math.floor(now - spanMs + (spanMs / count) * middle), middle);
  return [
    { name: "newest", path: `${list}?${newest}` },
    { name: "status error", path: `${list}?equals[status]=error&${newest}` },
    { name: "status running", path: `${list}?equals[status]=running&${newest}` },
    { name: "name", path: `${list}?equals[name]=${name}&${newest}` },
    { name: "name and status", path: `${list}?equals[name]=${name}&equals[status]=error&${newest}` },
    { name: "contains name", path: `${list}?contains[name]=vlan&${newest}` },
    { name: "contains nothing", path: `${list}?contains[name]=no%20such%20name&${newest}` },
    { name: "one day", path: `${list}?${day}&${newest}` },
    { name: "one day, status", path: `${list}?${day}&equals[status]=error&${newest}` },
    { name: "deep page", path: `${list}?${newest}&skip=${middle}` },
    { name: "newest, of a member", path: `${list}?${newest}`, isOfMember: true },
    { name: "status error, of a member", path: `${list}?equals[status]=error&${newest}`, isOfMember: true },
    { name: "contains name, of a member", path: `${list}?contains[name]=vlan&${newest}`, isOfMember: true },
    { name: "one day, of a member", path: `${list}?${day}&${newest}`, isOfMember: true },
    { name: "open tasks", path: "/operations-manager/tasks?equals[type]=manual&limit=25" },
    { name: "one job", path: `${list}/${one}` },
    ...forEverybody(searches(one)),
    ...forEverybody(metrics()),
  ];
}

const engine = "/workflow_engine";
const byStart = { sort: { "metrics.start_time": -1 }, limit: 25 };

/** The searches of the workflow engine: each as people use it, and by what the others cannot answer from an index of their own. */
function searches(one: string): ListQuery[] {
  const name = searchedName;
  const inError = { status: "error" };
  const search = (called: string, path: string, body: object): ListQuery => ({
    name: called,
    path: engine + path,
    body,
  });
  return [
    search("searchJobs", "/jobs/search", { options: byStart }),
    search("searchJobs, no sort", "/jobs/search", { options: {} }),
    search("searchJobs, name and status", "/jobs/search", { options: { ...byStart, query: { ...inError, name } } }),
    search("searchJobs, name by regex", "/jobs/search", {
      options: { ...byStart, query: { name: { $regex: "VLAN" } } },
    }),
    search("searchJobs, several states", "/jobs/search", {
      options: { ...byStart, query: { status: { $in: ["running", "error", "paused"] } } },
    }),
    search("getJobList active", "/getJobList/active", { options: byStart }),
    search("getJobList complete", "/getJobList/complete", { options: byStart }),
    search("getJobList error, expanded", "/getJobList/error", { options: { ...byStart, expand: ["created_by"] } }),
    search("getAssociatedJobs", "/getAssociatedJobs", { options: byStart }),
    search("getAssociatedJobs, status", "/getAssociatedJobs", { options: { ...byStart, query: inError } }),
    search("find, 25 whole jobs", "/jobs/find", { query: { name }, options: byStart }),
    search("find, headers", "/jobs/find", { query: inError, options: { ...byStart, fields: { name: 1, status: 1 } } }),
    search("queryJobs, one", "/queryJobs", { query: { _id: one } }),
    search("queryJobs, name and status", "/queryJobs", { query: { ...inError, name } }),
    search("searchTasks", "/tasks/search", { filter: {}, options: { limit: 25 } }),
    search("searchTasks, manual", "/tasks/search", {
      filter: { type: "manual", status: "running" },
      options: { limit: 25 },
    }),
    search("searchTasks, newest", "/tasks/search", {
      filter: {},
      options: { sort: { "metrics.start_time": -1 }, limit: 25 },
    }),
    search("searchTasks, of a workflow", "/tasks/search", { filter: { "job.name": name }, options: { limit: 25 } }),
    search("queryTasksBrief, of a workflow", "/queryTasksBrief", { query: { "job.name": name } }),
    search("queryTasksBrief, one job", "/queryTasksBrief", { query: { "job._id": one } }),
    search("getTask, one job", "/getTask", { query: { "job._id": one, taskId: "a2" } }),
    search("getTask, by name", "/getTask", { query: { name: "ViewData" } }),
    search("getJobFromTaskQuery, one job", "/getJobFromTaskQuery", { task_query: { "job._id": one, taskId: "a2" } }),
    search("getJobFromTaskQuery, by name", "/getJobFromTaskQuery", {
      task_query: { name: "ViewData" },
      options: { limit: 10 },
    }),
  ];
}

/** Figures of the last 30 days and of all days, of all workflows and of one. */
function metrics(): ListQuery[] {
  const name = encodeURIComponent(searchedName);
  const of = (kind: string): ListQuery[] => [
    { name: `${kind} metrics, 30 days`, path: `${engine}/${kind}/metrics` },
    { name: `${kind} metrics, all days`, path: `${engine}/${kind}/metrics?greaterThanEquals=0` },
    { name: `${kind} metrics, one workflow`, path: `${engine}/${kind}/metrics?equals=${name}` },
  ];
  return [...of("jobs"), ...of("tasks")];
}

/** Each asked by the administrator, and by a member, whose own jobs are three. */
function forEverybody(queries: readonly ListQuery[]): ListQuery[] {
  return [...queries, ...queries.map((query) => ({ ...query, name: `${query.name}, of a member`, isOfMember: true }))];
}
