import { describe, expect, it } from "vitest";
import { configuredLocation, describeLocation, parseLocation } from "../../../src/store/index.ts";

describe("where a store is", () => {
  it("is the database of the configuration, or else the file in the data folder", () => {
    expect(configuredLocation({ dataDir: "/data", databaseUrl: undefined })).toEqual({
      kind: "sqlite",
      file: "/data/linewright.db",
    });
    const url = "postgres://host/db";
    expect(configuredLocation({ dataDir: "/data", databaseUrl: url })).toEqual({ kind: "postgres", url });
  });

  it("is read from a URL or a path", () => {
    for (const url of ["postgres://h/d", "postgresql://h/d", "POSTGRES://h/d"])
      expect(parseLocation(url)).toEqual({ kind: "postgres", url });
    for (const file of ["/data/linewright.db", "postgres.db", "./postgres/x"])
      expect(parseLocation(file)).toEqual({ kind: "sqlite", file });
  });

  it.each([
    ["/data/linewright.db", "/data/linewright.db"],
    ["postgres://user:s3cret@host:5432/db", "postgres://user:***@host:5432/db"],
    ["postgres://user:s%2F3@host/db?sslmode=require", "postgres://user:***@host/db?sslmode=require"],
    ["postgres://host/db?user=u&password=s3cret", "postgres://host/db?user=u&password=***"],
    ["postgres://host/db?sslpassword=s3cret", "postgres://host/db?sslpassword=***"],
    ["postgres://user:s3/cret@host/db", "postgres://…"],
    ["postgres://user@host/db", "postgres://user@host/db"],
  ])("%s is shown as %s", (text, shown) => {
    expect(describeLocation(parseLocation(text))).toBe(shown);
    expect(describeLocation(parseLocation(text))).not.toContain("s3");
  });
});
