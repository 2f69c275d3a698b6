import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRouter, type RouteDefinition } from "../../../src/http/router.ts";

const get = (path: string): RouteDefinition<string> => ({ method: "GET", path, target: path });

describe("router", () => {
  test("goes back when a literal leads nowhere", () => {
    const router = createRouter([get("/jobs/find/all"), get("/jobs/:id/groups"), get("/:any/find/other")]);
    expect(router.find("GET", ["jobs", "find", "groups"])).toEqual({
      target: "/jobs/:id/groups",
      params: { id: "find" },
    });
    expect(router.find("GET", ["jobs", "find", "other"])).toEqual({
      target: "/:any/find/other",
      params: { any: "jobs" },
    });
    expect(router.find("GET", ["jobs", "find", "nothing"])).toBeUndefined();
  });

  test("parameters of one place may have several names", () => {
    const router = createRouter([get("/jobs/:id"), { ...get("/jobs/:job_id"), method: "PUT" }]);
    expect(router.find("GET", ["jobs", "7"])?.params).toEqual({ id: "7" });
    expect(router.find("PUT", ["jobs", "7"])?.params).toEqual({ job_id: "7" });
  });

  test("the rest may be one segment or many, but not none", () => {
    const router = createRouter([get("/files/*")]);
    expect(router.find("GET", ["files", "a", "b"])?.params).toEqual({ "*": "a/b" });
    expect(router.find("GET", ["files"])).toBeUndefined();
    expect(router.methodsOf(["files"])).toEqual([]);
  });

  test.each([
    [[get("/a/:x"), get("/A/:y")], "GET /A/:y is defined twice"],
    [[get("/a/*/b")], "GET /a/*/b: * must be the last segment"],
  ])("a contradiction is refused when the router is built", (routes, message) => {
    expect(() => createRouter(routes)).toThrow(message);
  });

  test("any path without parameters is found, in any case, and only under its methods", () => {
    const segments = fc.array(fc.stringMatching(/^[a-z0-9_-]{1,8}$/u), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(segments, (path) => {
        const router = createRouter([get(`/${path.join("/")}`)]);
        const shouted = path.map((segment) => segment.toUpperCase());
        expect(router.find("GET", shouted)).toBeDefined();
        expect(router.find("POST", shouted)).toBeUndefined();
        expect(router.methodsOf(shouted)).toEqual(["GET"]);
      }),
    );
  });
});
