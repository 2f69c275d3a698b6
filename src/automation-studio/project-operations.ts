import { Type, type TSchema } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { selectFilterList, type ListSelection } from "../core/list-query.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { FilterListQuery } from "../core/schemas.ts";
import { ConflictMode, FolderNode, ProjectFile, ProjectMember } from "./project-schema.ts";
import type { ProjectService } from "./project-service.ts";

/** What the project operations work on. */
export interface ProjectServices {
  projects: ProjectService;
}

const operation = operationOf<ProjectServices>();

const ProjectParams = Type.Object({ projectId: Type.String({ minLength: 1 }) });
const Project = Type.Object(
  {},
  { additionalProperties: true, description: "A project with the entries of its components." },
);
const Envelope = (data: TSchema) =>
  Type.Object({ message: Type.String(), data, metadata: Type.Object({}, { additionalProperties: true }) });

const AddedComponent = Type.Object({
  type: Type.String({
    minLength: 1,
    description: "workflow, transformation, template, jsonForm, mopCommandTemplate or mopAnalyticTemplate.",
  }),
  reference: Type.String({ minLength: 1, description: "`_id` or name of the document." }),
  folder: Type.Optional(Type.String({ description: "Path of the folder, e.g. `/Checks`. Default `/`." })),
});

/** The envelope of the newer applications (spec: workflow-engine.md §9.1). */
function envelope(message: string, data: unknown, metadata: object = {}): object {
  return { message, data, metadata };
}

/** The `metadata` of a page. */
function pageMetadata({ skip, limit }: ListSelection, size: number, total: number): object {
  return {
    skip,
    limit,
    nextPageSkip: skip + size < total ? skip + size : null,
    previousPageSkip: skip > 0 ? Math.max(0, skip - limit) : null,
    total,
    currentPageSize: size,
    hints: [],
  };
}

const reading: readonly Operation<ProjectServices>[] = [
  operation({
    name: "getProjects",
    method: "GET",
    path: "/automation-studio/projects",
    summary: "List the projects that the caller may see.",
    roles: readRoles,
    query: FilterListQuery,
    response: Envelope(Type.Array(Project)),
    async handle({ projects }, { query, caller }) {
      const selection = selectFilterList(query);
      const { results, total } = await projects.list(selection, caller);
      return envelope("Successfully retrieved items", results, pageMetadata(selection, results.length, total));
    },
  }),
  operation({
    name: "getProject",
    method: "GET",
    path: "/automation-studio/projects/:projectId",
    summary: "Show a project.",
    description: "Workflows that the caller may not see are shown with their `_id` in place of the name.",
    roles: readRoles,
    params: ProjectParams,
    response: Envelope(Project),
    handle: async ({ projects }, { params, caller }) =>
      envelope("Successfully retrieved item", await projects.get(params.projectId, caller)),
  }),
  operation({
    name: "exportProject",
    method: "GET",
    path: "/automation-studio/projects/:projectId/export",
    summary: "Give a project as a file, with the documents of its components.",
    description: "403 when the project has workflows that the caller may not see: the file would be no copy of it.",
    roles: readRoles,
    params: ProjectParams,
    response: Envelope(ProjectFile),
    handle: async ({ projects }, { params, caller }) =>
      envelope("Successfully exported project", await projects.exportFile(params.projectId, caller)),
  }),
  operation({
    name: "getProjectThumbnail",
    method: "GET",
    path: "/automation-studio/projects/:projectId/thumbnail",
    summary: "Show the picture of a project.",
    roles: readRoles,
    params: ProjectParams,
    response: Envelope(Type.Object({ imageData: Type.String(), backgroundColor: Type.String() })),
    async handle({ projects }, { params, caller }) {
      const { thumbnail = "", backgroundColor = "" } = await projects.get(params.projectId, caller);
      return envelope("Successfully retrieved item", { imageData: thumbnail, backgroundColor });
    },
  }),
];

