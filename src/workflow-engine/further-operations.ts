import { Type } from "@sinclair/typebox";
import { compare, diffTable } from "../core/diff-page.ts";
import { jsonReply, operationOf } from "../core/operation.ts";
import { readRoles, workRoles } from "../core/roles.ts";
import { startAsAsked } from "./jobs/start-request.ts";
import { JobDocument, StartOptionsSchema, WaitQuery } from "./job-schema.ts";
import { SomeOf, taskText } from "./search-operations.ts";
import { FieldChoice, QueryObject, SearchOptionsSchema } from "./search/search-schema.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";

const operation = operationOf<WorkflowEngineServices>();
const { description, variables } = StartOptionsSchema.properties;
const { skip, limit } = SearchOptionsSchema.properties;

/** Routes of other releases of the field, for their clients (workflow-engine.md §8.2, §8.7). */
export const furtherOperations = [
  operation({
    name: "startJob",
    method: "POST",
    path: "/workflow_engine/startJob/:workflow",
    summary: "Start a workflow as a new job, in the form before startJobWithOptions.",
    deprecated: true,
    roles: workRoles,
    params: Type.Object({ workflow: Type.String({ minLength: 1 }) }),
    query: WaitQuery,
    body: Type.Object({ description, variables }, { additionalProperties: false }),
    isBodyOptional: true,
    response: JobDocument,
    handle: async (services, { params, query, body, caller }) =>
      jsonReply(services.jobs.text(await startAsAsked(services, { ...params, ...query, options: body }, caller))),
  }),
  operation({
    name: "queryTasks",
    method: "POST",
    path: "/workflow_engine/queryTasks",
    summary: "The tasks that match a query, each reduced by a filter; searchTasks tells their number as well.",
    description: `In order of their identifiers, at most 1,000. \`filter\` names the members to keep (1) or to leave out (0). ${taskText}`,
    deprecated: true,
    roles: readRoles,
    body: Type.Object({
      query: QueryObject,
      filter: Type.Optional(FieldChoice),
      options: Type.Optional(Type.Object({ skip, limit })),
    }),
    response: Type.Array(SomeOf),
    handle: ({ search }, { body, caller }) => search.queryTasks(body.query, body, caller),
  }),
  operation({
    name: "diffToHTML",
    method: "POST",
    path: "/workflow_engine/diffToHTML",
    summary: "Show how two texts differ, as a table of a page.",
    description: "Line by line; what is no text is compared as JSON.",
    deprecated: true,
    roles: readRoles,
    body: Type.Object(
      { label1: Type.String(), value1: Type.Unknown(), label2: Type.String(), value2: Type.Unknown() },
      { additionalProperties: false },
    ),
    response: Type.String(),
    responseType: "text/html",
    handle: (_services, { body }) =>
      diffTable(compare({ label: body.label1, value: body.value1 }, { label: body.label2, value: body.value2 })).text,
  }),
];
