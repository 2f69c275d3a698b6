import { Type } from "@sinclair/typebox";
import { operationOf } from "../core/operation.ts";
import { readRoles } from "../core/roles.ts";
import { JobDocument, TaskDocument } from "./job-schema.ts";
import {
  FieldChoice,
  QueryObject,
  SearchOptionsSchema,
  SearchReply,
  type SearchOptions,
} from "./search/search-schema.ts";
import type { WorkflowEngineServices } from "./workflow-engine-services.ts";
import { WorkflowOutline } from "./workflows/workflow-outline.ts";

const operation = operationOf<WorkflowEngineServices>();

/** A document of an answer that may have been reduced to a few members. */
export const SomeOf = Type.Object({}, { additionalProperties: true });
const OptionsBody = Type.Object({ options: Type.Optional(SearchOptionsSchema) });
const pageText =
  "Pages of 10 by default, of 1,000 at most, which limit 0 means too. `total` counts all matches. `sort` is `{member: 1 or -1}` or `{field, direction}`; the identifier breaks ties.";
const headerText =
  "Jobs are found by members of their headers: not by tasks and variables. A whole job is read from its log, so an answer has at most 100 of them.";
/** Which tasks a search finds. */
export const taskText =
  "Rows exist for open tasks: waiting, in error, or running for more than a second. A query that pins `job._id` (equal to one, or `$in` at most 100) is answered over all tasks of those jobs, finished ones included, each as its newest iteration.";

/** Finding jobs, older family (workflow-engine.md §8.6). */
const jobSearchOperations = [
  operation({
    name: "searchJobs",
    method: "POST",
    path: "/workflow_engine/jobs/search",
    summary: "Search jobs by query, page by page.",
    description: `${headerText} Fields that only whole jobs have make them the answer. ${pageText}`,
    roles: readRoles,
    body: OptionsBody,
    isBodyOptional: true,
    response: SearchReply(SomeOf),
    handle: ({ search }, { body, caller }) => search.searchJobs(optionsOf(body), caller),
  }),
  operation({
    name: "getJobList",
    method: "POST",
    path: "/workflow_engine/getJobList/:status",
    summary: "Page of the jobs in a status.",
    description: `\`status\` is running, paused, error, complete, canceled or cancelled; active and incomplete stand for running, paused and error. ${pageText}`,
    roles: readRoles,
    params: Type.Object({ status: Type.String({ minLength: 1 }) }),
    body: OptionsBody,
    isBodyOptional: true,
    response: SearchReply(SomeOf),
    handle: ({ search }, { params, body, caller }) => search.jobList(params.status, optionsOf(body), caller),
  }),
  operation({
    name: "getAssociatedJobs",
    method: "POST",
    path: "/workflow_engine/getAssociatedJobs",
    summary: "Page of the jobs one has had to do with.",
    description: `Jobs that the caller started, watches, or owned a task of, whoever owns it now. ${pageText}`,
    roles: readRoles,
    body: OptionsBody,
    isBodyOptional: true,
    response: SearchReply(SomeOf),
    handle: ({ search }, { body, caller }) => search.associatedJobs(optionsOf(body), caller),
  }),
  operation({
    name: "find",
    method: "POST",
    path: "/workflow_engine/jobs/find",
    summary: "Job documents that match a query, as far as asked for.",
    description: `${headerText} Fields that headers have allow 1,000. Without limit the answer has as many as it may.`,
    roles: readRoles,
    body: Type.Object({ query: QueryObject, options: Type.Optional(SearchOptionsSchema) }),
    response: Type.Array(SomeOf),
    handle: ({ search }, { body, caller }) => search.findJobs(body.query, optionsOf(body), caller),
  }),
  operation({
    name: "queryJobs",
    method: "POST",
    path: "/workflow_engine/queryJobs",
    summary: "Jobs that match a query.",
    description: `${headerText} In order of their identifiers, which is that of their starts.`,
    roles: readRoles,
    body: Type.Object({ query: Type.Object({}, { ...QueryObject, minProperties: 1 }) }),
    response: Type.Array(JobDocument),
    handle: ({ search }, { body, caller }) => search.findJobs(body.query, {}, caller),
  }),
  operation({
    name: "getJobFromTaskQuery",
    method: "POST",
    path: "/workflow_engine/getJobFromTaskQuery",
    summary: "Jobs that have a task which matches a query.",
    description: `Whole jobs in order of their identifiers, at most 100. ${taskText} The first 1,000 tasks that match are looked at. Of the options count skip, limit, fields and expand.`,
    roles: readRoles,
    body: Type.Object({ task_query: QueryObject, options: Type.Optional(SearchOptionsSchema) }),
    response: Type.Array(SomeOf),
    handle: ({ search }, { body, caller }) => search.jobsOfTasks(body.task_query, optionsOf(body), caller),
  }),
];

/** Finding tasks and workflows, older family (workflow-engine.md §8.6). */
const otherSearchOperations = [
  operation({
    name: "searchTasks",
    method: "POST",
    path: "/workflow_engine/tasks/search",
    summary: "Search tasks of open jobs by query, page by page.",
    description: `${taskText} ${pageText}`,
    roles: readRoles,
    body: Type.Object({ filter: Type.Optional(QueryObject), options: Type.Optional(SearchOptionsSchema) }),
    isBodyOptional: true,
    response: SearchReply(SomeOf),
    handle: ({ search }, { body, caller }) => search.searchTasks(body?.filter ?? {}, optionsOf(body), caller),
  }),
  operation({
    name: "getTask",
    method: "POST",
    path: "/workflow_engine/getTask",
    summary: "The first task that matches a query, reduced by a filter.",
    description: `null where no task matches. \`filter\` names the members to keep (1) or to leave out (0). ${taskText}`,
    roles: readRoles,
    body: Type.Object({ query: QueryObject, filter: Type.Optional(FieldChoice) }),
    response: Type.Union([SomeOf, Type.Null()]),
    handle: ({ search }, { body, caller }) => search.firstTask(body.query, body.filter, caller),
  }),
  operation({
    name: "queryTasksBrief",
    method: "POST",
    path: "/workflow_engine/queryTasksBrief",
    summary: "Short rows of open tasks that match a query.",
    description: `At most 1,000. ${taskText}`,
    roles: readRoles,
    body: Type.Object({ query: QueryObject }),
    response: Type.Array(Type.Partial(TaskDocument, { additionalProperties: true })),
    handle: ({ search }, { body, caller }) => search.briefTasks(body.query, caller),
  }),
  operation({
    name: "searchWorkflows",
    method: "POST",
    path: "/workflow_engine/workflows/search",
    summary: "Search the workflows that the caller may see by query, page by page.",
    description: pageText,
    roles: readRoles,
    body: OptionsBody,
    isBodyOptional: true,
    response: SearchReply(Type.Partial(WorkflowOutline, { additionalProperties: true })),
    handle: ({ search }, { body, caller }) => search.searchWorkflows(optionsOf(body), caller),
  }),
];

/** Every search of the older family. */
export const searchOperations = [...jobSearchOperations, ...otherSearchOperations];

function optionsOf(body: { options?: SearchOptions } | undefined): SearchOptions {
  return body?.options ?? {};
}
