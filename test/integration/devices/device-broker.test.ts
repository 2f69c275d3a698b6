import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemCaller } from "../../../src/core/caller.ts";
import { openDeviceBench, routerLogin, type DeviceBench } from "../../support/device-bench.ts";

describe("the device broker on demo routers", () => {
  let bench: DeviceBench;
  beforeEach(async () => {
    bench = await openDeviceBench({ limits: { commandTimeoutMs: 10_000 } });
  });
  afterEach(() => bench.close());

  it("gives a command's output without echo and prompt", async () => {
    await bench.addRouter({ name: "r1" });
    expect(await bench.broker.runCommand("r1", "show interface brief")).toBe(
      [
        "Interface       Status  VRF             Addresses",
        "---------       ------  ---             ---------",
        "eth1            up      default         10.1.1.1/30",
        "eth2            up      default         10.2.1.1/24",
        "lo              up      default         10.0.0.1/32",
      ].join("\n"),
    );
    expect(await bench.broker.runCommand("r1", "configure")).toBe("% Incomplete command.");
    expect(await bench.broker.runCommand("r1", "")).toBe("");
  });

  it("keeps one shell for all commands of a device", async () => {
    const router = await bench.addRouter({ name: "r1" });
    for (let turn = 0; turn < 20; turn++) await bench.broker.runCommand("r1", "show version");
    await Promise.all(Array.from({ length: 20 }, () => bench.broker.runCommand("r1", "show version")));
    expect(router.loginAttempts()).toBe(1);
  });

  it("sends the further lines of a command as configuration, and leaves configuration mode afterwards", async () => {
    const router = await bench.addRouter({ name: "r1" });
    const output = await bench.broker.runCommand("r1", "configure terminal\ninterface eth1\ndescription to the core");
    expect(output).toContain("r1(config-if)# description to the core");
    expect(router.state.running.interfaces[0]?.description).toBe("to the core");
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
  });

  it("keeps configuration mode between the commands of one use, and no other caller comes between", async () => {
    const router = await bench.addRouter({ name: "r1" });
    const change = bench.broker.useDevice("r1", async (run) => {
      for (const command of ["configure terminal", "interface eth2", "shutdown"]) await run(command);
    });
    const other = bench.broker.runCommand("r1", "show ip interface brief");
    await change;
    expect(router.state.running.interfaces[1]?.isShutdown).toBe(true);
    expect(await other).toMatch(/eth2 .*administratively down +down/);
  });

  it("answers a question by the further lines, also with an empty line", async () => {
    const router = await bench.addRouter({ name: "r1" });
    await bench.broker.runCommand("r1", "configure terminal\nhostname core-1\nend");
    expect(await bench.broker.runCommand("r1", "copy running-config startup-config\n")).toContain("[OK]");
    expect(router.state.startup.hostname).toBe("core-1");
    expect(await bench.broker.runCommand("r1", "reload\nn")).toContain("Reload cancelled");
  });

  it("refuses to wait for an answer nobody gave, and the device is not reloaded", async () => {
    const router = await bench.addRouter({ name: "r1" });
    await bench.broker.runCommand("r1", "configure terminal\ninterface lo\ndescription unsaved");
    await expect(bench.broker.runCommand("r1", "reload")).rejects.toMatchObject({
      code: "BAD_GATEWAY",
      message: expect.stringContaining("Proceed with reload? [confirm]"),
    });
    expect(router.state.running.interfaces[2]?.description).toBe("unsaved");
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
  });

  it("says that a cut command may have been carried out, sends it once, and goes on with a new shell", async () => {
    const seen: string[] = [];
    const beforeAnswer = (line: string) => void seen.push(line);
    await bench.addRouter({ name: "r1", faults: { cutOn: "show running", beforeAnswer } });
    await expect(bench.broker.runCommand("r1", "show running-config")).rejects.toMatchObject({
      code: "BAD_GATEWAY",
      message:
        "Device r1: the connection was lost while a command was running; it may or may not have been carried out",
    });
    expect(seen.filter((line) => line.startsWith("show running"))).toHaveLength(1);
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
  });

  it("logs in again when the kept shell was closed while nobody used it", async () => {
    const router = await bench.addRouter({ name: "r1" });
    await bench.broker.runCommand("r1", "show version");
    router.disconnectAll();
    // The first call may still meet the dying connection; it must end in an error then, not in silence.
    const answer = (): Promise<string> => bench.broker.runCommand("r1", "show clock").catch(() => answer());
    expect(await answer()).toMatch(/GMT$/);
    expect(router.loginAttempts()).toBe(2);
  });

  it("waits for a slow device, and answers the callers behind it in their order", async () => {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const beforeAnswer = (line: string) => (line === "show version" ? (isAsked(), held) : undefined);
    await bench.addRouter({ name: "r1", faults: { beforeAnswer } });
    const order: string[] = [];
    const slow = bench.broker.runCommand("r1", "show version").then(() => order.push("slow"));
    const next = bench.broker.runCommand("r1", "show clock").then(() => order.push("next"));
    await asked;
    expect(order).toEqual([]);
    answer();
    await Promise.all([slow, next]);
    expect(order).toEqual(["slow", "next"]);
  });

  it("gives up after the command's time with an error that names the device", async () => {
    await bench.addRouter({
      name: "r1",
      faults: { beforeAnswer: (line) => (line === "show version" ? new Promise(() => undefined) : undefined) },
    });
    await expect(bench.broker.runCommand("r1", "show version", { timeoutMs: 50 })).rejects.toMatchObject({
      code: "GATEWAY_TIMEOUT",
    });
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
  });

  it.each([1, 2, 3, 7, 64])(
    "reads output that arrives in pieces of %i bytes, also when it holds the prompt",
    async (pieceBytes) => {
      const lookAlike = "captured session:\nr1# show clock\nr1# \nr1(config)# end\nother# \nlast line";
      await bench.addRouter({ name: "r1", faults: { pieceBytes, answers: { "show capture": lookAlike } } });
      expect(await bench.broker.runCommand("r1", "show capture")).toBe(lookAlike);
      expect(await bench.broker.runCommand("r1", "show interface description")).toContain(
        "lo              up      up        router-id",
      );
    },
  );

  it("turns pages and leaves no trace of them", async () => {
    const lines = Array.from({ length: 57 }, (_, index) => `line ${index} of the report`).join("\n");
    await bench.addRouter({ name: "r1", faults: { fixedPageLines: 10, answers: { "show report": lines } } });
    expect(await bench.broker.runCommand("r1", "show report")).toBe(lines);
  });

  it("bears log messages between echo and output, and after the prompt", async () => {
    const log = "*Mar  1 00:05:12.123: %SYS-5-CONFIG_I: Configured from console by console";
    await bench.addRouter({ name: "r1", faults: { logAfterEcho: log } });
    await bench.addRouter({ name: "r2", faults: { logAfterPrompt: log } });
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
    expect(await bench.broker.runCommand("r2", "show clock")).toMatch(/^\w{3}, .* GMT$/);
    expect(await bench.broker.runCommand("r2", "show ip interface brief")).toMatch(/^Interface .*\nlo .*up$/s);
  });

  it("manages a device that does not echo", async () => {
    await bench.addRouter({ name: "r1", faults: { hasNoEcho: true } });
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/^\w{3}, .* GMT$/);
    expect(await bench.broker.runCommand("r1", "show version")).toMatch(/^Linewright demo router/);
  });

  it("follows a change of the host name", async () => {
    await bench.addRouter({ name: "r1" });
    await bench.broker.runCommand("r1", "configure terminal\nhostname edge-7\nend");
    expect(await bench.broker.runCommand("r1", "show version")).toMatch(/edge-7/);
  });

  it("renders hostile output as text: escape sequences, bells, carriage returns, broken UTF-8", async () => {
    const hostile =
      "\u001b]0;owned\u0007red: \u001b[31mX\u001b[0m\b\bXY\rwritten over\u0000\n\u001b[2Jcleared\u001b[1;1H\nplain";
    await bench.addRouter({ name: "r1", faults: { answers: { "show evil": hostile } } });
    expect(await bench.broker.runCommand("r1", "show evil")).toBe("written over\ncleared\nplain");
  });

  it("stops a device that answers without end", async () => {
    const small = await openDeviceBench({ limits: { outputLimitCharacters: 2_000 } });
    try {
      await small.addRouter({ name: "r1", faults: { answers: { "show flood": "x".repeat(5_000) } } });
      await expect(small.broker.runCommand("r1", "show flood")).rejects.toMatchObject({
        message: "Device r1: the output is larger than 2000 characters",
      });
      expect(await small.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
    } finally {
      await small.close();
    }
  });

  it("reads 5 MB of output", async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `${index} ${"-".repeat(44)}`).join("\n");
    await bench.addRouter({ name: "r1", faults: { answers: { "show tech": lines } } });
    expect(await bench.broker.runCommand("r1", "show tech", { timeoutMs: 20_000 })).toBe(lines);
  });

  it("names an unknown device in the field's words", async () => {
    await expect(bench.broker.runCommand("nowhere", "show version")).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("No provider capable of handling request"),
    });
    await expect(bench.broker.isAlive("nowhere")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("presents a rejected password once, and again only when the device was changed", async () => {
    const router = await bench.addRouter({ name: "r1" }, { password: "wrong-secret" });
    const run = () => bench.broker.runCommand("r1", "show clock");
    const refused = { code: "BAD_GATEWAY", message: "Device r1: the user name or password was rejected" };
    const attempts = await Promise.allSettled([run(), run(), run()]);
    for (const attempt of attempts) expect(attempt).toMatchObject({ status: "rejected", reason: refused });
    expect(router.loginAttempts()).toBe(1);
    await bench.inventory.update("r1", { password: routerLogin.password }, systemCaller);
    expect(await run()).toMatch(/GMT$/);
    expect(router.loginAttempts()).toBe(2);
  });

  it("logs in by keyboard-interactive where a device asks for that", async () => {
    await bench.addRouter({ name: "r1", isKeyboardInteractive: true });
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
  });

  it("enters privileged mode with its password, and tells when that is refused", async () => {
    await bench.addRouter({ name: "r1", enablePassword: "let-me-in" }, { enablePassword: "let-me-in" });
    await bench.addRouter({ name: "r2", enablePassword: "let-me-in" }, { enablePassword: "guess" });
    await bench.addRouter({ name: "r3" }, { enablePassword: null });
    expect(await bench.broker.runCommand("r1", "show running-config")).toContain("hostname r1");
    await expect(bench.broker.runCommand("r2", "show clock")).rejects.toMatchObject({
      message: "Device r2: privileged mode was refused",
    });
    expect(await bench.broker.runCommand("r3", "show running-config")).toMatch(/^% /);
  });

  it("refuses a changed host key, and accepts it once it was forgotten", async () => {
    const router = await bench.addRouter({ name: "r1" });
    await bench.broker.runCommand("r1", "show clock");
    await router.close();
    await bench.inventory.remove("r1");
    const port = router.port;
    await bench.addRouter({ name: "r1", port });
    await expect(bench.broker.runCommand("r1", "show clock")).rejects.toMatchObject({
      message: expect.stringMatching(/^Device r1: the host key has changed: expected SHA256:\S+, got SHA256:\S+$/),
    });
    await bench.hostKeys.forget("127.0.0.1", port);
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
  });

  it("refuses an unknown host key when the policy is strict", async () => {
    await bench.addRouter({ name: "r1" }, { hostKeyPolicy: "strict" });
    await expect(bench.broker.runCommand("r1", "show clock")).rejects.toMatchObject({
      message: expect.stringContaining("the policy is strict"),
    });
  });

  it("sends no change to a read-only device", async () => {
    const router = await bench.addRouter({ name: "r1" }, { isReadOnly: true });
    expect(await bench.broker.runCommand("r1", "show clock")).toMatch(/GMT$/);
    for (const command of [
      "configure terminal",
      "reload",
      "show run | redirect flash:x",
      "show clock\nreload\ny",
      "write",
    ]) {
      await expect(bench.broker.runCommand("r1", command)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect(router.state.startup).toEqual(router.state.running);
  });

  it("knows whether a device is alive", async () => {
    const router = await bench.addRouter({ name: "r1" });
    expect(await bench.broker.isAlive("r1")).toBe(true);
    await router.close();
    expect(await bench.broker.isAlive("r1")).toBe(false);
  });

  it("tells a refused connection and a server that speaks no SSH", async () => {
    const server = createServer((socket) => socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
    );
    await bench.inventory.create({ name: "web", host: "127.0.0.1", port, ...routerLogin }, systemCaller);
    await expect(bench.broker.runCommand("web", "show clock")).rejects.toMatchObject({ code: "BAD_GATEWAY" });
    await new Promise((resolve) => server.close(resolve));
    await expect(bench.broker.runCommand("web", "show clock")).rejects.toMatchObject({
      message: "Device web: the connection failed (ECONNREFUSED)",
    });
  });

  it("closes idle shells and opens no more than it may", async () => {
    const small = await openDeviceBench({ limits: { maxShells: 2 } });
    try {
      const routers = [
        await small.addRouter({ name: "a" }),
        await small.addRouter({ name: "b" }),
        await small.addRouter({ name: "c" }),
      ];
      for (const name of ["a", "b", "c", "a"]) await small.broker.runCommand(name, "show clock");
      expect(routers.map((router) => router.loginAttempts())).toEqual([2, 1, 1]);
      const both = ["a", "c"].map((name) =>
        small.broker.useDevice(name, () => small.broker.runCommand("b", "show clock")),
      );
      for (const outcome of await Promise.allSettled(both))
        expect(outcome).toMatchObject({ reason: { code: "UNAVAILABLE" } });
    } finally {
      await small.close();
    }
  });
});
