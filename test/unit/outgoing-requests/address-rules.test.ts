import { isIP } from "node:net";
import { describe, expect, it } from "vitest";
import { createAddressCheck, defaultDeniedNetworks, isNetwork } from "../../../src/outgoing-requests/address-rules.ts";

const usual = createAddressCheck({ deny: defaultDeniedNetworks, allow: [] });

/** An IPv4 address in the ways that an address of the web can write it (URL standard, host parsing). */
function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const bases = [10, 16, 8] as const;
  const write = (value: number, base: (typeof bases)[number]) =>
    ({ 10: "", 16: "0x", 8: "0" })[base] + value.toString(base);
  return bases.flatMap((one) =>
    bases.flatMap((other) => [
      write(whole, one),
      `${write(a, one)}.${write(whole % 2 ** 24, other)}`,
      `${write(a, one)}.${write(b, other)}.${write(c * 256 + d, one)}`,
      `${write(a, one)}.${write(b, other)}.${write(c, one)}.${write(d, other)}`,
    ]),
  );
}

const hex = (...bytes: number[]) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** And embedded in the addresses of the newer kind. */
function embedded(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const pair = `${hex(a, b)}:${hex(c, d)}`;
  return [
    `[::ffff:${address}]`,
    `[::ffff:${pair}]`,
    `[0:0:0:0:0:ffff:${pair}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${pair}]`,
    `[2002:${pair}::1]`,
    `[::ffff:0:${pair}]`,
    `[2001:db8::5efe:${pair}]`,
    `[fe00::200:5efe:${pair}]`,
    `[2001:0:4136:e378:8000:63bf:${hex(255 - a, 255 - b)}:${hex(255 - c, 255 - d)}]`,
    `[64:ff9b:1:${hex(a, b)}:${hex(0, c)}:${hex(d, 0)}::]`,
    `[64:ff9b:1:${hex(1, a)}:${hex(0, b)}:${hex(c, d)}::]`,
    `[64:ff9b:1:1:${hex(0, a)}:${hex(b, c)}:${hex(d, 0)}:0]`,
  ];
}

/** The address that a host of an address of the web means. */
function addressOf(host: string): string {
  return new URL(`http://${host}/`).hostname.replace(/^\[|\]$/gu, "");
}

const metadata = ["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "0.0.0.0"];
const refusedHosts = metadata.flatMap((address) => [...spellings(address), ...embedded(address)]);
const newer = ["[fe80::1]", "[febf::1]", "[fd00:ec2::254]", "[fd20:ce::254]", "[ff02::1]", "[::]"];

describe("addresses that requests may not go to", () => {
  it.each([...refusedHosts, ...newer])("%s is refused", (host) => {
    expect(isIP(addressOf(host))).toBeGreaterThan(0);
    expect(usual(addressOf(host))).toBe(false);
  });

  it("are told as a network device tells them too, and what is no address is none", () => {
    expect(usual("fe80::1%eth0")).toBe(false);
    for (const text of ["", "localhost", "1.2.3", "::g"]) expect(usual(text)).toBe(false);
  });

  it.each(["127.0.0.1", "10.0.0.1", "192.168.1.1", "203.0.113.9", "::1", "2001:db8::1", "::ffff:10.0.0.1"])(
    "%s is not among them: machines to be managed live there",
    (address) => expect(usual(address)).toBe(true),
  );

  it("are all but those of the list, where there is one", () => {
    const check = createAddressCheck({ deny: ["10.0.0.13"], allow: ["10.0.0.0/24", "2001:db8::/32"] });
    expect(["10.0.0.1", "::ffff:10.0.0.1", "2001:db8::7"].map(check)).toEqual([true, true, true]);
    expect(["10.0.0.13", "10.0.1.1", "127.0.0.1", "::1", "2001:db9::1"].map(check)).toEqual(Array(5).fill(false));
  });

  it("are allowed by the address in them only where that is where they lead", () => {
    const check = createAddressCheck({ deny: [], allow: ["10.0.0.0/24"] });
    expect(["::ffff:10.0.0.1", "64:ff9b::10.0.0.1"].map(check)).toEqual([true, true]);
    expect(["2002:a00:1::1", "2001:db8::5efe:a00:1", "64:ff9b:1::a00:1", "::a00:1"].map(check)).toEqual(
      Array(4).fill(false),
    );
  });
});

describe("a network of a setting", () => {
  it.each(["10.0.0.0/8", "10.0.0.1", "::1", "fe80::/10", "0.0.0.0/0"])("may be %s", (text) => {
    expect(isNetwork(text)).toBe(true);
  });

  it.each(["", "example.net", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "10.0.0.0/-1", "fe80::1%eth0"])(
    "is not %j",
    (text) => {
      expect(isNetwork(text)).toBe(false);
    },
  );
});
