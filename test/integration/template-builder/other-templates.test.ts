import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";

let platform: TestPlatform;

const campus = "64a0c0ffee64a0c0ffee64a0";
const branch = "64a0c0ffee64a0c0ffee64a1";

/** A project of templates: their texts by name. */
const projectOf = (_id: string, name: string, templates: Record<string, string>) => ({
  _id,
  name,
  components: Object.entries(templates).map(([template, text], iid) => ({
    iid,
    type: "template",
    folder: "/",
    reference: `${_id.slice(0, 22)}${name.length}${iid}`,
    document: { _id: `${_id.slice(0, 22)}${name.length}${iid}`, name: template, type: "jinja2", template: text },
  })),
});

const render = async (name: string, context: object = {}) => {
  const path = `/template_builder/templates/${encodeURIComponent(name)}/renderJinja`;
  const { status, body } = await platform.request("POST", path, { context });
  return [status, (body as { renderedTemplate?: string }).renderedTemplate ?? JSON.stringify(body)];
};

const importProject = (project: object) =>
  platform.send("POST", "/automation-studio/projects/import", { project, conflictMode: "insert-new" });

beforeAll(async () => {
  platform = await startTestPlatform();
  await importProject(
    projectOf(campus, "Campus", {
      base: "top {{ site }}\n{% block body %}none{% endblock %}\n{% include 'footer' %}",
      page: "{% extends 'base' %}{% block body %}{{ super() }} and {{ site|upper }}{% endblock %}",
      macros: "{% macro port(n) %}port {{ n }}{% endmacro %}{% set speed = 10 %}",
      ports:
        "{% from 'macros' import port, speed %}{% import 'macros' as m %}{{ port(1) }} {{ m.port(2) }} {{ speed }}",
      footer: "campus footer",
      outside: "{% include 'shared' %}",
      across: `{% include '@${branch}: footer' %}`,
      choice: "{% include ['absent', 'footer'] %}{% include 'absent' ignore missing %}",
      broken: "one\n{% include 'failing' %}",
      failing: "a\nb {{ 1 // 0 }}",
      lost: "{% include 'absent' %}",
      itself: "{% include 'itself' %}",
    }),
  );
  await importProject(projectOf(branch, "Office", { footer: "branch footer", shared: "branch only" }));
  for (const [name, template] of [
    ["footer", "global footer"],
    ["shared", "global shared: {% include 'footer' %}"],
    ["drawing", `{% include '@${campus}: page' %}`],
  ])
    await platform.send("POST", "/automation-studio/templates", { template: { name, type: "jinja2", template } });
});
afterAll(() => platform.stop());

describe("templates that draw in others", () => {
  test.each([
    ["extends one of its project, which includes one of its project", "page", "top oslo\nnone and OSLO\ncampus footer"],
    ["imports macros and values", "ports", "port 1 port 2 10"],
    [
      "finds a stored template outside of the project, its includes in the project first",
      "outside",
      "global shared: campus footer",
    ],
    ["names a template of another project in full", "across", "branch footer"],
    ["takes the first that exists", "choice", "campus footer"],
  ])("a template of a project %s", async (_, name, text) => {
    expect(await render(`@${campus}: ${name}`, { site: "oslo" })).toEqual([200, text]);
  });

  test("a template outside of projects finds those of a project by their full names only", async () => {
    expect(await render("footer")).toEqual([200, "global footer"]);
    const [status, message] = await render("drawing", { site: "oslo" });
    expect([status, message]).toEqual([400, expect.stringContaining("TemplateNotFound: base")]);
  });

  test.each([
    ["broken", "Cannot render template failing, line 2: ZeroDivisionError"],
    ["lost", "line 1: TemplateNotFound: absent"],
    ["itself", "deep in each other"],
  ])("says where it went wrong: %s", async (name, message) => {
    expect(await render(`@${campus}: ${name}`)).toEqual([400, expect.stringContaining(message)]);
  });
});

test("a text that is not stored finds stored templates", async () => {
  const template = `{% extends '@${campus}: footer' %}`;
  const { body } = await platform.request("POST", "/configuration_manager/jinja2", { template });
  expect(body).toBe("campus footer");
});
