import { Readable } from "node:stream";
import { Type } from "@sinclair/typebox";
import { operationOf, Reply } from "../core/operation.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { IdParams } from "../core/schemas.ts";
import {
  documentOf,
  HistoryEntrySchema,
  HistoryQuery,
  JobDocument,
  type WorkflowEngineServices,
} from "../workflow-engine/index.ts";
import { envelope, Envelope } from "./envelope.ts";

const operation = operationOf<WorkflowEngineServices>();

const JobIds = Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100 });
const DeletedJob = Type.Object({ _id: Type.String() });

const deletionDescription =
  "A job goes with all its child jobs: headers, tasks, history and large values. It must be complete or canceled, and no child job itself; otherwise 409, and nothing is deleted. Child jobs vanish a moment after the answer, also when the node dies meanwhile. What was removed cannot be restored.";

/** What happened to jobs, and their end (workflow-engine.md §7.1, §9.2). */
export const historyOperations = [
  operation({
    name: "getJobHistory",
    method: "GET",
    path: "/operations-manager/jobs/:id/history",
    aliases: [{ method: "GET", path: "/operations_manager/jobs/:id/history" }],
    summary: "What happened to a job, event by event.",
    description:
      "Events in order, those after number `after`, at most `limit`. Each says when it was, what brought it about, who asked for it, and every change it made. Large values are shown by a marker (`large_data`). `metadata.job` is the header of the job.",
    roles: readRoles,
    params: IdParams,
    query: HistoryQuery,
    response: Envelope(Type.Array(HistoryEntrySchema)),
    handle: async ({ history }, { params, query, caller }) => {
      const page = { after: query.after ?? 0, limit: query.limit ?? 100 };
      const { job, entries, total } = await history.page(params.id, page, caller);
      const last = entries.at(-1)?.seq ?? page.after;
      return envelope("Successfully retrieved items", entries, {
        ...page,
        total,
        nextPageAfter: last < total && entries.length > 0 ? last : null,
        currentPageSize: entries.length,
        job,
      });
    },
  }),
  operation({
    name: "getJobAt",
    method: "GET",
    path: "/operations-manager/jobs/:id/history/:seq",
    aliases: [{ method: "GET", path: "/operations_manager/jobs/:id/history/:seq" }],
    summary: "A job as it was just after one of its events.",
    description: "Made from the events of its log alone, up to number `seq`: the document the job had then.",
    roles: readRoles,
    params: Type.Object({ id: Type.String({ minLength: 1 }), seq: Type.Integer({ minimum: 1 }) }),
    response: Envelope(JobDocument),
    handle: async ({ history }, { params, caller }) =>
      envelope("Successfully retrieved item", documentOf(await history.at(params.id, params.seq, caller)), {
        seq: params.seq,
      }),
  }),
  operation({
    name: "getLargeData",
    method: "GET",
    path: "/operations-manager/large-data/:id",
    aliases: [{ method: "GET", path: "/operations_manager/large-data/:id" }],
    summary: "A large value that lists and history show by a marker only.",
    description:
      "The answer is the value itself, without an envelope, and comes as fast as it is taken: it may be larger than memory. The history of the job that `job` names must refer to the value; without `job` that of the job at the top of its tree of jobs, or of any job of the tree where the caller may see all of them. A job that the caller may not see is 404, and so is what it alone refers to.",
    roles: readRoles,
    params: IdParams,
    query: Type.Object({
      job: Type.Optional(Type.String({ minLength: 1, description: "A job that refers to the value." })),
    }),
    response: Type.Unknown(),
    handle: async ({ history }, { params, query, caller }) =>
      new Reply(Readable.from(await history.largeValue(params.id, query.job, caller)), {
        headers: { "content-type": "application/json; charset=utf-8" },
      }),
  }),
  operation({
    name: "deleteJob",
    method: "DELETE",
    path: "/operations-manager/jobs/:jobId",
    aliases: [{ method: "DELETE", path: "/operations_manager/jobs/:jobId" }],
    summary: "Delete a job that has ended, and its child jobs.",
    description: deletionDescription,
    roles: writeRoles,
    params: Type.Object({ jobId: Type.String({ minLength: 1 }) }),
    response: Envelope(DeletedJob),
    handle: async ({ deletion }, { params, caller }) => {
      await deletion.delete([params.jobId], caller);
      return envelope("Successfully deleted job", { _id: params.jobId });
    },
  }),
  operation({
    name: "deleteJobs",
    method: "POST",
    path: "/operations-manager/jobs/delete",
    aliases: [{ method: "POST", path: "/operations_manager/jobs/delete" }],
    summary: "Delete jobs that have ended, and their child jobs.",
    description: `All jobs are looked at before the first is deleted. ${deletionDescription}`,
    roles: writeRoles,
    body: Type.Object({ jobIds: JobIds }, { additionalProperties: false }),
    response: Envelope(Type.Array(DeletedJob)),
    handle: async ({ deletion }, { body, caller }) => {
      await deletion.delete(body.jobIds, caller);
      return envelope(
        "Successfully deleted jobs",
        [...new Set(body.jobIds)].map((_id) => ({ _id })),
      );
    },
  }),
];
