import { describe, expect, it } from "vitest";
import { readConfiguration } from "../../src/configuration.ts";

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
