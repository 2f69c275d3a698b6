import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPlatform } from "../../../src/device-broker/platforms.ts";
import { findPrompt } from "../../../src/device-broker/ssh/prompt-finder.ts";
import { learnPrompt } from "../../../src/device-broker/ssh/prompt.ts";
import { CommandReading, type ReadingRequest } from "../../../src/device-broker/ssh/shell-reader.ts";
import { createManualClock } from "../../support/manual-clock.ts";

const ios = findPlatform("cisco_ios")!;

/** A reading whose other end is the test. */
function read(
  request: Partial<ReadingRequest> & { lines: readonly string[] },
  { promptLine = "r1#", platform = ios, clock = createManualClock() } = {},
) {
  const written: string[] = [];
  const settings = {
    clock,
    platform,
    write: (text: string) => void written.push(text),
    defer: setImmediate,
    limitCharacters: 100_000,
  };
  const reading = new CommandReading(
    learnPrompt(promptLine, platform),
    { timeoutMs: 60_000, hasEcho: true, ...request },
    settings,
  );
  reading.result.catch(() => undefined);
  /** Feeds one piece and lets time pass. */
  const say = async (text: string, thenMs = 0): Promise<void> => {
    reading.feed(text);
    await clock.advance(thenMs);
  };
  return { clock, written, reading, say };
}

