import { Type } from "@sinclair/typebox";
import { operationOf, type Operation } from "../core/operation.ts";
import { workRoles } from "../core/roles.ts";
import { JinjaVariables } from "../template-builder/index.ts";
import type { DeviceServices } from "./services.ts";

const operation = operationOf<DeviceServices>();
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const Options = Type.Object({
  trim_blocks: flag("The line break after a statement or comment goes."),
  lstrip_blocks: flag("White space before a statement or comment goes, when it begins its line."),
  keep_trailing_newline: flag("The last line break of the template stays."),
});

/** Rendering of texts that are not stored: spec templates-gateway-forms.md §2.3, client-calls.md §A.2. */
export const jinjaOperations: readonly Operation<DeviceServices>[] = [
  operation({
    name: "renderJinja2",
    method: "POST",
    path: "/configuration_manager/jinja2",
    summary: "Render the text of a Jinja2 template.",
    description: "`include`, `import` and `extends` find the stored templates by name.",
    roles: workRoles,
    status: 201,
    body: Type.Object({
      name: Type.Optional(Type.String({ description: "What messages call the template." })),
      template: Type.String({ description: "The text." }),
      variables: Type.Optional(JinjaVariables),
      options: Type.Optional(Options),
    }),
    response: Type.String({ description: "The rendered text." }),
    handle({ jinja }, { body, caller }) {
      const { template, variables = {}, options = {}, name } = body;
      return jinja.renderText({
        template,
        context: variables,
        key: caller.accountId,
        options: {
          trimBlocks: options.trim_blocks ?? false,
          lstripBlocks: options.lstrip_blocks ?? false,
          keepTrailingNewline: options.keep_trailing_newline ?? false,
        },
        ...(name !== undefined && { name }),
      });
    },
  }),
];
