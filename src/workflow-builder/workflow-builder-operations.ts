import { Type } from "@sinclair/typebox";
import { badRequest, notFound } from "../core/errors.ts";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { NameParams } from "../core/schemas.ts";
import {
  requireTask,
  summaryOf,
  TaskDetails,
  TaskSummary,
  WorkflowOutline,
  type TaskModels,
  type WorkflowService,
} from "../workflow-engine/index.ts";

/** What workflow builder works on. */
export interface WorkflowBuilderServices {
  workflows: WorkflowService;
  taskModels: TaskModels;
}

const operation = operationOf<WorkflowBuilderServices>();
const Written = Type.Object({ n: Type.Integer(), ok: Type.Integer(), name: Type.String() });
const Schema = Type.Object({}, { additionalProperties: true });

/** Workflow builder operations: spec workflow-engine.md §9.3. */
export const workflowBuilderOperations: readonly Operation<WorkflowBuilderServices>[] = [
  operation({
    name: "importWorkflow",
    method: "POST",
    path: "/workflow_builder/import",
    summary: "Store the workflow of a file.",
    roles: writeRoles,
    body: Type.Object({
      workflow: WorkflowOutline,
      options: Type.Optional(
        Type.Object({}, { additionalProperties: true, description: "Accepted and without effect." }),
      ),
    }),
    response: Written,
    async handle({ workflows }, { body, caller }) {
      const [imported] = await workflows.importAll([body.workflow], caller);
      return { n: 1, ok: 1, name: imported?.name };
    },
  }),
  operation({
    name: "exportWorkflow",
    method: "POST",
    path: "/workflow_builder/export",
    summary: "Give a workflow as a file: without its id, its authors by name.",
    roles: readRoles,
    body: Type.Object({
      options: Type.Object({
        name: Type.Optional(Type.String({ minLength: 1 })),
        _id: Type.Optional(Type.String({ minLength: 1 })),
        type: Type.Optional(Type.String()),
      }),
    }),
    response: WorkflowOutline,
    async handle({ workflows }, { body, caller }) {
      const nameOrId = body.options.name ?? body.options._id;
      if (nameOrId === undefined)
        throw badRequest("name or _id is missing", [{ path: "/body/options", message: "must have name or _id" }]);
      const document = await workflows.exportDocument(nameOrId, caller);
      if (!document) throw notFound("Could not find matching workflow");
      return document;
    },
  }),
  operation({
    name: "deleteWorkflow",
    method: "DELETE",
    path: "/workflow_builder/workflows/delete/:name",
    summary: "Remove a workflow, named by name or id.",
    roles: writeRoles,
    params: NameParams,
    response: Type.Object({
      lastErrorObject: Type.Object({ n: Type.Integer() }),
      value: WorkflowOutline,
      ok: Type.Integer(),
    }),
    async handle({ workflows }, { params, caller }) {
      const value = await workflows.remove(params.name, caller);
      if (!value) {
        throw notFound(
          `Problems on ${params.name} workflow delete. Details: Could not find and delete ${params.name} workflow`,
        );
      }
      return { lastErrorObject: { n: 1 }, value, ok: 1 };
    },
  }),
  operation({
    name: "renameWorkflow",
    method: "POST",
    path: "/workflow_builder/workflows/rename",
    summary: "Give a workflow another name.",
    roles: writeRoles,
    body: Type.Object({ workflow: Type.String({ minLength: 1 }), newName: Type.String({ minLength: 1 }) }),
    response: Written,
    async handle({ workflows }, { body, caller }) {
      const { name } = await workflows.rename(body.workflow, body.newName, caller);
      return { n: 1, ok: 1, name };
    },
  }),
  operation({
    name: "saveWorkflow",
    method: "POST",
    path: "/workflow_builder/workflows/save",
    summary: "Store a workflow: over the one of its id or name, or as a new one.",
    roles: writeRoles,
    body: Type.Object({ workflow: WorkflowOutline }),
    response: WorkflowOutline,
    handle: ({ workflows }, { body, caller }) => workflows.save(body.workflow, caller),
  }),
  operation({
    name: "getSchemas",
    method: "POST",
    path: "/workflow_builder/workflows/schemas",
    summary: "Compute what a job of a workflow takes in and gives out.",
    roles: readRoles,
    body: Type.Object({ workflow: WorkflowOutline }),
    response: Type.Object({ inputSchema: Schema, outputSchema: Schema }),
    handle: ({ workflows }, { body }) => workflows.schemas(body.workflow),
  }),
  operation({
    name: "getTasksList",
    method: "GET",
    path: "/workflow_builder/tasks/list",
    summary: "All tasks that workflows can use, in the order of the palette.",
    roles: readRoles,
    response: Type.Array(TaskSummary),
    handle: ({ taskModels }) => taskModels.tasks.map(summaryOf),
  }),
  operation({
    name: "getTaskDetails",
    method: "GET",
    path: "/workflow_builder/getTaskDetails/:app/:task",
    summary: "Describe a task of an application: its variables, types and page.",
    roles: readRoles,
    params: Type.Object({ app: Type.String({ minLength: 1 }), task: Type.String({ minLength: 1 }) }),
    response: TaskDetails,
    handle: ({ taskModels }, { params }) =>
      requireTask(taskModels, { location: "Application", pckg: params.app, method: params.task }),
  }),
];
