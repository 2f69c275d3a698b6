import { jobId, spanMs, workflowNames } from "./load-jobs.ts";

/** A list or document as the job pages ask for it. */
export interface ListQuery {
  name: string;
  path: string;
  /** Asked by somebody who is no administrator. */
  isOfMember?: boolean;
}

const list = "/operations-manager/jobs";
const newest = "sort=metrics.start_time&order=-1&limit=25";

/** What people look for among `count` jobs that were loaded at `now`. */
export function listQueries(count: number, now: number): ListQuery[] {
  const name = encodeURIComponent(workflowNames[8] ?? "");
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
  ];
}
