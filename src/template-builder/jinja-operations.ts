import { Type } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import { NameParams } from "../core/schemas.ts";
import type { JinjaRenderer } from "./jinja-renderer.ts";

/** What rendering works on. */
export interface JinjaServices {
  jinja: JinjaRenderer;
}

/** Values for a template, by name. */
export const JinjaVariables = Type.Object({}, { additionalProperties: true, description: "Values by name." });

const operation = operationOf<JinjaServices>();

/** Rendering of stored templates: spec templates-gateway-forms.md §7.1. */
export const jinjaOperations: readonly Operation<JinjaServices>[] = [
  operation({
    name: "renderJinjaTemplate",
    method: "POST",
    path: "/template_builder/templates/:name/renderJinja",
    summary: "Render a stored Jinja2 template.",
    description:
      "Templates of a project are named `@<projectId>: <name>`. The text is that of Python's Jinja 3.1; see the explanation of Jinja2.",
    roles: workRoles,
    params: NameParams,
    body: Type.Object({ context: Type.Optional(JinjaVariables) }),
    response: Type.Object({ renderedTemplate: Type.String() }),
    task: { incoming: ["name", "context"], outgoing: "renderedTemplate" },
    handle: async ({ jinja }, { params, body, caller }) => ({
      renderedTemplate: await jinja.renderStored(params.name, body.context ?? {}, caller.accountId),
    }),
  }),
];
