import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import { largestPage } from "../core/schemas.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

/** Which events of a job are asked for. */
export const HistoryQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0, description: "Number of the last event that is left out." })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: largestPage, description: "Most events of the page; 100 when absent." }),
  ),
});

/** One event of a job's history. */
export const HistoryEntrySchema = Type.Object({
  seq: Type.Integer({ minimum: 1, description: "Number of the event, from 1." }),
  at: Type.Number({ description: "Milliseconds since the epoch." }),
  cause: Type.Object({
    event: Type.String({ description: "What brought it about." }),
    by: Type.Optional(Type.String({ description: "Username of who asked for it." })),
  }),
  changes: Type.Array(
    Type.Object({ change: Type.String(), task: Type.Optional(Type.String()) }, { additionalProperties: true }),
  ),
});

const operation = operationOf<WorkflowEngineServices>();

/** What happened to a job, older family. Own addition: the original shows no history. */
export const historyOperations = [
  operation({
    name: "getJobHistory",
    method: "GET",
    path: "/workflow_engine/jobs/:job_id/history",
    summary: "What happened to a job, event by event, with its header.",
    roles: readRoles,
    params: Type.Object({ job_id: Type.String() }),
    query: HistoryQuery,
    response: Type.Object({
      job: Type.Object({}, { additionalProperties: true }),
      results: Type.Array(HistoryEntrySchema),
      total: Type.Integer({ minimum: 0 }),
    }),
    handle: async ({ history }, { params, query, caller }) => {
      const page = { after: query.after ?? 0, limit: query.limit ?? 100 };
      const { job, entries, total } = await history.page(params.job_id, page, caller);
      return { job, results: entries, total };
    },
  }),
];
