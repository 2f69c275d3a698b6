import { Type } from "@sinclair/typebox";
import type { JsonObject } from "../core/json.ts";
import { selectFilterList } from "../core/list-query.ts";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { FilterListQuery, IdParams } from "../core/schemas.ts";
import { TemplateDocument, type StoredTemplate, type TemplateService } from "../template-builder/index.ts";
import { ItemPage, itemPage } from "./item-page.ts";

/** What the template operations work on. */
export interface TemplateServices {
  templates: TemplateService;
}

const operation = operationOf<TemplateServices>();
const edit = Type.String({ description: "Page to edit it." });
const TemplateChanges = Type.Object(
  { ...Type.Partial(TemplateDocument).properties },
  { additionalProperties: true, description: "Members of the template that change." },
);

function editPage({ _id }: StoredTemplate): string {
  return `/automation-studio/#/template/edit/${_id}`;
}

/** Template operations of automation studio: spec client-calls.md §A.2, templates-gateway-forms.md §7.1. */
export const templateOperations: readonly Operation<TemplateServices>[] = [
  operation({
    name: "getTemplates",
    method: "GET",
    path: "/automation-studio/templates",
    summary: "List templates.",
    roles: readRoles,
    query: FilterListQuery,
    response: ItemPage(Type.Object({}, { additionalProperties: true })),
    async handle({ templates }, { query }) {
      const selection = selectFilterList(query, { defaultLimit: 25 });
      return itemPage({ path: "/automation-studio/templates", query }, selection, await templates.list(selection));
    },
  }),
  operation({
    name: "getTemplate",
    method: "GET",
    path: "/automation-studio/templates/:id",
    summary: "Show a template, named by id or name.",
    roles: readRoles,
    params: IdParams,
    response: TemplateDocument,
    handle: ({ templates }, { params }) => templates.get(params.id),
  }),
  operation({
    name: "exportTemplate",
    method: "GET",
    path: "/automation-studio/templates/:id/export",
    summary: "Give a template as a file.",
    roles: readRoles,
    params: IdParams,
    response: TemplateDocument,
    async handle({ templates }, { params }) {
      const { namespace: _, ...file } = await templates.get(params.id);
      return file;
    },
  }),
  operation({
    name: "createTemplate",
    method: "POST",
    path: "/automation-studio/templates",
    summary: "Store a new template under a name of its own.",
    roles: writeRoles,
    body: Type.Object({ template: TemplateDocument }),
    response: Type.Object({ created: TemplateDocument, edit }),
    async handle({ templates }, { body, caller }) {
      const created = await templates.create(body.template as JsonObject & { name: string }, caller);
      return { created, edit: editPage(created) };
    },
  }),
  operation({
    name: "updateTemplate",
    method: "PUT",
    path: "/automation-studio/templates/:id",
    summary: "Change members of a template.",
    roles: writeRoles,
    params: IdParams,
    body: Type.Object({ update: TemplateChanges }),
    response: Type.Object({ updated: TemplateDocument, edit }),
    async handle({ templates }, { params, body, caller }) {
      const updated = await templates.update(params.id, body.update as JsonObject, caller);
      return { updated, edit: editPage(updated) };
    },
  }),
  operation({
    name: "deleteTemplate",
    method: "DELETE",
    path: "/automation-studio/templates/:id",
    summary: "Remove a template.",
    roles: writeRoles,
    params: IdParams,
    response: Type.Object({ status: Type.String(), deleted: TemplateDocument }),
    handle: async ({ templates }, { params }) => ({ status: "success", deleted: await templates.remove(params.id) }),
  }),
  operation({
    name: "importTemplates",
    method: "POST",
    path: "/automation-studio/templates/import",
    summary: "Store templates of files, all or none.",
    roles: writeRoles,
    body: Type.Object({ templates: Type.Array(TemplateDocument, { minItems: 1 }) }),
    response: Type.Object({ imported: Type.Array(Type.Object({}, { additionalProperties: true })) }),
    async handle({ templates }, { body, caller }) {
      const documents = body.templates as (JsonObject & { name: string })[];
      const created = await templates.importAll(documents, caller);
      const imported = created.map((template, index) => ({
        success: true,
        message: `Successfully imported template ${template.name}`,
        original: documents[index],
        created: template,
      }));
      return { imported };
    },
  }),
];
