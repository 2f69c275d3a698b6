import { expect } from "vitest";
import { notApplicable, type RouteRow, type RouteRows } from "./route-row.ts";
import type { Scene } from "./scene.ts";

const takesNothing = notApplicable("it takes what it names and nothing else: an unknown one is 404");
const unknownGroup = "0123456789abcdef01234567";

/** What has groups: the parameters of its routes, and a new one. */
interface Grouped {
  param: string;
  groupParam: string;
  idOf(scene: Scene): Promise<string>;
}

const jobId = async (scene: Scene): Promise<string> => (await scene.job())._id;
const workflowName = async (scene: Scene): Promise<string> => (await scene.workflow()).name;

function adding(param: string, envelope: boolean): RouteRow {
  return {
    good: async (scene) => ({
      ...(param === "/body/job_id" ? {} : { params: { jobId: (await scene.job())._id } }),
      body: {
        ...(param === "/body/job_id" ? { job_id: (await scene.job())._id } : {}),
        watchers: ["route-member", "admin"],
      },
    }),
    shows: (_, { member }) => {
      const ids = [member.id, expect.any(String)];
      return envelope ? { data: ids } : ids;
    },
    bad: [
      ["/body/watchers", []],
      ["/body/watchers", "admin"],
      ["/body/watchers", [""], "/body/watchers/0"],
      ["/body/watchers", ["admin", "nobody-at-all"], "/body/watchers/1"],
    ],
    unknown: [param],
    otherGroup: "refused",
  };
}

function watching(param: string, shows: RouteRow["shows"], idOf = jobId): RouteRow {
  return {
    good: async (scene) => ({ params: { [param]: await idOf(scene) } }),
    ...(shows ? { shows } : {}),
    bad: takesNothing,
    unknown: [`/params/${param}`],
    otherGroup: "refused",
  };
}

function watchingAll(watchers: (scene: Scene) => string[]): RouteRow {
  return {
    good: async (scene) => ({ body: { jobIds: [(await scene.job())._id] } }),
    shows: ({ body }, scene) => ({
      data: (body as { jobIds: string[] }).jobIds.map((_id) => ({ _id, watchers: watchers(scene) })),
    }),
    bad: [
      ["/body/jobIds", []],
      ["/body/jobIds", "x"],
      ["/body/jobIds", [1], "/body/jobIds/0"],
    ],
    unknown: ["/body/jobIds/0"],
    otherGroup: "refused",
  };
}

/** Changes groups as the administrator, who alone may open to everybody, or give away, what has them. */
function grouping({ param, idOf }: Grouped, more: Partial<RouteRow> & { body?: (scene: Scene) => object }): RouteRow {
  const { body, ...rest } = more;
  return {
    as: "admin",
    good: async (scene) => ({
      params: { [param]: await idOf(scene) },
      ...(body ? { body: body(scene) } : {}),
    }),
    bad: takesNothing,
    unknown: [`/params/${param}`],
    otherGroup: "refused",
    ...rest,
  };
}

const inEnvelope = (groups: unknown) => ({ data: groups });
const inStatus = (groups: unknown) => ({ status: "success", groups });
type Shown = (groups: unknown) => object;

function groupRows(grouped: Grouped, shown: Shown): Record<"add" | "replace" | "clear" | "remove", RouteRow> {
  const { param, groupParam, idOf } = grouped;
  return {
    add: grouping(grouped, {
      body: ({ outsider }) => ({ group: outsider.groupId }),
      shows: (_, { member, outsider }) => shown([member.groupId, outsider.groupId]),
      bad: [
        ["/body/group", 1],
        ["/body/group", ""],
        ["/body/group", unknownGroup],
      ],
    }),
    replace: grouping(grouped, {
      body: ({ outsider }) => ({ groups: [outsider.groupId] }),
      shows: (_, { outsider }) => shown([outsider.groupId]),
      bad: [
        ["/body/groups", "x"],
        ["/body/groups", [1], "/body/groups/0"],
        ["/body/groups", [unknownGroup], "/body/groups/0"],
      ],
    }),
    clear: grouping(grouped, { shows: () => shown([]) }),
    remove: grouping(grouped, {
      good: async (scene) => ({ params: { [param]: await idOf(scene), [groupParam]: scene.member.groupId } }),
      shows: () => shown([]),
      unknown: [`/params/${param}`, `/params/${groupParam}`],
    }),
  };
}

const older = groupRows({ param: "id", groupParam: "group", idOf: jobId }, inStatus);
const newer = groupRows({ param: "jobId", groupParam: "groupId", idOf: jobId }, inEnvelope);
const ofWorkflows = groupRows({ param: "name", groupParam: "group", idOf: workflowName }, inStatus);

/** Watchers and groups of jobs, both families, and groups of workflows. */
export const sharingRows: RouteRows = {
  "WorkFlowEngine.addWatchers": adding("/body/job_id", false),
  "WorkFlowEngine.watchJob": watching("job_id", (_, { member }) => member.id),
  "WorkFlowEngine.unwatchJob": watching("job_id", (_, { member }) => member.id),
  "WorkFlowEngine.listJobGroups": watching("id", (_, { member }) => [member.groupId]),
  "WorkFlowEngine.createJobGroupEntry": older.add,
  "WorkFlowEngine.replaceJobGroups": older.replace,
  "WorkFlowEngine.deleteJobGroups": older.clear,
  "WorkFlowEngine.removeJobGroup": older.remove,
  "OperationsManager.addWatchersToJob": adding("/params/jobId", true),
  "OperationsManager.watchJob": watching("jobId", (_, { member }) => ({ data: member.id })),
  "OperationsManager.unwatchJob": watching("jobId", (_, { member }) => ({ data: member.id })),
  "OperationsManager.watchJobs": watchingAll(({ member }) => [member.id]),
  "OperationsManager.unwatchJobs": watchingAll(() => []),
  "OperationsManager.addJobGroup": newer.add,
  "OperationsManager.replaceJobGroups": newer.replace,
  "OperationsManager.deleteJobGroups": newer.clear,
  "OperationsManager.deleteJobGroup": newer.remove,
  "WorkflowBuilder.listWorkflowGroups": watching("name", (_, { member }) => [member.groupId], workflowName),
  "WorkflowBuilder.createWorkflowGroupEntry": ofWorkflows.add,
  "WorkflowBuilder.replaceWorkflowGroups": ofWorkflows.replace,
  "WorkflowBuilder.deleteWorkflowGroups": ofWorkflows.clear,
  "WorkflowBuilder.removeWorkflowGroup": ofWorkflows.remove,
};
