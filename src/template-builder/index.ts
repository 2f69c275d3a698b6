import type { Application } from "../core/application.ts";
import { jinjaOperations, type JinjaServices } from "./jinja-operations.ts";
import { textFsmOperations, type TextFsmServices } from "./textfsm-operations.ts";

export { JinjaVariables } from "./jinja-operations.ts";
export { createTextFsmParser, type TextFsmParser } from "./textfsm-parser.ts";
export { createJinjaRenderer, type JinjaRenderer } from "./jinja-renderer.ts";
export {
  createTemplateService,
  TemplateDocument,
  type StoredTemplate,
  type TemplateService,
} from "./template-service.ts";

/** Template builder: renders Jinja2 templates and parses with TextFSM templates. They are kept by automation studio. */
export const templateBuilder: Application<JinjaServices & TextFsmServices> = {
  id: "TemplateBuilder",
  name: "Template builder",
  summary: "Renders text from templates and reads data out of text.",
  operations: [...jinjaOperations, ...textFsmOperations],
};
