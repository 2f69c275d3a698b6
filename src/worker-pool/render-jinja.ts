import { answerRender, type RenderAnswer, type RenderRequest } from "../jinja/index.ts";
import type { PoolContext } from "./pool-work.ts";

/** Renders a Jinja2 template in a worker, within the full limits. */
export function renderJinja(request: RenderRequest, { random }: PoolContext): RenderAnswer {
  return answerRender(request, { random });
}
