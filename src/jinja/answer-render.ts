import { JinjaError, TemplateNeeded, type ErrorKind } from "./errors.ts";
import { renderTemplate, type RenderRequest, type RenderSurroundings } from "./render.ts";

/** How a rendering ended, as plain data: the text, what is wrong with the template, or a template that is needed too. */
export type RenderAnswer =
  | { text: string }
  | { problem: { kind: ErrorKind; message: string; line: number | undefined; template: string | undefined } }
  | { needed: string };

/** Renders, and gives what would be thrown as data. */
export function answerRender(request: RenderRequest, surroundings: RenderSurroundings): RenderAnswer {
  try {
    return { text: renderTemplate(request, surroundings) };
  } catch (error) {
    if (error instanceof TemplateNeeded) return { needed: error.templateName };
    if (!(error instanceof JinjaError)) throw error;
    const { kind, message, line, template } = error;
    return { problem: { kind, message, line, template } };
  }
}
