import { badRequest } from "../core/errors.ts";
import { isLargeInput } from "../core/input-size.ts";
import { TaskError } from "../core/task.ts";
import { namePrefix } from "../document-storage/index.ts";
import {
  answerRender,
  createTemplateCache,
  defaultLimits,
  type RenderAnswer,
  type RenderOptions,
  type RenderRequest,
} from "../jinja/index.ts";
import type { WorkerPool } from "../worker-pool/index.ts";
import type { StoredTemplate, TemplateService } from "./template-service.ts";

/** A text to render. */
export interface JinjaText {
  template: string;
  /** Values by name. */
  context: Readonly<Record<string, unknown>>;
  /** For whom, so that many renderings take turns. */
  key: string;
  /** What messages call it. */
  name?: string;
  options?: RenderOptions;
}

/** Renders Jinja2 templates. BAD_REQUEST, with the line, for what is wrong with a template. */
export interface JinjaRenderer {
  /** The text that a stored template makes of the values. NOT_FOUND when there is no template of this name or id. */
  renderStored(nameOrId: string, context: JinjaText["context"], key: string): Promise<string>;
  /** The text that a given template makes of the values. */
  renderText(text: JinjaText): Promise<string>;
}

interface RendererParts {
  templates: TemplateService;
  pool: WorkerPool;
  random: () => number;
}

/** What is rendered on the event loop: about 10 ms at most. What needs more goes to a worker. */
const loopLimits = {
  ...defaultLimits,
  steps: 30_000,
  textLength: 200_000,
  listLength: 20_000,
  // Reading a template takes the longer the deeper its parts are in each other.
  nesting: 25,
  // Beyond those of floats, which have up to 1,024.
  integerBits: 1_100,
};
const loopInput = { characters: 200_000, elements: 10_000 };
const cachedCharacters = 4_000_000;
/** Most templates that one template may draw in. */
const mostTemplates = 200;

export function createJinjaRenderer(parts: RendererParts): JinjaRenderer {
  const render = rendererOf(parts);
  const { templates } = parts;
  return {
    async renderStored(nameOrId, context, key) {
      const stored = await templates.get(nameOrId);
      if (stored.type !== "jinja2")
        throw badRequest(`Template ${stored.name} is not a Jinja2 template but ${stored.type}`);
      return render({ template: stored.template ?? "", name: stored.name, context, key }, stored.namespace?._id);
    },
    renderText: (text) => render(text, undefined),
  };
}

function rendererOf(parts: RendererParts): (text: JinjaText, projectId: string | undefined) => Promise<string> {
  const answer = answererOf(parts);
  return async ({ key, ...request }, projectId) => {
    const found = new Map<string, string | null>();
    for (;;) {
      const ended = await answer({ ...request, templates: Object.fromEntries(found) }, key);
      if ("text" in ended) return ended.text;
      if ("problem" in ended) throw badRequest(describeProblem(ended.problem, request.name));
      if (found.size >= mostTemplates) throw badRequest(`The template draws in more than ${mostTemplates} others`);
      found.set(ended.needed, (await findTemplate(parts.templates, ended.needed, projectId))?.template ?? null);
    }
  };
}

/** Small renderings are done at once, the others in a worker. */
function answererOf({ pool, random }: RendererParts): (request: RenderRequest, key: string) => Promise<RenderAnswer> {
  const cache = createTemplateCache(cachedCharacters);
  return async (request, key) => {
    const inWorker = () =>
      pool.run("renderJinja", request, { key }).catch((error: unknown) => {
        if (!(error instanceof TaskError)) throw error;
        throw badRequest(`Cannot render ${shownName(request.name)}: ${error.message}`);
      });
    if (isLargeInput([request.template, request.templates, request.context], loopInput)) return inWorker();
    const ended = answerRender(request, { random, limits: loopLimits, cache });
    return "problem" in ended && ended.problem.kind === "LimitError" ? inWorker() : ended;
  };
}

/** A Jinja2 template by its name: first that of the same project. */
async function findTemplate(
  templates: TemplateService,
  name: string,
  projectId: string | undefined,
): Promise<StoredTemplate | undefined> {
  const inProject = projectId === undefined ? undefined : await templates.find(namePrefix(projectId) + name);
  const found = inProject ?? (await templates.find(name));
  return found?.type === "jinja2" ? found : undefined;
}

function shownName(name: string | undefined): string {
  return name === undefined ? "the template" : `template ${name}`;
}

type Problem = Extract<RenderAnswer, { problem: object }>["problem"];

function describeProblem({ kind, message, line, template }: Problem, name: string | undefined): string {
  const place = `${shownName(template ?? name)}${line === undefined ? "" : `, line ${line}`}`;
  return `Cannot render ${place}: ${kind}: ${message}`;
}
