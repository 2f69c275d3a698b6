import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerRender, type RenderAnswer, type RenderOptions } from "../../../src/jinja/index.ts";

interface Case {
  template: string;
  options?: RenderOptions;
  /** What Python's Jinja made of it, or with which error it ended. */
  text?: string;
  error?: string;
  line?: number;
  message?: string;
}

interface CaseFile {
  context: Record<string, unknown>;
  templates?: Record<string, string>;
  cases: Case[];
}

const folder = join(import.meta.dirname, "cases");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const read = (name: string): CaseFile => JSON.parse(readFileSync(join(folder, name), "utf8")) as CaseFile;

/** Renders with the templates of the file; others do not exist. */
function render({ context, templates = {} }: CaseFile, { template, options = {} }: Case): RenderAnswer {
  const known: Record<string, string | null> = { ...templates };
  for (;;) {
    const answer = answerRender({ template, context, options, templates: known }, { random: () => 0 });
    if (!("needed" in answer)) return answer;
    known[answer.needed] = null;
  }
}

/** The parts of an answer that the case expects. */
function seen(answer: RenderAnswer, { line, message }: Case): unknown {
  if (!("problem" in answer)) return answer;
  const { problem } = answer;
  return {
    error: problem.kind,
    ...(line !== undefined && { line: problem.line }),
    ...(message !== undefined && { message: problem.message }),
  };
}

describe.each(files)("what Python's Jinja makes of %s", (name) => {
  const file = read(name);
  test.each(file.cases.map((one) => [one.template, one] as const))("%j", (_, one) => {
    const { template: _template, options: _options, ...expected } = one;
    expect(seen(render(file, one), one)).toEqual(expected);
  });
});

test("there are many cases", () => {
  expect(files.flatMap((name) => read(name).cases).length).toBeGreaterThan(1_400);
});
