import { describe, expect, test } from "vitest";
import { parseRequestTarget } from "../../../src/http/request-target.ts";

describe("request target", () => {
  test.each([
    ["/", [], ""],
    ["/a/b?c=d?e", ["a", "b"], "c=d?e"],
    ["/a/../b", ["a", "..", "b"], ""],
    ["/a/%2E%2E/b", ["a", "..", "b"], ""],
    ["/a%20b/c%20%20", ["a b", "c"], ""],
    ["/a#b?c", ["a"], ""],
    ["/a?b#c", ["a"], "b"],
    ["https://example.org:8443/a?b", ["a"], "b"],
    ["https://example.org", [], ""],
    ["*", ["*"], ""],
  ])("%s", (target, segments, query) => {
    expect(parseRequestTarget(target)).toEqual({ segments, query });
  });
});
