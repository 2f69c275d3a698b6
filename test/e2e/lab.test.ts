import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemCaller } from "../../src/core/caller.ts";
import { createSystemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { createRegexRunner, type RegexRunner } from "../../src/core/regex-runner.ts";
import type { CommandTemplate } from "../../src/command-templates/command-template-schema.ts";
import { defaultRunLimits, runCommands, templateResult } from "../../src/command-templates/run-commands.ts";
import { openDeviceBench, type DeviceBench } from "../support/device-bench.ts";
import { exampleTemplate } from "../support/example-templates.ts";

const variable = "LINEWRIGHT_LAB_HOSTS";
const hosts = (process.env[variable] ?? "").split(",").filter((host) => host !== "");
const why =
  hosts.length === 0 ? ` (skipped: set ${variable} to the addresses of the lab's routers, separated by commas)` : "";

describe.skipIf(hosts.length === 0)(`real routers of the lab${why}`, () => {
  let bench: DeviceBench;
  let regexRunner: RegexRunner;
  const names = hosts.map((_, index) => `lab-${index + 1}`);

  beforeAll(async () => {
    bench = await openDeviceBench();
    regexRunner = createRegexRunner({ deadlineMs: 5_000, size: 1 });
    for (const [index, host] of hosts.entries()) {
      const device = { name: names[index] ?? host, host, platform: "frr", username: "admin", password: "admin" };
      await bench.inventory.create(device, systemCaller);
    }
  });
  afterAll(async () => {
    await regexRunner.close();
    await bench.close();
  });

  async function run(file: string, variables: Record<string, unknown>) {
    const template = exampleTemplate(file) as CommandTemplate;
    const parts = {
      broker: bench.broker,
      regexRunner,
      clock: createSystemClock(),
      logger: silentLogger,
      limits: defaultRunLimits,
    };
    const request = { commands: template.commands ?? [], variables, devices: names, ignoreWarnings: false };
    return templateResult(template, await runCommands(request, parts));
  }

  it("checks, changes and checks again on all routers", async () => {
    const wanted = { interface: "lo", description: "checked-by-linewright" };
    const before = await bench.broker.runCommand(names[0] ?? "", "show interface lo");
    const known = /Description: (.*)/.exec(before)?.[1] ?? "router-id";
    expect(await run("interface-check.json", wanted)).toMatchObject({ result: false });
    expect(await run("describe-interface.json", wanted)).toMatchObject({ result: true });
    const after = await run("interface-check.json", wanted);
    expect(after.commands_results.filter(({ result }) => !result)).toEqual([]);
    expect(after).toMatchObject({ result: true });
    expect(await run("describe-interface.json", { ...wanted, description: known })).toMatchObject({ result: true });
  });

  it("gives the same text for the same question a thousand times", async () => {
    const ask = () => bench.broker.runCommand(names[0] ?? "", "show running-config");
    const first = await ask();
    expect(first).toMatch(/^Building configuration\.\.\.\n[\s\S]*\nend$/);
    for (let turn = 0; turn < 1_000; turn++) expect(await ask()).toBe(first);
  });

  it("answers thousands of simple commands a second", async () => {
    const each = 3_000;
    const ask = async (name: string): Promise<void> => {
      for (let turn = 0; turn < each; turn++)
        expect(await bench.broker.runCommand(name, "show interface brief")).toContain("Addresses");
    };
    await Promise.all(names.map((name) => bench.broker.runCommand(name, "show version")));
    const startedAt = performance.now();
    await Promise.all(names.map(ask));
    const rate = (each * names.length) / ((performance.now() - startedAt) / 1_000);
    console.info(`${Math.round(rate)} commands a second over ${names.length} routers`);
    expect(rate).toBeGreaterThan(500);
  });
});
