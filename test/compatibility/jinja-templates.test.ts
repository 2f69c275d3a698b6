import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { renderTemplate } from "../../src/jinja/index.ts";

/** A template of a published project, and the hash of what Python's Jinja 3.1.6 makes of it with its sample data. */
interface Published {
  file: string;
  name: string;
  sha256: string;
}

interface TemplateDocument {
  name: string;
  template: string;
  data?: string;
}

const folder = join(import.meta.dirname, "../../../shared/assets/projects");
const published = JSON.parse(
  readFileSync(join(import.meta.dirname, "jinja-templates.json"), "utf8"),
) as readonly Published[];

function documentOf({ file, name }: Published): TemplateDocument {
  const project = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
    components: { type: string; document: TemplateDocument }[];
  };
  const found = project.components.find((one) => one.type === "template" && one.document.name === name);
  if (!found) throw new Error(`${file} has no template ${name}`);
  return found.document;
}

// Without the published files there is nothing to test.
describe.skipIf(!existsSync(folder))("published Jinja2 templates (../shared/assets/projects)", () => {
  test.each(published)("$name of $file gives the text that Python gives", (one) => {
    const { template, data } = documentOf(one);
    const context = (data === undefined || data === "" ? {} : JSON.parse(data)) as Record<string, unknown>;
    const text = renderTemplate({ template, context }, { random: () => 0 });
    expect(createHash("sha256").update(text).digest("hex")).toBe(one.sha256);
  });
});