describe("reading a command's output", () => {
  it("takes an answer that comes at once without waiting", async () => {
    const { reading, say, written } = read({ lines: ["show clock"] });
    await say("show clock\r\n12:00:00 UTC\r\nr1#");
    expect(await reading.result).toMatchObject({ output: "12:00:00 UTC", shown: "r1#", isEchoSeen: true });
    expect(written).toEqual(["show clock\n"]);
  });

  it("finds the same output however the bytes are cut and timed", async () => {
    const output = "Interface  Status\r\neth1       up\r\n% not an error\r\nr2# is another router\r\n\r\nlast";
    const stream = `show interfaces\r\n${output}\r\nr1#`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 900 })), {
          minLength: 1,
          maxLength: 12,
        }),
        async (cuts) => {
          const { reading, say, clock } = read({ lines: ["show interfaces"] });
          let rest = stream;
          for (const [size, pauseMs] of cuts) {
            await say(rest.slice(0, size), pauseMs);
            rest = rest.slice(size);
          }
          if (rest !== "") await say(rest);
          await clock.advance(2_000);
          expect((await reading.result).output).toBe(output.replaceAll("\r\n", "\n"));
        },
      ),
      { numRuns: 60 },
    );
  });

  it("waits 23 seconds and longer for a slow device", async () => {
    const { reading, say } = read({ lines: ["show tech"] });
    await say("show tech\r\n", 23_000);
    await say("first half\r\n", 23_000);
    await say("second half\r\nr1#", 1_000);
    expect((await reading.result).output).toBe("first half\nsecond half");
  });

  it("does not take the prompt of another device, or one in the middle of a line, for its own", async () => {
    const { reading, say } = read({ lines: ["show log"] });
    await say("show log\r\nsession of r2#", 100);
    await say(" closed\r\nr1# reload\r\nr1#", 300);
    expect((await reading.result).output).toBe("session of r2# closed\nr1# reload");
  });

  it("reads what came while the process stood still before it believes in a silence", async () => {
    const manual = createManualClock();
    let arrived: string | undefined = " show clock\r\nr1#";
    // When a time is up, more has arrived already and is read in the next turn.
    const arrive = (): void => {
      if (arrived !== undefined) setImmediate((text) => reading.feed(text), arrived);
      arrived = undefined;
    };
    const after: typeof manual.after = (ms, callback) => manual.after(ms, () => (arrive(), callback()));
    const { reading, say } = read({ lines: ["show capture"] }, { clock: { ...manual, after } });
    for (const piece of ["show capture\r\n", ...Array.from("captured:"), "\r\n"]) reading.feed(piece);
    await say("r1#", 300);
    expect((await reading.result).output).toBe("captured:\nr1# show clock");
  });

  it("drops log messages before the echo and after the prompt", async () => {
    const { reading, say } = read({ lines: ["show clock"] });
    await say(
      "\r\n*Mar  1 00:05:12.123: %LINK-3-UPDOWN: Interface Gi0/1, changed state to up\r\nr1#show clock\r\n12:00:00\r\nr1#",
    );
    expect((await reading.result).output).toBe("12:00:00");
    const other = read({ lines: ["end"] }, { promptLine: "r1(config)#" });
    await other.say("end\r\nr1#\r\n*Mar  1 00:05:12.123: %SYS-5-CONFIG_I: Configured from console by console\r\n", 400);
    expect(await other.reading.result).toMatchObject({ output: "", shown: "r1#" });
  });

  it("sends lines one by one as the prompt comes back, through changing modes", async () => {
    const { reading, say, written } = read({ lines: ["configure terminal", "interface Gi0/1", "end"] });
    await say("configure terminal\r\nEnter configuration commands, one per line.  End with CNTL/Z.\r\nr1(config)#", 30);
    await say("interface Gi0/1\r\nr1(config-if)#", 30);
    await say("end\r\nr1#", 30);
    expect(written).toEqual(["configure terminal\n", "interface Gi0/1\n", "end\n"]);
    expect((await reading.result).output).toBe(
      "Enter configuration commands, one per line.  End with CNTL/Z.\nr1(config)#interface Gi0/1\nr1(config-if)#end",
    );
  });

  it.each([
    ["reload", "Proceed with reload? [confirm]"],
    ["copy running-config startup-config", "Destination filename [startup-config]? "],
    ["request system reboot", "Reboot the system ? [yes,no] (no) "],
    ["delete flash:x", "Delete flash:x? (y/n): "],
    ["end", "Uncommitted changes found, commit them before exiting(yes/no/cancel)? [cancel]: "],
    ["enable", "Password: "],
  ])("answers %s … %s", async (command, question) => {
    const { say, written } = read({ lines: [command, "answer"] });
    await say(`${command}\r\n${question}`, 100);
    expect(written).toEqual([`${command}\n`, "answer\n"]);
  });

  it("tells the question nobody answers", async () => {
    const { reading, say } = read({ lines: ["reload"] });
    await say("reload\r\nProceed with reload? [confirm]", 5_000);
    await expect(reading.result).rejects.toMatchObject({
      problem: { kind: "question", text: "Proceed with reload? [confirm]" },
    });
  });

  it("never types an answer at a prompt: what is meant for a question is dropped when none comes", async () => {
    const { reading, say, written } = read({ lines: ["enable", "secret"], isAnswersOnly: true }, { promptLine: "r1>" });
    await say("enable\r\nr1#", 100);
    expect((await reading.result).shown).toBe("r1#");
    expect(written.join("")).not.toContain("secret");
  });

  it("a slow device is not given the next line before it asks or is done", async () => {
    const { say, written } = read({ lines: ["write erase", "y"] });
    await say("write erase\r\n", 20_000);
    expect(written).toHaveLength(1);
    await say("Erasing the nvram filesystem will remove all configuration files! Continue? [confirm]", 300);
    expect(written).toHaveLength(2);
  });

  it.each([
    [" --More-- ", "\b\b\b\b\b\b\b\b\b\b          \b\b\b\b\b\b\b\b\b\b"],
    ["--More--", "\r        \r"],
    ["<--- More --->", "\r              \r"],
    ["---(more 50%)---", "\r                                        \r"],
    [" --More-- ", "\u001b[2K\r"],
  ])("turns the page at %j", async (pager, wipe) => {
    const { reading, say, written } = read({ lines: ["show run"] });
    await say(`show run\r\nline 1\r\n${pager}`, 50);
    await say(`${wipe}line 2\r\nr1#`, 50);
    expect(written).toEqual(["show run\n", " "]);
    expect((await reading.result).output).toBe("line 1\nline 2");
  });

  it("leaves a full-screen pager", async () => {
    const { say, written } = read({ lines: ["show log"] });
    await say("show log\r\nline\r\nlines 1-20/20 (END)", 50);
    expect(written).toEqual(["show log\n", "q"]);
  });

  it("gives up after its time, and only once", async () => {
    const { reading, clock, say } = read({ lines: ["show x"], timeoutMs: 5_000 });
    await clock.advance(5_000);
    await expect(reading.result).rejects.toMatchObject({ problem: { kind: "timeout", timeoutMs: 5_000 } });
    await say("show x\r\nlate\r\nr1#", 1_000);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("knows junos in both modes and drops the lines that belong to the prompt", async () => {
    const junos = { promptLine: "lab@mx1>", platform: findPlatform("juniper_junos")! };
    const { reading, say } = read({ lines: ["configure"] }, junos);
    await say("configure\r\nEntering configuration mode\r\n\r\n[edit]\r\nlab@mx1# ", 30);
    expect(await reading.result).toMatchObject({ output: "Entering configuration mode", shown: "lab@mx1#" });
  });

  it("knows a shell prompt in another folder, with bracketed paste around it", async () => {
    const linux = { promptLine: "root@box:~#", platform: findPlatform("linux")! };
    const { reading, say } = read({ lines: ["cd /etc && ls"] }, linux);
    await say("cd /etc && ls\r\n\u001b[?2004l\rhosts\r\n\u001b[?2004hroot@box:/etc# ", 30);
    expect(await reading.result).toMatchObject({ output: "hosts", shown: "root@box:/etc#" });
  });

  it("manages names that are cut in configuration mode", async () => {
    const { reading, say } = read(
      { lines: ["conf t"] },
      { promptLine: "a-very-long-device-name-of-a-big-company-01#" },
    );
    await say("conf t\r\na-very-long-device-n(config)#", 10);
    expect((await reading.result).shown).toBe("a-very-long-device-n(config)#");
  });
});

