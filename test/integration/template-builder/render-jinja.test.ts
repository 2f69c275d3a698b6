import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

let platform: TestPlatform;

async function store(name: string, template: string, type = "jinja2"): Promise<void> {
  await platform.send("POST", "/automation-studio/templates", { template: { name, type, template } });
}

const render = (name: string, context: object) =>
  platform.request("POST", `/template_builder/templates/${encodeURIComponent(name)}/renderJinja`, { context });

beforeAll(async () => {
  platform = await startTestPlatform();
  await store("banner", "hostname {{ host|upper }}\n{% include 'footer' %}\n");
  await store("footer", "-- {{ ports|join(', ') }}");
  await store("broken", "one\n{{ x.y.z }}");
  await store("parser", "Value X (.*)\n\nStart\n  ^${X} -> Record\n", "textfsm");
});
afterAll(() => platform.stop());

describe("rendering a stored template", () => {
  test("gives the text, with other stored templates in it", async () => {
    const { status, body } = await render("banner", { host: "r1", ports: [1, 2] });
    expect([status, body]).toEqual([200, { renderedTemplate: "hostname R1\n-- 1, 2" }]);
  });

  test("names a template that does not exist", async () => {
    const { status, body } = await render("nothing", {});
    expect([status, JSON.stringify(body)]).toEqual([404, expect.stringContaining("Cannot find template nothing")]);
  });

  test("says in which line of which template it fails", async () => {
    const { status, body } = await render("broken", { x: {} });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining(
        "Cannot render template broken, line 2: UndefinedError: 'dict object' has no attribute 'y'",
      ),
    ]);
  });

  test("refuses a template of another kind", async () => {
    const { status, body } = await render("parser", {});
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("not a Jinja2 template")]);
  });

  test("is a task whose outgoing variable is an object with the text", async () => {
    await platform.importWorkflow(
      workflowOf(
        "render a banner",
        {
          a1: {
            name: "renderJinjaTemplate",
            app: "TemplateBuilder",
            incoming: { name: "banner", context: { host: "r2", ports: [] } },
            outgoing: { renderedTemplate: "$var.job.banner" },
          },
        },
        ["start > a1", "a1 > end"],
      ),
    );
    const started = await platform.send<{ data: { _id: string } }>(
      "POST",
      "/operations-manager/jobs/start?wait=10000",
      {
        workflow: "render a banner",
      },
    );
    const output = await platform.send("GET", `/workflow_engine/job/${started.data._id}/output`);
    expect(output).toMatchObject({ banner: { renderedTemplate: "hostname R2\n-- " } });
  });
});

describe("rendering a text", () => {
  const renderText = (body: object) => platform.request("POST", "/configuration_manager/jinja2", body);

  test("answers the text as a JSON string", async () => {
    const { status, body } = await renderText({ template: "{{ a + 1 }}", variables: { a: 1 } });
    expect([status, body]).toEqual([201, "2"]);
  });

  test("takes the options of white space", async () => {
    const template = "{% if true %}\n  a\n  {% endif %}\nb\n";
    const { body } = await renderText({ template, options: { trim_blocks: true, lstrip_blocks: true } });
    expect(body).toBe("  a\nb");
  });

  test("goes on in a worker when it is long, with the same result", async () => {
    const template =
      "{% set ns = namespace(sum=0) %}{% for i in range(40000) %}{% set ns.sum = ns.sum + i %}{% endfor %}sum {{ ns.sum }}";
    expect((await renderText({ template })).body).toBe("sum 799980000");
  });

  test("stops a template that does not end, and says which bound it met", async () => {
    const template = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    const { status, body } = await renderText({ template });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("more than 150 deep")]);
  });
});
