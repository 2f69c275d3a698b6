import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleTemplate } from "../../support/example-templates.ts";
import { openTemplateBench, type TemplateBench } from "../../support/template-bench.ts";

describe("the example command templates on a demo router", () => {
  let bench: TemplateBench;
  beforeAll(async () => {
    bench = await openTemplateBench();
    await bench.addRouter({ name: "r1" });
    for (const file of ["interface-check.json", "describe-interface.json"]) {
      expect(
        await bench.send("POST", "/mop/import", { type: "templates", template: exampleTemplate(file) }),
      ).toMatchObject({ status: 200 });
    }
  });
  afterAll(() => bench.close());

  it("the check fails, the change is made, the check passes", async () => {
    const variables = { interface: "eth1", description: "to the data centre" };
    const run = async (template: string) =>
      (await bench.send("POST", "/mop/RunCommandTemplate", { template, variables, devices: ["r1"] })).json;
    expect(await run("Interface check")).toMatchObject({
      result: false,
      commands_results: [{ result: true }, { result: false }, { result: true }],
    });
    expect(await run("Describe interface")).toMatchObject({ result: true });
    expect(await run("Interface check")).toMatchObject({ result: true });
  });
});
