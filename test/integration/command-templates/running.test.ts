import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../../src/core/logger.ts";
import { commandTemplates } from "../../../src/command-templates/index.ts";
import { openTemplateBench, type TemplateBench } from "../../support/template-bench.ts";

describe("running command templates on demo routers", () => {
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
  const portUp = { rule: String.raw`^<!port!>\s+up`, eval: "RegEx", severity: "error", flags: { multiline: true } };

  it("gives the field's result, with the alias a shipped client reads", async () => {
    await bench.addRouter({ name: "r1" });
    await create({
      name: "Ports",
      passRule: true,
      commands: [{ command: "show <!what!> brief", passRule: true, rules: [portUp] }],
    });
    const answer = await run({
      template: "Ports",
      variables: { what: "interface", port: "eth1", unused: 1 },
      devices: ["r1"],
    });
    const result = {
      raw: "show <!what!> brief",
      all_pass_flag: true,
      evaluated: "show interface brief",
      command: "show interface brief",
      parameters: { what: "interface" },
      rules: [{ ...portUp, rule: String.raw`^eth1\s+up`, raw: portUp.rule, result: true }],
      device: "r1",
      response: expect.stringContaining("eth1            up      default         10.1.1.1/30"),
      result: true,
    };
    expect(answer).toMatchObject({ status: 200, json: { all_pass_flag: true, result: true, name: "Ports" } });
    expect(answer.json).toMatchObject({ commands_results: [result], command_results: [result] });
    expect(Object.keys(answer.json as object)).toEqual([
      "all_pass_flag",
      "result",
      "commands_results",
      "name",
      "command_results",
    ]);
    const task = commandTemplates.operations.find(({ name }) => name === "RunCommandTemplate")?.task;
    expect(task).toMatchObject({ incoming: ["template", "variables", "devices"], outgoing: "mop_template_results" });
    expect(Object.keys(task?.select?.(answer.json) as object)).toEqual([
      "all_pass_flag",
      "result",
      "commands_results",
      "name",
    ]);
  });

  it("a template on two devices fails when one device fails; devices come in the order given", async () => {
    await bench.addRouter({ name: "r1" });
    const second = await bench.addRouter({ name: "r2" });
    second.state.running.interfaces[0]!.isShutdown = true;
    await create({
      name: "Ports",
      passRule: true,
      commands: [
        { command: "show interface brief", rules: [portUp] },
        { command: "show version", rules: [] },
      ],
    });
    const body = { template: "Ports", variables: { port: "eth1" } };
    const { json } = await run({ ...body, devices: ["r2", "r1"] });
    expect(json).toMatchObject({
      result: false,
      commands_results: [
        { device: "r2", result: false },
        { device: "r2" },
        { device: "r1", result: true },
        { device: "r1" },
      ],
    });
    expect((await run({ ...body, devices: "r1" })).json).toMatchObject({ result: true });
  });

  it("passRule false asks for one passing rule, or one passing command", async () => {
    await bench.addRouter({ name: "r1" });
    const rules = [
      { rule: "nonsense", eval: "contains" },
      { rule: "up", eval: "contains" },
    ];
    await create({
      name: "Any rule",
      passRule: true,
      commands: [{ command: "show interface brief", passRule: false, rules }],
    });
    await create({
      name: "Any command",
      passRule: false,
      commands: [
        { command: "show interface brief", passRule: true, rules },
        { command: "show version", rules: [] },
      ],
    });
    expect((await run({ template: "Any rule", devices: ["r1"] })).json).toMatchObject({
      result: true,
      commands_results: [{ all_pass_flag: false, rules: [{ result: false }, { result: true }] }],
    });
    expect((await run({ template: "Any command", devices: ["r1"] })).json).toMatchObject({
      result: true,
      all_pass_flag: false,
      commands_results: [{ result: false }, { result: true }],
    });
  });

  it("ignoreWarnings lets failing warnings pass in the verdict only", async () => {
    await bench.addRouter({ name: "r1" });
    const commands = [
      { command: "show version", passRule: true, rules: [{ rule: "nonsense", eval: "contains", severity: "warning" }] },
    ];
    await create({ name: "Strict", passRule: true, commands });
    await create({ name: "Mild", passRule: true, ignoreWarnings: true, commands });
    expect((await run({ template: "Strict", devices: ["r1"] })).json).toMatchObject({ result: false });
    expect((await run({ template: "Mild", devices: ["r1"] })).json).toMatchObject({
      result: true,
      commands_results: [{ result: true, rules: [{ result: false }] }],
    });
  });

  it("an array runs the command once for each element", async () => {
    await bench.addRouter({ name: "r1" });
    await create({
      name: "Each",
      passRule: true,
      commands: [{ command: "show interface <!port!>", rules: [{ rule: "Interface <!port!> is", eval: "contains" }] }],
    });
    const { json } = await run({ template: "Each", variables: { port: ["eth1", "eth2", "lo"] }, devices: ["r1"] });
    const entries = (json as { commands_results: { raw: string; evaluated: string; parameters: object }[] })
      .commands_results;
    expect(entries.map(({ evaluated }) => evaluated)).toEqual([
      "show interface eth1",
      "show interface eth2",
      "show interface lo",
    ]);
    expect(new Set(entries.map(({ raw }) => raw))).toEqual(new Set(["show interface <!port!>"]));
    expect(entries[1]?.parameters).toEqual({ port: "eth2" });
    expect(json).toMatchObject({ result: true });
  });

  it("skips a command whose variable has no value, says so, and logs it", async () => {
    await bench.addRouter({ name: "r1" });
    await create({
      name: "Skips",
      passRule: true,
      commands: [{ command: "show <!nothing!>", rules: [{ rule: "x", eval: "contains" }] }],
    });
    const { json } = await run({ template: "Skips", devices: ["r1"] });
    expect(json).toMatchObject({
      result: true,
      commands_results: [{ skipped: true, response: "", result: true, rules: [] }],
    });
    expect(logged.some((line) => line.includes('"warn"') && line.includes("nothing"))).toBe(true);
  });

  it("an unknown device stops the run before anything is sent", async () => {
    const seen: string[] = [];
    await bench.addRouter({ name: "r1", faults: { beforeAnswer: (line) => void seen.push(line) } });
    await create({ name: "Look", commands: [{ command: "show version" }] });
    const answer = await run({ template: "Look", devices: ["r1", "ghost", "r1"] });
    expect(answer).toMatchObject({
      status: 404,
      json: 'No provider capable of handling request: no device named "ghost"',
    });
    expect(seen).toEqual([]);
    expect(await run({ template: "None", devices: ["r1"] })).toMatchObject({
      status: 404,
      json: "Could not find matching template",
    });
    expect(await run({ template: "Look", devices: [] })).toMatchObject({ status: 400 });
    expect(await run({ template: "Look", devices: ["r1"], dry: true })).toMatchObject({
      status: 400,
      json: expect.stringContaining("/body/dry"),
    });
  });

  it("a device that fails makes the run an error that names every such device", async () => {
    for (const name of ["r1", "r2", "r3"]) {
      const router = await bench.addRouter({ name });
      if (name !== "r1") await router.close();
    }
    await create({ name: "Look", commands: [{ command: "show version" }] });
    const answer = await run({ template: "Look", devices: ["r1", "r2", "r3"] });
    expect(answer.status).toBe(502);
    expect(answer.json).toMatch(/^Device r2: the connection failed \(ECONNREFUSED\); Device r3: /);
  });
});
