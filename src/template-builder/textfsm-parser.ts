import { badRequest } from "../core/errors.ts";
import { TaskError } from "../core/task.ts";
import type { TextFsmRecord } from "../textfsm/index.ts";
import { WorkLimitError, type RunOptions, type WorkerPool } from "../worker-pool/index.ts";
import type { StoredTemplate, TemplateService } from "./template-service.ts";

/** What one template of a group makes of a text. */
export interface AppliedTemplate {
  name: string;
  records?: TextFsmRecord[];
  error?: string;
}

/** Reads data out of texts with TextFSM templates. `key`: for whom, so that many texts take turns. */
export interface TextFsmParser {
  /** With a given template. BAD_REQUEST for what is wrong with it. */
  parse(template: string, text: string, key: string): Promise<TextFsmRecord[]>;
  /** With a stored one. NOT_FOUND when there is none of this name or id. */
  apply(nameOrId: string, text: string, key: string): Promise<TextFsmRecord[]>;
  /** With each stored one of a group; one that fails, or that the deadline of the whole group leaves no time for, says so in its place. */
  applyGroup(group: string, text: string, key: string): Promise<AppliedTemplate[]>;
}

/** Most templates of a group. */
const mostTemplates = 100;

export function createTextFsmParser({
  templates,
  pool,
}: {
  templates: TemplateService;
  pool: WorkerPool;
}): TextFsmParser {
  // Patterns of users take as long as they take: always in a worker.
  const run = async (template: string, text: string, options: RunOptions) => {
    try {
      const answer = await pool.run("parseText", { template, text }, options);
      return "records" in answer ? answer : { problem: `Cannot parse with the template: ${answer.problem}` };
    } catch (error) {
      if (error instanceof TaskError)
        return {
          problem: `Cannot parse with the template: ${error.message}`,
          isLate: error instanceof WorkLimitError && error.limit === "deadline",
        };
      throw error;
    }
  };
  const parse: TextFsmParser["parse"] = async (template, text, key) => {
    const ended = await run(template, text, { key });
    if ("problem" in ended) throw badRequest(ended.problem);
    return ended.records;
  };
  return {
    parse,
    async apply(nameOrId, text, key) {
      const stored = await templates.get(nameOrId);
      if (stored.type !== "textfsm")
        throw badRequest(`Template ${stored.name} is not a TextFSM template but ${stored.type}`);
      return parse(stored.template ?? "", text, key);
    },
    async applyGroup(group, text, key) {
      const found = await findGroup(templates, group);
      const { mostMs, leftMs } = pool.countDown();
      const limit = `all templates of a group together may take ${mostMs} ms (LINEWRIGHT_TASK_DEADLINE_MS)`;
      let isOver = false;
      const applyInTime = async (template: string): Promise<Omit<AppliedTemplate, "name">> => {
        const deadlineMs = leftMs();
        isOver ||= deadlineMs === 0;
        if (isOver) return { error: `Not reached: ${limit}` };
        const ended = await run(template, text, { key, deadlineMs });
        if ("records" in ended) return { records: ended.records };
        isOver = ended.isLate === true;
        return { error: isOver ? `Stopped: ${limit}` : ended.problem };
      };
      const applied: AppliedTemplate[] = [];
      for (const { name, template = "" } of found) applied.push({ name, ...(await applyInTime(template)) });
      return applied;
    },
  };
}

async function findGroup(templates: TemplateService, group: string): Promise<StoredTemplate[]> {
  const { results, total } = await templates.list({
    conditions: [
      { field: "group", comparison: "equals", texts: [group] },
      { field: "type", comparison: "equals", texts: ["textfsm"] },
    ],
    sort: { name: 1 },
    limit: mostTemplates,
    skip: 0,
  });
  if (total > mostTemplates)
    throw badRequest(`Group ${group} has ${total} templates; at most ${mostTemplates} are applied`);
  return results;
}
