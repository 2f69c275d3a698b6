import { afterEach, describe, expect, it } from "vitest";
import { createRegexRunner, type RegexRunner } from "../../../src/core/regex-runner.ts";

describe("the regex runner", () => {
  let runner: RegexRunner;
  afterEach(() => runner.close());

  it("gives the first match with its captures, and null when there is none", async () => {
    runner = createRegexRunner({ deadlineMs: 5_000, size: 2 });
    expect(await runner.exec({ pattern: String.raw`(\w+)=(\d+)?`, flags: "", text: "x; ab=; c=1" })).toEqual({
      text: "ab=",
      index: 3,
      captures: ["ab", null],
    });
    expect(await runner.exec({ pattern: "z", flags: "", text: "x" })).toBeNull();
    expect(await runner.test({ pattern: "X", flags: "i", text: "x" })).toBe(true);
  });

  it("answers every question of a crowd with its own answer", async () => {
    runner = createRegexRunner({ deadlineMs: 5_000, size: 2 });
    const asked = Array.from({ length: 100 }, (_, index) =>
      runner.exec({ pattern: String.raw`\d+`, flags: "", text: `n${index}` }),
    );
    expect((await Promise.all(asked)).map((match) => match?.text)).toEqual(
      Array.from({ length: 100 }, (_, index) => String(index)),
    );
  });

  it("stops a pattern at the deadline, and others are answered meanwhile and afterwards", async () => {
    runner = createRegexRunner({ deadlineMs: 700, size: 2 });
    const endless = runner.exec({ pattern: "(a+)+$", flags: "", text: `${"a".repeat(40)}!` });
    const quick = runner.test({ pattern: "a", flags: "", text: "a" });
    await expect(endless).rejects.toThrow("the pattern was stopped after 700 ms");
    expect(await quick).toBe(true);
    expect(await runner.test({ pattern: "b", flags: "", text: "a" })).toBe(false);
  });

  it("says what is wrong with a pattern", async () => {
    runner = createRegexRunner({ deadlineMs: 5_000, size: 1 });
    await expect(runner.test({ pattern: "[", flags: "", text: "" })).rejects.toThrow(/Unterminated character class/);
    await expect(runner.test({ pattern: "a", flags: "q", text: "" })).rejects.toThrow(/Invalid flags/);
  });

  it("rejects what waits when it is closed", async () => {
    runner = createRegexRunner({ deadlineMs: 60_000, size: 1 });
    const text = `${"a".repeat(60)}!`;
    const asked = [1, 2, 3].map(() => runner.test({ pattern: "(a+)+$", flags: "", text }));
    const outcomes = Promise.allSettled(asked);
    await runner.close();
    for (const outcome of await outcomes) expect(outcome.status).toBe("rejected");
    await expect(runner.test({ pattern: "a", flags: "", text: "a" })).rejects.toThrow("closed");
  });
});
