import { Type } from "@sinclair/typebox";
import { PlatformError, badRequest } from "../core/errors.ts";
import { operationOf, type Operation } from "../core/operation.ts";
import { readRoles, writeRoles } from "../core/roles.ts";
import { NameParams, IdParams } from "../core/schemas.ts";
import { CommandTemplate, CommandTemplateInput, type CommandTemplate as Template } from "./command-template-schema.ts";
import type { CommandTemplateServices } from "./services.ts";

const operation = operationOf<CommandTemplateServices>();

const TemplateKind = Type.Union([Type.Literal("templates"), Type.Literal("analytic")]);
const TemplateBody = Type.Object({ mop: CommandTemplateInput });

const WriteReply = Type.Object(
  { acknowledged: Type.Boolean(), ok: Type.Integer(), n: Type.Integer() },
  { additionalProperties: true, description: "Counts of the write, in the spellings of all shipped clients." },
);

/** The counts every client of the field finds its own names in: spec templates-gateway-forms.md §1.6. */
const counts = (n: number) => ({ acknowledged: true, ok: 1, n });
const updated = (n: number) => ({
  ...counts(n),
  nModified: n,
  matchedCount: n,
  modifiedCount: n,
  upsertedId: null,
  upsertedCount: 0,
});

/** Shipped clients require these two members to be there. */
const listed = (template: Template) => ({
  ...template,
  description: template.description ?? null,
  namespace: template.namespace ?? null,
});

/** Creating, reading, changing, importing and exporting command templates: spec templates-gateway-forms.md §1.6. */
export const templateOperations: readonly Operation<CommandTemplateServices>[] = [
  operation({
    name: "listTemplates",
    method: "GET",
    path: "/mop/listTemplates",
    summary: "List the command templates.",
    roles: readRoles,
    response: Type.Array(CommandTemplate),
    handle: async ({ templates }) => (await templates.list()).map(listed),
  }),
  operation({
    name: "listATemplate",
    method: "GET",
    path: "/mop/listATemplate/:name",
    summary: "Show the command template of this name, as an array of one.",
    roles: readRoles,
    params: NameParams,
    response: Type.Array(CommandTemplate),
    handle: async ({ templates }, { params }) => [listed(await templates.read(params.name))],
  }),
  operation({
    name: "createTemplate",
    method: "POST",
    path: "/mop/createTemplate",
    summary: "Store a new command template.",
    roles: writeRoles,
    body: TemplateBody,
    response: WriteReply,
    async handle({ templates }, { body, caller }) {
      const template = await templates.create(body.mop, caller);
      const inserted = { insertedCount: 1, insertedIds: { "0": template._id } };
      return { ...counts(1), result: { ok: 1, n: 1 }, ops: [template], ...inserted };
    },
  }),
  operation({
    name: "updateTemplate",
    method: "POST",
    path: "/mop/updateTemplate/:mopID",
    aliases: [{ method: "PUT", path: "/mop/updateTemplate/:mopID" }],
    summary: "Replace a command template.",
    description: "The whole template is replaced. Another name moves it; a name that is taken is refused.",
    roles: writeRoles,
    params: Type.Object({ mopID: Type.String({ minLength: 1 }) }),
    body: TemplateBody,
    response: WriteReply,
    async handle({ templates }, { params, body, caller }) {
      await templates.update(params.mopID, body.mop, caller);
      return updated(1);
    },
  }),
  operation({
    name: "deleteTemplate",
    method: "POST",
    path: "/mop/deleteTemplate/:id",
    summary: "Remove a command template. An unknown one counts as removed: `n` is 0 then.",
    roles: writeRoles,
    params: IdParams,
    body: Type.Object({}),
    isBodyOptional: true,
    response: WriteReply,
    async handle({ templates }, { params }) {
      const n = (await templates.remove(params.id)) ? 1 : 0;
      return { ...counts(n), nModified: n, deletedCount: n };
    },
  }),
  operation({
    name: "exportTemplate",
    method: "POST",
    path: "/mop/export",
    summary: "Give out one template in the form that import takes.",
    roles: readRoles,
    body: Type.Object({
      options: Type.Object({ name: Type.Optional(Type.String()), _id: Type.Optional(Type.String()) }),
      type: TemplateKind,
    }),
    response: CommandTemplateInput,
    async handle({ templates }, { body }) {
      refuseAnalytic(body.type);
      const name = body.options.name ?? body.options._id;
      if (name === undefined)
        throw badRequest("options: name or _id must be given", [
          { path: "/body/options", message: "must have name or _id" },
        ]);
      return templates.exportTemplate(name);
    },
  }),
  operation({
    name: "importTemplate",
    method: "POST",
    path: "/mop/import",
    summary: "Store one exported template, under a free name.",
    roles: writeRoles,
    body: Type.Object({ type: TemplateKind, template: CommandTemplateInput }),
    response: WriteReply,
    async handle({ templates }, { body }) {
      refuseAnalytic(body.type);
      const { _id, name } = await templates.importTemplate(body.template);
      return { ...counts(1), name, _id };
    },
  }),
];

function refuseAnalytic(type: "templates" | "analytic"): void {
  if (type === "analytic") throw new PlatformError("NOT_IMPLEMENTED", "Analytic templates are not built yet");
}
