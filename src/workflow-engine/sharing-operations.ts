import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { readRoles, workRoles, writeRoles } from "../core/roles.ts";
import { GroupBody, GroupsBody } from "./job-schema.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();
const JobParams = Type.Object({ id: Type.String({ minLength: 1 }) });
const WatchParams = Type.Object({ job_id: Type.String({ minLength: 1 }) });

/** Watchers of a job, older family (workflow-engine.md §8.3). */
const watcherOperations = [
  operation({
    name: "addWatchers",
    method: "POST",
    path: "/workflow_engine/job/watchers/watch",
    summary: "Let further people watch a job; answers their account ids.",
    description:
      "An unknown user is 400 that names all of them, and nothing is written. Who watches already changes nothing.",
    roles: workRoles,
    body: Type.Object(
      {
        job_id: Type.String({ minLength: 1 }),
        watchers: Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          maxItems: 1000,
          description: "User names.",
        }),
      },
      { additionalProperties: false },
    ),
    response: Type.Array(Type.String()),
    handle: ({ sharing }, { body, caller }) => sharing.addWatchers(body.job_id, body.watchers, caller),
  }),
  watching("watchJob", true, "Watch a job oneself; answers one's account id."),
  watching("unwatchJob", false, "Watch a job no longer; answers one's account id."),
];

function watching(name: string, isWatching: boolean, summary: string) {
  return operation({
    name,
    method: isWatching ? "PUT" : "DELETE",
    path: "/workflow_engine/job/:job_id/watch",
    summary,
    roles: workRoles,
    params: WatchParams,
    body: Type.Object({}, { additionalProperties: false }),
    isBodyOptional: true,
    response: Type.String(),
    async handle({ sharing }, { params, caller }) {
      await sharing.setWatching([params.job_id], isWatching, caller);
      return caller.accountId;
    },
  });
}

/** The answer to a change of groups, older families. */
export const GroupsReply = Type.Object({ status: Type.Literal("success"), groups: Type.Array(Type.String()) });

/** Who may do what to the groups of a job: said by the operations of both families. */
export const groupRules =
  "Groups must exist. Child jobs, ended ones included, get the same groups a moment later. Who is no administrator must keep access to the job (403), and may not open it to everybody (403).";

const change = {
  path: "/workflow_engine/jobs/:id/groups",
  description: groupRules,
  roles: writeRoles,
  params: JobParams,
  response: GroupsReply,
} as const;

/** Groups of a job, older family (workflow-engine.md §7.4, §8.3). None: open to every role that may read. */
const groupOperations = [
  operation({
    name: "listJobGroups",
    method: "GET",
    path: "/workflow_engine/jobs/:id/groups",
    summary: "Name the groups that may see a job.",
    roles: readRoles,
    params: JobParams,
    response: Type.Array(Type.String()),
    handle: ({ sharing }, { params, caller }) => sharing.groupsOf(params.id, caller),
  }),
  operation({
    ...change,
    name: "createJobGroupEntry",
    method: "POST",
    summary: "Let one more group see a job.",
    body: GroupBody,
    handle: ({ sharing }, { params, body, caller }) =>
      changedTo(sharing.changeGroups(params.id, { change: "add", groups: [body.group] }, caller)),
  }),
  operation({
    ...change,
    name: "replaceJobGroups",
    method: "PUT",
    summary: "Set the groups that may see a job.",
    body: GroupsBody,
    handle: ({ sharing }, { params, body, caller }) =>
      changedTo(sharing.changeGroups(params.id, { change: "replace", groups: body.groups }, caller)),
  }),
  operation({
    ...change,
    name: "deleteJobGroups",
    method: "DELETE",
    summary: "Open a job to everybody again.",
    handle: ({ sharing }, { params, caller }) =>
      changedTo(sharing.changeGroups(params.id, { change: "replace", groups: [] }, caller)),
  }),
  operation({
    ...change,
    name: "removeJobGroup",
    method: "DELETE",
    path: "/workflow_engine/jobs/:id/groups/:group",
    summary: "Take a job from one group.",
    params: Type.Object({ ...JobParams.properties, group: Type.String({ minLength: 1 }) }),
    handle: ({ sharing }, { params, caller }) =>
      changedTo(sharing.changeGroups(params.id, { change: "remove", groups: [params.group] }, caller)),
  }),
];

/** Answers the groups after a change. */
export async function changedTo(groups: Promise<readonly string[]>) {
  return { status: "success", groups: await groups };
}

/** Watchers and groups of jobs, older family. */
export const sharingOperations = [...watcherOperations, ...groupOperations];