describe("finding the prompt after login", () => {
  function find(platformName: string) {
    const clock = createManualClock();
    const written: string[] = [];
    const finder = findPrompt({
      clock,
      platform: findPlatform(platformName)!,
      write: (text) => void written.push(text),
      timeoutMs: 30_000,
    });
    finder.result.catch(() => undefined);
    return { clock, finder, written };
  }

  it("is not deceived by a banner that ends like a prompt", async () => {
    const { clock, finder } = find("cisco_ios");
    finder.feed("Welcome to\r\ndevice#");
    await clock.advance(100);
    finder.feed("##\r\n\r\nr1>");
    await clock.advance(100);
    finder.feed("\r\nr1>");
    await clock.advance(100);
    expect(await finder.result).toBe("r1>");
  });

  it("learns a prompt nobody foresaw", async () => {
    const { clock, finder } = find("cisco_ios");
    finder.feed("\r\n[ready] $$ ");
    await clock.advance(1_500);
    finder.feed("\r\n[ready] $$ ");
    await clock.advance(1_500);
    expect(await finder.result).toBe("[ready] $$");
    expect(learnPrompt("[ready] $$", findPlatform("cisco_ios")!).pattern.test("[ready] $$ ")).toBe(true);
  });

  it("presses Enter for a device that waits for a key", async () => {
    const { clock, finder, written } = find("cisco_ios");
    finder.feed("Press RETURN to get started.\r\n");
    await clock.advance(3_000);
    expect(written).toEqual(["\n"]);
    finder.feed("\r\nsw1>");
    await clock.advance(100);
    finder.feed("\r\nsw1>");
    await clock.advance(100);
    expect(await finder.result).toBe("sw1>");
  });

  it("gives up when nothing steady comes", async () => {
    const { clock, finder } = find("cisco_ios");
    await clock.advance(30_000);
    await expect(finder.result).rejects.toThrow("prompt");
    expect(clock.pendingTimers()).toBe(0);
  });
});
