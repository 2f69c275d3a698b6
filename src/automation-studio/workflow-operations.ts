import { Type, type Static } from "@sinclair/typebox";
import type { Json, JsonObject } from "../core/json.ts";
import { selectFilterList, toStoreQuery } from "../core/list-query.ts";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { FilterListQuery, IdParams, NameParams } from "../core/schemas.ts";
import {
  validateAsAsked,
  WorkflowOutline,
  workflowValidation,
  type WorkflowService,
} from "../workflow-engine/index.ts";
import { ItemPage, itemPage } from "./item-page.ts";

/** What the workflow operations work on. */
export interface WorkflowServices {
  workflows: WorkflowService;
}

const operation = operationOf<WorkflowServices>();
const Changes = Type.Object({}, { additionalProperties: true, description: "Members of the workflow that change." });

/** `task-equals`: conditions that one task of a workflow fulfils together. */
const WorkflowListQuery = Type.Object({
  ...FilterListQuery.properties,
  "task-equals": FilterListQuery.properties.equals,
});
type TaskFilter = Static<typeof WorkflowListQuery>["task-equals"];

/** Workflows with a task for which the filter holds; all without one. */
function withTask(filter: TaskFilter): Record<string, Json> {
  if (filter === undefined) return {};
  return { tasks: { $memberMatch: toStoreQuery(selectFilterList({ equals: filter })) } };
}

/** Workflow operations of automation studio: spec workflow-engine.md §9.3. */
export const workflowOperations: readonly Operation<WorkflowServices>[] = [
  operation({
    name: "createAutomation",
    method: "POST",
    path: "/automation-studio/automations",
    summary: "Store a new workflow under a name of its own.",
    roles: writeRoles,
    body: Type.Object({ automation: WorkflowOutline }),
    response: Type.Object({ created: WorkflowOutline, edit: Type.String({ description: "Page to edit it." }) }),
    async handle({ workflows }, { body, caller }) {
      const created = await workflows.create(body.automation, caller);
      return { created, edit: `/automation-studio/#/edit?tab=0&workflow=${encodeURIComponent(created.name)}` };
    },
  }),
  operation({
    name: "updateAutomation",
    method: "PUT",
    path: "/automation-studio/automations/:id",
    summary: "Change members of a workflow.",
    roles: writeRoles,
    params: IdParams,
    body: Type.Object({ update: Changes }),
    response: WorkflowOutline,
    handle: ({ workflows }, { params, body, caller }) => workflows.update(params.id, body.update as JsonObject, caller),
  }),
  operation({
    name: "importAutomations",
    method: "POST",
    path: "/automation-studio/automations/import",
    summary: "Store workflows of files, all or none.",
    roles: writeRoles,
    body: Type.Object({ automations: Type.Array(WorkflowOutline, { minItems: 1 }) }),
    response: Type.Object({ imported: Type.Array(Type.Object({}, { additionalProperties: true })) }),
    async handle({ workflows }, { body, caller }) {
      const created = await workflows.importAll(body.automations, caller);
      const imported = created.map((workflow, index) => ({
        success: true,
        message: `Successfully imported workflow ${workflow.name}`,
        original: body.automations[index],
        created: workflow,
      }));
      return { imported };
    },
  }),
  operation({
    name: "getWorkflows",
    method: "GET",
    path: "/automation-studio/workflows",
    summary: "List the workflows that the caller may see.",
    description:
      "`task-equals[member]=text` finds workflows with a task that has this text there; several such conditions must hold for one and the same task. A bare `task-equals` is the name of the task.",
    roles: readRoles,
    query: WorkflowListQuery,
    response: ItemPage(Type.Object({}, { additionalProperties: true })),
    async handle({ workflows }, { query, caller }) {
      const selection = selectFilterList(query, { defaultLimit: 25 });
      const page = await workflows.list(selection, caller, withTask(query["task-equals"]));
      return itemPage({ path: "/automation-studio/workflows", query }, selection, page);
    },
  }),
  operation({
    name: "getWorkflowDetailedByName",
    method: "GET",
    path: "/automation-studio/workflows/detailed/:name",
    summary: "Show a workflow.",
    roles: readRoles,
    params: NameParams,
    response: WorkflowOutline,
    handle: ({ workflows }, { params, caller }) => workflows.get(params.name, caller),
  }),
  operation({
    name: "validateWorkflow",
    method: "POST",
    path: "/automation-studio/workflows/validate",
    summary: "Check a workflow without storing it.",
    ...workflowValidation,
    roles: readRoles,
    handle: ({ workflows }, { body, caller }) => validateAsAsked(workflows, body, caller),
  }),
];
