import { describe, expect, it } from "vitest";
import { ConfigurationError, readConfiguration } from "../../src/configuration.ts";
import { defaultDeniedNetworks } from "../../src/outgoing-requests/index.ts";

describe("the setting of the largest value", () => {
  const largest = (settings: Record<string, string>) => readConfiguration(settings).largestValue;

  it("is 1 GiB, or as many mebi characters as are said", () => {
    expect(largest({})).toBe(1024 ** 3);
    expect(largest({ LINEWRIGHT_LARGEST_VALUE_MIB: "16" })).toBe(16 * 1024 ** 2);
  });

  it.each(["15", "1.5", "much"])("refuses %s", (text) => {
    expect(() => largest({ LINEWRIGHT_LARGEST_VALUE_MIB: text })).toThrow("LINEWRIGHT_LARGEST_VALUE_MIB");
  });
});

describe("the setting of the retention", () => {
  const retention = (settings: Record<string, string>) =>
    readConfiguration({ LINEWRIGHT_DATA_DIR: "/data", ...settings }).retention;

  it("keeps jobs for ever unless it says otherwise", () => {
    expect(retention({})).toBeUndefined();
    expect(retention({ LINEWRIGHT_RETENTION_DAYS: "", LINEWRIGHT_ARCHIVE_DIR: "/a" })).toBeUndefined();
  });

  it("archives into the data folder, another folder, or nowhere when that is said", () => {
    const days = { LINEWRIGHT_RETENTION_DAYS: "90" };
    expect(retention(days)).toEqual({ days: 90, archiveDir: "/data/archive" });
    // An empty setting is none: nothing is deleted without an archive by mistake.
    expect(retention({ ...days, LINEWRIGHT_ARCHIVE_DIR: "" })).toEqual({ days: 90, archiveDir: "/data/archive" });
    expect(retention({ ...days, LINEWRIGHT_ARCHIVE_DIR: "/a" })).toEqual({ days: 90, archiveDir: "/a" });
    expect(retention({ ...days, LINEWRIGHT_ARCHIVE_DIR: "none" })).toEqual({ days: 90, archiveDir: undefined });
  });

  it.each(["0", "-1", "ten"])("refuses %s days", (days) => {
    expect(() => retention({ LINEWRIGHT_RETENTION_DAYS: days })).toThrow("LINEWRIGHT_RETENTION_DAYS");
  });
});

describe("the settings of outgoing requests", () => {
  const outgoing = (settings: Record<string, string>) => readConfiguration(settings).outgoing;

  it("deny what no workflow has to do with, unless they say otherwise", () => {
    expect(outgoing({})).toEqual({ deny: defaultDeniedNetworks, allow: [], unverifiedHosts: [] });
    expect(outgoing({ LINEWRIGHT_OUTGOING_DENY: "none" })?.deny).toEqual([]);
    expect(
      outgoing({
        LINEWRIGHT_OUTGOING_DENY: "10.0.0.0/8, ::1",
        LINEWRIGHT_OUTGOING_ALLOW: "192.0.2.0/24",
        LINEWRIGHT_OUTGOING_UNVERIFIED: "r1.example.net, 192.0.2.9",
      }),
    ).toEqual({
      deny: ["10.0.0.0/8", "::1"],
      allow: ["192.0.2.0/24"],
      unverifiedHosts: ["r1.example.net", "192.0.2.9"],
    });
  });

  it.each([
    ["LINEWRIGHT_OUTGOING_DENY", "example.net"],
    ["LINEWRIGHT_OUTGOING_DENY", "fe80::1%eth0"],
    ["LINEWRIGHT_OUTGOING_DENY", " , "],
    ["LINEWRIGHT_OUTGOING_ALLOW", "10.0.0.0/33"],
    // It would open everything.
    ["LINEWRIGHT_OUTGOING_ALLOW", "none"],
    ["LINEWRIGHT_OUTGOING_ALLOW", ","],
  ])("refuse %s=%j", (name, text) => {
    expect(() => outgoing({ [name]: text })).toThrow(ConfigurationError);
    expect(() => outgoing({ [name]: text })).toThrow(name);
  });
});
