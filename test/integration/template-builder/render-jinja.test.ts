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

  test("reads a long template in a worker, with the same result", async () => {
    const line = "{% if a %}{{ a|upper }},{% endif %}";
    expect((await renderText({ template: line.repeat(5_000), variables: { a: "x" } })).body).toBe("X,".repeat(5_000));
    expect(
      (await renderText({ template: `${"{% if a %}".repeat(100)}x${"{% endif %}".repeat(100)}`, variables: { a: 1 } }))
        .body,
    ).toBe("x");
    expect((await renderText({ template: "{{ 2**1200 % 1000 }}" })).body).toBe("376");
  });

  test("refuses a number that is too long, and says where it is", async () => {
    const { status, body } = await renderText({ template: `\n{{ ${"9".repeat(100_000)} }}` });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining("the template, line 2: LimitError: a number becomes longer than 14000 bits"),
    ]);
  });

  test("says so when a worker is not done in time", async () => {
    const hasty = await startTestPlatform({}, { workerPool: { workers: 1, deadlineMs: 1, memoryMb: 128 } });
    const template = "{% for i in range(1000000) %}{% endfor %}";
    const { status, body } = await hasty.request("POST", "/configuration_manager/jinja2", { template });
    await hasty.stop();
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining("Cannot render the template: It was stopped after 1 ms"),
    ]);
  });

  test("stops a template that does not end, and says which bound it met", async () => {
    const template = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    const { status, body } = await renderText({ template });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("more than 150 deep")]);
  });
});
