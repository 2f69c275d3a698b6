import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../../src/core/logger.ts";
import { routerLogin } from "../../support/device-bench.ts";
import { openTemplateBench, type TemplateBench } from "../../support/template-bench.ts";

describe("single commands, changes and hostile devices", () => {
  let bench: TemplateBench;
  const logged: string[] = [];
  beforeEach(async () => {
    logged.length = 0;
    bench = await openTemplateBench(
      createLogger(
        "trace",
        (line) => logged.push(line),
        () => 0,
      ),
    );
  });
  afterEach(() => bench.close());

  const create = (mop: object) => bench.send("POST", "/mop/createTemplate", { mop });
  const run = (body: object) => bench.send("POST", "/mop/RunCommandTemplate", body);

  it("runs one command of a template by its index", async () => {
    await bench.addRouter({ name: "r1" });
    await create({
      name: "Two",
      commands: [{ command: "show version" }, { command: "show clock", rules: [{ rule: "GMT", eval: "contains" }] }],
    });
    const single = (commandIndex: number) =>
      bench.send("POST", "/mop/RunCommandTemplateSingleCommand", { templateId: "Two", commandIndex, devices: ["r1"] });
    expect(await single(1)).toMatchObject({ status: 200, json: [{ evaluated: "show clock", result: true }] });
    expect(await single(2)).toMatchObject({
      status: 400,
      json: expect.stringContaining("the template has 2 commands"),
    });
  });

  it("runs single commands with and without rules", async () => {
    await bench.addRouter({ name: "r1" });
    await bench.addRouter({ name: "r2" });
    const rules = [{ rule: "Protocol", eval: "contains" }];
    const one = await bench.send("POST", "/mop/RunCommand", {
      command: "show ip <!x!> brief",
      variables: { x: "interface" },
      device: "r1",
      rules,
    });
    expect(one).toMatchObject({
      status: 200,
      json: { raw: "show ip <!x!> brief", device: "r1", result: true, rules: [{ result: true }] },
    });
    const several = await bench.send("POST", "/mop/RunCommandDevices", {
      command: "show version",
      devices: ["r1", "r2"],
    });
    expect(several.json).toMatchObject([
      { device: "r1", raw: "show version" },
      { device: "r2", response: expect.stringContaining("(r2)") },
    ]);
    expect(
      await bench.send("POST", "/mop/RunCommand", {
        command: "show <!x!>",
        variables: { x: ["a", "b"] },
        device: "r1",
      }),
    ).toMatchObject({ status: 400 });
  });

  it("pushes a change by a multi-line command and sees it", async () => {
    const router = await bench.addRouter({ name: "r1" });
    const commands = [
      {
        command: "configure terminal\ninterface <!port!>\ndescription <!text!>\nend",
        rules: [{ rule: "% ", eval: "!contains" }],
      },
      { command: "show interface description", rules: [{ rule: String.raw`<!port!>.*<!text!>`, eval: "RegEx" }] },
    ];
    await create({ name: "Describe", passRule: true, commands });
    const { json } = await run({
      template: "Describe",
      variables: { port: "eth2", text: "to Berlin" },
      devices: ["r1"],
    });
    expect(json).toMatchObject({ result: true });
    expect(router.state.running.interfaces[1]?.description).toBe("to Berlin");
  });

  it("passes a command through and finds the boot image", async () => {
    await bench.addRouter({ name: "r1" });
    expect(await bench.send("POST", "/mop/passThru/r1", { command: "show clock" })).toMatchObject({
      status: 200,
      json: expect.stringMatching(/GMT$/),
    });
    expect(await bench.send("POST", "/mop/GetBootFlash", { device: "r1" })).toMatchObject({
      status: 200,
      json: "flash:demo-router-1.0.bin",
    });
  });

  it("stops a hostile pattern and a hostile answer without hurting anybody", async () => {
    await bench.addRouter({ name: "r1", faults: { answers: { "show evil": `${"a".repeat(60)}!<script>\u001b[31m` } } });
    await create({
      name: "Evil",
      passRule: true,
      commands: [
        {
          command: "show evil",
          rules: [
            { rule: "(a+)+$", eval: "RegEx" },
            { rule: "", eval: "contains" },
          ],
        },
      ],
    });
    const [evil, quick] = await Promise.all([
      run({ template: "Evil", devices: ["r1"] }),
      bench.send("GET", "/mop/listTemplates"),
    ]);
    expect(quick.status).toBe(200);
    expect(evil.json).toMatchObject({
      result: false,
      commands_results: [
        {
          response: `${"a".repeat(60)}!<script>`,
          rules: [{ result: false, reason: expect.any(String) }, { result: true }],
        },
      ],
    });
  });

  it("looks devices up, and never shows or logs a password", async () => {
    await bench.addRouter({ name: "core-1" });
    await bench.addRouter({ name: "core-2" }, { password: "rejected-one" });
    const answers = [
      await bench.send("GET", "/mop/devices/CORE"),
      await bench.send("GET", "/mop/devices/detailed/core"),
      await bench.send("POST", "/mop/deviceObjects", {
        options: { start: 1, limit: 1, entity: "device", filter: "core", sort: [{ name: -1 }] },
      }),
      await bench.send("POST", "/mop/passThru/core-2", { command: "show clock" }),
      await bench.send("POST", "/configuration_manager/devices", {
        options: { limit: 10, order: "ascending", sort: [{ name: 1 }], start: 0 },
      }),
      await bench.send("GET", "/inventory/devices"),
    ];
    expect(answers.map(({ json }) => json)).toMatchObject([
      ["core-1", "core-2"],
      { entity: "device", total: 2, return_count: 2, start_index: 0, list: ["core-1", "core-2"] },
      [{ name: "core-1", address: "127.0.0.1", "device-type": "network_cli", groups: [] }],
      "Device core-2: the user name or password was rejected",
      { total: 2, return_count: 2 },
      { total: 2, results: [{ password: "********" }, { password: "********" }] },
    ]);
    const everything =
      answers.map(({ text }) => text).join("") +
      logged.join("") +
      JSON.stringify(await bench.store.find("devices", {}));
    for (const secret of [routerLogin.password, "rejected-one"]) expect(everything).not.toContain(secret);
  });
});
