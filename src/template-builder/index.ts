import type { Application } from "../core/application.ts";
import { planned } from "../core/planned-operation.ts";
import { workRoles } from "../core/roles.ts";

export {
  createTemplateService,
  TemplateDocument,
  type StoredTemplate,
  type TemplateService,
} from "./template-service.ts";

/** Template builder: renders Jinja2 templates and parses with TextFSM templates. They are kept by automation studio. */
export const templateBuilder: Application = {
  id: "TemplateBuilder",
  name: "Template builder",
  summary: "Renders text from templates and reads data out of text.",
  operations: [
    planned(
      "renderJinjaTemplate",
      "POST /template_builder/templates/:name/renderJinja",
      "Render a stored Jinja2 template.",
      workRoles,
    ),
    planned(
      "parseTemplate",
      "POST /template_builder/parseTemplate",
      "Read data out of a text with a given TextFSM template.",
      workRoles,
    ),
    planned(
      "applyTemplate",
      "POST /template_builder/applyTemplate",
      "Read data out of a text with a stored TextFSM template.",
      workRoles,
    ),
    planned(
      "applyTemplates",
      "POST /template_builder/applyTemplates",
      "Read data out of a text with a group of TextFSM templates.",
      workRoles,
    ),
  ],
};