const writing: readonly Operation<ProjectServices>[] = [
  operation({
    name: "createProject",
    method: "POST",
    path: "/automation-studio/projects",
    summary: "Make a project; the caller becomes its owner.",
    roles: writeRoles,
    body: Type.Object({
      name: Type.String({ minLength: 1 }),
      description: Type.Optional(Type.String()),
      components: Type.Optional(
        Type.Array(AddedComponent, { description: "Stored documents to move into the project." }),
      ),
    }),
    response: Envelope(Project),
    handle: async ({ projects }, { body, caller }) =>
      envelope("Successfully created project", await projects.create(body, caller)),
  }),
  operation({
    name: "importProject",
    method: "POST",
    path: "/automation-studio/projects/import",
    summary: "Store a project file with all its components, or nothing.",
    description: "403 when it would overwrite a project with workflows that the caller may not see.",
    roles: writeRoles,
    body: Type.Object({
      project: ProjectFile,
      conflictMode: Type.Optional(ConflictMode),
      assignNewReferences: Type.Optional(Type.Boolean()),
      skipReferenceValidation: Type.Optional(Type.Boolean()),
    }),
    response: Envelope(Project),
    async handle({ projects }, { body, caller }) {
      const { project, ...metadata } = await projects.importFile(body, caller);
      return envelope("Successfully imported project", project, metadata);
    },
  }),
  operation({
    name: "updateProject",
    method: "PATCH",
    path: "/automation-studio/projects/:projectId",
    summary: "Change members of a project; `members` replaces the whole list.",
    roles: writeRoles,
    params: ProjectParams,
    body: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1 })),
      description: Type.Optional(Type.String()),
      backgroundColor: Type.Optional(Type.String()),
      thumbnail: Type.Optional(Type.String()),
      folders: Type.Optional(Type.Array(FolderNode)),
      members: Type.Optional(Type.Array(ProjectMember)),
    }),
    response: Envelope(Project),
    handle: async ({ projects }, { params, body, caller }) =>
      envelope("Successfully updated project", await projects.update(params.projectId, body, caller)),
  }),
  operation({
    name: "uploadProjectThumbnail",
    method: "PUT",
    path: "/automation-studio/projects/:projectId/thumbnail",
    summary: "Set the picture of a project.",
    roles: writeRoles,
    params: ProjectParams,
    body: Type.Object({
      imageData: Type.String({ description: "The picture as a data URL." }),
      backgroundColor: Type.Optional(Type.String()),
    }),
    response: Envelope(Project),
    async handle({ projects }, { params, body, caller }) {
      const { imageData: thumbnail, ...colour } = body;
      return envelope(
        "Successfully updated project",
        await projects.update(params.projectId, { thumbnail, ...colour }, caller),
      );
    },
  }),
  operation({
    name: "deleteProject",
    method: "DELETE",
    path: "/automation-studio/projects/:projectId",
    summary: "Remove a project with all documents of its components.",
    description: "403 when the project has workflows that the caller may not see.",
    roles: writeRoles,
    params: ProjectParams,
    response: Envelope(Type.Null()),
    async handle({ projects }, { params, caller }) {
      const removed = await projects.remove(params.projectId, caller);
      const deletedComponents = removed.map(({ iid, type, reference }) => ({ iid, type, reference }));
      return envelope("Successfully deleted project", null, { deletedComponents });
    },
  }),
  operation({
    name: "addComponentsToProject",
    method: "POST",
    path: "/automation-studio/projects/:projectId/components/add",
    summary: "Move or copy stored documents into a project.",
    roles: writeRoles,
    params: ProjectParams,
    body: Type.Object({
      components: Type.Array(AddedComponent, { minItems: 1 }),
      mode: Type.Union([Type.Literal("move"), Type.Literal("copy")]),
    }),
    response: Envelope(Project),
    handle: async ({ projects }, { params, body, caller }) =>
      envelope("Successfully added components", await projects.addComponents(params.projectId, body, caller)),
  }),
  operation({
    name: "removeComponentFromProject",
    method: "DELETE",
    path: "/automation-studio/projects/:projectId/components/:componentId",
    summary: "Remove a component, named by iid or reference, with its document.",
    roles: writeRoles,
    params: Type.Object({ projectId: Type.String({ minLength: 1 }), componentId: Type.String({ minLength: 1 }) }),
    response: Envelope(Project),
    handle: async ({ projects }, { params, caller }) =>
      envelope(
        "Successfully removed component",
        await projects.removeComponent(params.projectId, params.componentId, caller),
      ),
  }),
];

/** Project operations: spec workflow-engine.md §9.4. */
export const projectOperations: readonly Operation<ProjectServices>[] = [...reading, ...writing];
