import { afterAll, beforeAll, describe, expect, it } from "vitest";
import fc from "fast-check";
import { createRegexRunner, type RegexRunner } from "../../../src/core/regex-runner.ts";
import type { Rule } from "../../../src/command-templates/command-template-schema.ts";
import { commandPasses, evaluateRule } from "../../../src/command-templates/rules.ts";

describe("rules of command templates", () => {
  let regexes: RegexRunner;
  beforeAll(() => {
    regexes = createRegexRunner({ deadlineMs: 500, size: 1 });
  });
  afterAll(() => regexes.close());

  const judge = (rule: Rule, response: string, values = {}) => evaluateRule(rule, { response, values, regexes });
  const passes = async (rule: Rule, response: string, values = {}) => (await judge(rule, response, values)).result;

  it("an empty contains passes on every response", async () => {
    expect(await passes({ rule: "", eval: "contains" }, "anything")).toBe(true);
    expect(await passes({ rule: "", eval: "contains" }, "")).toBe(true);
  });

  it("the flag case makes upper and lower case alike", async () => {
    const response = "a fatal error";
    expect(await passes({ rule: "Fatal", eval: "!contains", flags: { case: true } }, response)).toBe(false);
    expect(await passes({ rule: "Fatal", eval: "!contains", flags: { case: false } }, response)).toBe(true);
    expect(await passes({ rule: "FATAL", eval: "RegEx", flags: { case: true } }, response)).toBe(true);
    expect(await passes({ rule: "FATAL", eval: "RegEx" }, response)).toBe(false);
  });

  it.each([
    ["up", "contains1", "one up", true],
    ["up", "contains1", "up and up", false],
    ["up", "contains1", "down", false],
    ["aa", "contains1", "aaa", false],
    ["^eth1 .*up$", "RegEx", "lo up\neth1 is up", false],
    ["eth1 .*up", "!RegEx", "eth1 is up", false],
    ["/eth1/", "RegEx", "eth1", false],
  ])("%s %s on %j", async (rule, kind, response, expected) => {
    expect(await passes({ rule, eval: kind }, response)).toBe(expected);
  });

  it("multiline patterns with look-around work", async () => {
    const flags = { case: true, global: true, multiline: true };
    const response = `verify /md5 (flash:image.bin) = ${"0a1b2c3d".repeat(4)}`;
    expect(await passes({ rule: "(?<!^)[a-f0-9]{32}(?=)$", eval: "RegEx", flags }, response)).toBe(true);
    expect(await passes({ rule: "^eth1 .*up$", eval: "RegEx", flags: { multiline: true } }, "lo up\neth1 is up")).toBe(
      true,
    );
  });

  it.each([
    [799, true],
    [800, true],
    [801, false],
  ])("a share of at most 80 per cent: %i of 1000", async (used, expected) => {
    const rule = {
      rule: String.raw`/Total: (\d+)/`,
      ruleB: String.raw`/Used: (\d+)/`,
      eval: "#comparison",
      evaluator: "%",
      percentage: 80,
    };
    expect(await passes(rule, `Total: 1000 Used: ${used}`)).toBe(expected);
  });

  it.each([
    ["10", "=", "10.0", true],
    ["10", "=", "ten", false],
    ["v1", "!=", "v2", true],
    ["9", "<", "10", true],
    ["9", ">=", "10", false],
    ["-1.5", "<=", "-1.5", true],
    ["1e2", ">", "99", true],
  ])("%s %s %s is %s", async (rule, evaluator, ruleB, expected) => {
    expect(await passes({ rule, ruleB, evaluator, eval: "#comparison" }, "")).toBe(expected);
  });

  it.each([
    [{ rule: "a", ruleB: "2", evaluator: "<" }, '"<" needs two numbers'],
    [{ rule: "0", ruleB: "2", evaluator: "%", percentage: 80 }, "operand A is 0"],
    [{ rule: "1", ruleB: "2", evaluator: "%" }, "the percentage is not a number"],
    [{ rule: "1", ruleB: "2", evaluator: "~" }, 'unknown evaluator "~"'],
    [{ rule: "/(\\d+)/", ruleB: "2", evaluator: "<" }, "operand A: the pattern does not match"],
    [{ rule: "1", ruleB: "/word/", evaluator: "<" }, "operand B: the pattern must have exactly one group"],
  ])("a comparison that cannot be computed fails and says why: %j", async (rule, reason) => {
    expect(await judge({ ...rule, eval: "#comparison" }, "word")).toMatchObject({ result: false, reason });
  });

  it("an unknown kind and a pattern that does not compile fail and say why", async () => {
    expect(await judge({ rule: "x", eval: "regex" }, "x")).toMatchObject({
      result: false,
      eval: "regex",
      reason: 'unknown evaluation "regex"',
    });
    expect(await judge({ rule: "(", eval: "!RegEx" }, "x")).toMatchObject({
      result: false,
      reason: expect.stringContaining("Unterminated group"),
    });
  });

  it("a pattern that never ends is stopped, the rule fails, and the next one is judged", async () => {
    expect(await judge({ rule: "(a+)+$", eval: "RegEx" }, `${"a".repeat(40)}!`)).toMatchObject({
      result: false,
      reason: "the pattern was stopped after 500 ms",
    });
    expect(await passes({ rule: "a+", eval: "RegEx" }, "aaa")).toBe(true);
  });

  it("variables stand in both operands; one without a value makes the rule invalid", async () => {
    const rule = { rule: "boot system <!disk!>", eval: "contains", severity: "warning" };
    expect(await judge(rule, "boot system flash:x", { disk: "flash:x" })).toEqual({
      rule: "boot system flash:x",
      eval: "contains",
      severity: "warning",
      raw: "boot system <!disk!>",
      result: true,
    });
    expect(await judge(rule, "boot system", {})).toEqual({
      rule: "Invalid Rule: Missing Parameters",
      eval: "missing_parameters",
      severity: "warning",
      raw: "boot system <!disk!>",
      result: false,
    });
    expect(await passes({ rule: "1", ruleB: "<!limit!>", evaluator: "<", eval: "#comparison" }, "", { limit: 5 })).toBe(
      true,
    );
  });

  it("severity counts only for failing rules and only when warnings are ignored", async () => {
    const failing = await judge({ rule: "x", eval: "contains", severity: "warning" }, "");
    const passing = await judge({ rule: "", eval: "contains" }, "");
    expect(failing.result).toBe(false);
    expect(commandPasses([failing], true, true)).toBe(true);
    expect(commandPasses([failing], true, false)).toBe(false);
    expect(commandPasses([failing, passing], false, false)).toBe(true);
    expect(commandPasses([failing], false, false)).toBe(false);
    expect(commandPasses([], true, false)).toBe(true);
  });

  it("contains and !contains are opposites whatever the texts are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), fc.boolean(), async (text, response, isCaseIgnored) => {
        const flags = { case: isCaseIgnored };
        const one = await passes({ rule: text.replaceAll("<!", "<"), eval: "contains", flags }, response);
        expect(await passes({ rule: text.replaceAll("<!", "<"), eval: "!contains", flags }, response)).toBe(!one);
      }),
    );
  });
});
