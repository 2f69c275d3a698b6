import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { workRoles, writeRoles } from "../core/roles.ts";
import { GroupBody, groupRules, GroupsBody, type WorkflowEngineServices } from "../workflow-engine/index.ts";
import { Envelope, envelope } from "./envelope.ts";

const operation = operationOf<WorkflowEngineServices>();
const JobIdParams = Type.Object({ jobId: Type.String({ minLength: 1 }) });
const JobIdsBody = Type.Object(
  { jobIds: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);
const nothing = { body: Type.Object({}, { additionalProperties: false }), isBodyOptional: true } as const;

/** Watchers of jobs, newer family (workflow-engine.md §9.2). */
const watcherOperations = [
  operation({
    name: "addWatchersToJob",
    method: "POST",
    path: "/operations-manager/jobs/:jobId/add-watchers",
    summary: "Let further people watch a job; answers their account ids.",
    description: "An unknown user is 400 that names all of them, and nothing is written.",
    roles: workRoles,
    params: JobIdParams,
    body: Type.Object(
      {
        watchers: Type.Array(Type.String({ minLength: 1 }), {
          minItems: 1,
          maxItems: 1000,
          description: "User names.",
        }),
      },
      { additionalProperties: false },
    ),
    response: Envelope(Type.Array(Type.String())),
    handle: async ({ sharing }, { params, body, caller }) =>
      envelope("Successfully added watchers", await sharing.addWatchers(params.jobId, body.watchers, caller)),
  }),
  watchingOne("watchJob", true, "Watch a job oneself; answers one's account id."),
  watchingOne("unwatchJob", false, "Watch a job no longer; answers one's account id."),
  watchingMany("watchJobs", true, "Watch jobs oneself."),
  watchingMany("unwatchJobs", false, "Watch jobs no longer."),
];

function watchingOne(name: string, isWatching: boolean, summary: string) {
  const word = isWatching ? "watch" : "unwatch";
  return operation({
    name,
    method: "POST",
    path: `/operations-manager/jobs/:jobId/${word}`,
    summary,
    roles: workRoles,
    params: JobIdParams,
    ...nothing,
    response: Envelope(Type.String()),
    async handle({ sharing }, { params, caller }) {
      await sharing.setWatching([params.jobId], isWatching, caller);
      return envelope(`Successfully applied ${word}`, caller.accountId);
    },
  });
}

function watchingMany(name: string, isWatching: boolean, summary: string) {
  const word = isWatching ? "watch" : "unwatch";
  return operation({
    name,
    method: "POST",
    path: `/operations-manager/jobs/${word}`,
    summary,
    description: "When one of the jobs does not exist nothing is written. Answers the jobs with their watchers.",
    roles: workRoles,
    body: JobIdsBody,
    response: Envelope(Type.Array(Type.Object({ _id: Type.String(), watchers: Type.Array(Type.String()) }))),
    async handle({ sharing }, { body, caller }) {
      const views = await sharing.setWatching(body.jobIds, isWatching, caller);
      const watched = views.map(({ state }) => ({ _id: state.origin._id, watchers: state.watchers }));
      return envelope(`Successfully applied ${word}`, watched);
    },
  });
}

const change = {
  path: "/operations-manager/jobs/:jobId/groups",
  description: `Answers the groups after the change. ${groupRules}`,
  roles: writeRoles,
  params: JobIdParams,
  response: Envelope(Type.Array(Type.String())),
} as const;

/** Groups of a job, newer family (workflow-engine.md §7.4, §9.2). */
const groupOperations = [
  operation({
    ...change,
    name: "addJobGroup",
    method: "POST",
    summary: "Let one more group see a job.",
    body: GroupBody,
    handle: ({ sharing }, { params, body, caller }) =>
      changed(sharing.changeGroups(params.jobId, { change: "add", groups: [body.group] }, caller)),
  }),
  operation({
    ...change,
    name: "replaceJobGroups",
    method: "PUT",
    summary: "Set the groups that may see a job.",
    body: GroupsBody,
    handle: ({ sharing }, { params, body, caller }) =>
      changed(sharing.changeGroups(params.jobId, { change: "replace", groups: body.groups }, caller)),
  }),
  operation({
    ...change,
    name: "deleteJobGroups",
    method: "DELETE",
    summary: "Open a job to everybody again.",
    handle: ({ sharing }, { params, caller }) =>
      changed(sharing.changeGroups(params.jobId, { change: "replace", groups: [] }, caller)),
  }),
  operation({
    ...change,
    name: "deleteJobGroup",
    method: "DELETE",
    path: "/operations-manager/jobs/:jobId/groups/:groupId",
    summary: "Take a job from one group.",
    params: Type.Object({ ...JobIdParams.properties, groupId: Type.String({ minLength: 1 }) }),
    handle: ({ sharing }, { params, caller }) =>
      changed(sharing.changeGroups(params.jobId, { change: "remove", groups: [params.groupId] }, caller)),
  }),
];

async function changed(groups: Promise<readonly string[]>) {
  return envelope("Successfully changed groups", await groups);
}

/** Watchers and groups of jobs, newer family: the same service as `/workflow_engine`. */
export const sharingOperations = [...watcherOperations, ...groupOperations];
