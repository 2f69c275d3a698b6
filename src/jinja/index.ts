export { answerRender, type RenderAnswer } from "./answer-render.ts";
export { JinjaError, TemplateNeeded, type ErrorKind } from "./errors.ts";
export { defaultLimits, type RenderLimits } from "./limits.ts";
export { renderTemplate, type RenderOptions, type RenderRequest, type RenderSurroundings } from "./render.ts";
export { createTemplateCache, type TemplateCache } from "./template-cache.ts";
