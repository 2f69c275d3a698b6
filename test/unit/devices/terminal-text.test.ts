import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanTerminalText } from "../../../src/device-broker/ssh/terminal-text.ts";
import { isReadingCommand } from "../../../src/device-broker/read-only.ts";
import { readImportedDevice } from "../../../src/device-broker/device-import.ts";
import { findPlatform, platforms } from "../../../src/device-broker/platforms.ts";

describe("text of a terminal", () => {
  it.each([
    ["a\r\nb\r\r\nc", "a\nb\nc"],
    ["abc\b\bX", "aXc"],
    ["progress 10%\rprogress 100%", "progress 100%"],
    ["secret\r\u001b[Kclean", "clean"],
    ["\u001b[1;31mred\u001b[0m \u001b]0;title\u0007text", "red text"],
    ["bell\u0007 nul\u0000", "bell nul"],
    ["tab\tstays", "tab\tstays"],
    ["unfinished \u001b]0;no end", "unfinished "],
    ["erased\u001b[2K\rclean", "clean"],
    ["ümlaut 漢字 😀", "ümlaut 漢字 😀"],
  ])("%j reads as %j", (raw, expected) => {
    expect(cleanTerminalText(raw)).toBe(expected);
  });

  it("never keeps a control character, and cleaning twice changes nothing", () => {
    const piece = fc.constantFrom(
      "\u001b[",
      "\u001b]",
      "\u001b",
      "\b",
      "\r",
      "\n",
      "\u0000",
      "\u0007",
      "a",
      "1;2m",
      "K",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const clean = cleanTerminalText(pieces.join(""));
        expect(clean).not.toMatch(/[\u0000-\u0008\u000d-\u001f]/);
        expect(cleanTerminalText(clean)).toBe(clean);
      }),
    );
  });

  it.each(["\r", "\b", "\u001b[", "\u001b]", "\u001bP", "\n", "\u001b[0;"])(
    "a megabyte of %j is cleaned in linear time",
    (piece) => {
      const before = performance.now();
      cleanTerminalText(piece.repeat(1_000_000 / piece.length));
      expect(performance.now() - before).toBeLessThan(2_000);
    },
  );
});

describe("read-only devices", () => {
  it.each([
    "show version",
    "sh ver",
    "  show run | include interface",
    "ping 10.0.0.1",
    "dir flash:",
    "display version",
    "",
  ])("may be sent %j", (command) => {
    expect(isReadingCommand(command)).toBe(true);
  });
  it.each([
    "configure terminal",
    "s",
    "shutdown",
    "show run | redirect flash:x",
    "show run > x",
    "show v\nreload",
    "write",
    "copy a b",
    "set x",
    "show $(reboot)",
    "morex",
  ])("may not be sent %j", (command) => expect(isReadingCommand(command)).toBe(false));
});

describe("importing devices", () => {
  it("understands the attribute names of other inventories", () => {
    const attributes = {
      itential_host: "10.0.0.1",
      itential_port: "2222",
      itential_user: "u",
      itential_password: "p",
      itential_platform: "cisco_ios",
      itential_driver: "netmiko",
      site: "x",
    };
    const own = {
      name: "r1",
      host: "10.0.0.1",
      port: 2222,
      username: "u",
      password: "p",
      platform: "cisco_ios",
      groups: ["core"],
      variables: { itential_driver: "netmiko", site: "x" },
    };
    expect(readImportedDevice({ name: "r1", attributes, tags: ["core"] })).toEqual(own);
    const variables = {
      ansible_host: "10.0.0.2",
      ansible_user: "u",
      ansible_ssh_pass: "p",
      ansible_network_os: "cisco.ios.ios",
      ansible_become_password: "e",
    };
    expect(readImportedDevice({ name: "r2", variables })).toEqual({
      name: "r2",
      host: "10.0.0.2",
      username: "u",
      password: "p",
      platform: "cisco.ios.ios",
      enablePassword: "e",
    });
    expect(readImportedDevice({ name: "r3" })).toEqual({ name: "r3", host: "r3" });
  });

  it("knows platforms by the names of other tools", () => {
    expect(
      ["cisco_xe", "cisco.ios.ios", "EOS", "arista-eos", "junos", "vtysh", "arista.eos.eos"].map(
        (name) => findPlatform(name)?.id,
      ),
    ).toEqual(["cisco_ios", "cisco_ios", "arista_eos", "arista_eos", "juniper_junos", "frr", "arista_eos"]);
    expect(findPlatform("toaster")).toBeUndefined();
  });

  it.each([
    ["cisco_ios", "r1#"],
    ["cisco_ios", "sw-1.lab(config-if-range)#"],
    ["cisco_iosxr", "RP/0/RP0/CPU0:xr1(config)#"],
    ["cisco_asa", "fw/ctx1/act(config)#"],
    ["juniper_junos", "root@mx-1>"],
    ["paloalto_panos", "admin@PA-220(active)>"],
    ["linux", "shell@r1:~$"],
    ["linux", "[root@host etc]#"],
    ["frr", "r1(config-router)#"],
  ])("%s knows the prompt %s", (platform, prompt) => {
    expect(platforms.find(({ id }) => id === platform)?.prompt.test(prompt)).toBe(true);
  });
});
