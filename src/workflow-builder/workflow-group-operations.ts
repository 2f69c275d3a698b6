import { Type } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { NameParams } from "../core/schemas.ts";
import { changedTo, GroupBody, GroupsBody, GroupsReply, type WorkflowService } from "../workflow-engine/index.ts";

const operation = operationOf<{ workflows: WorkflowService }>();

const change = {
  path: "/workflow_builder/workflows/:name/groups",
  description:
    "The workflow is named by name or `_id`. Groups must exist. Who is no administrator must keep access to the workflow (403), and may not open it to everybody (403).",
  roles: writeRoles,
  params: NameParams,
  response: GroupsReply,
} as const;

/** Groups that see a workflow: spec workflow-engine.md §9.3, as those of jobs (§8.3). None: every role that may read. */
export const workflowGroupOperations: readonly Operation<{ workflows: WorkflowService }>[] = [
  operation({
    name: "listWorkflowGroups",
    method: "GET",
    path: change.path,
    summary: "Name the groups that may see a workflow.",
    description: "The workflow is named by name or `_id`. No groups: everybody whose role may read workflows.",
    roles: readRoles,
    params: NameParams,
    response: Type.Array(Type.String()),
    handle: ({ workflows }, { params, caller }) => workflows.groupsOf(params.name, caller),
  }),
  operation({
    ...change,
    name: "createWorkflowGroupEntry",
    method: "POST",
    summary: "Let one more group see a workflow. One that was open to everybody is for this group alone then.",
    body: GroupBody,
    handle: ({ workflows }, { params, body, caller }) =>
      changedTo(workflows.changeGroups(params.name, { change: "add", groups: [body.group] }, caller)),
  }),
  operation({
    ...change,
    name: "replaceWorkflowGroups",
    method: "PUT",
    summary: "Set the groups that may see a workflow.",
    body: GroupsBody,
    handle: ({ workflows }, { params, body, caller }) =>
      changedTo(workflows.changeGroups(params.name, { change: "replace", groups: body.groups }, caller)),
  }),
  operation({
    ...change,
    name: "deleteWorkflowGroups",
    method: "DELETE",
    summary: "Open a workflow to everybody again.",
    handle: ({ workflows }, { params, caller }) =>
      changedTo(workflows.changeGroups(params.name, { change: "replace", groups: [] }, caller)),
  }),
  operation({
    ...change,
    name: "removeWorkflowGroup",
    method: "DELETE",
    path: "/workflow_builder/workflows/:name/groups/:group",
    summary: "Take a workflow from one group.",
    params: Type.Object({ ...NameParams.properties, group: Type.String({ minLength: 1 }) }),
    handle: ({ workflows }, { params, caller }) =>
      changedTo(workflows.changeGroups(params.name, { change: "remove", groups: [params.group] }, caller)),
  }),
];
