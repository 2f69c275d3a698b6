import { describe, expect, it } from "vitest";
import { modifyAt } from "../../../src/workflow-engine/interpreter/query-path-modify.ts";

const original = () => ({
  name: "r1",
  ports: [
    { id: 1, state: "up" },
    { id: 2, state: "down", tags: ["x"] },
  ],
  groups: { a: [{ n: 1 }], b: [{ n: 2 }] },
  key: "name",
});

describe("modifying a queried place", () => {
  it.each<[query: string, newValue: unknown, changed: object]>([
    ["name", "r2", { name: "r2" }],
    ["site", "Oslo", { site: "Oslo" }],
    ["ports[0].state", "down", { ports: [{ id: 1, state: "down" }, original().ports[1]] }],
    ["ports[2]", { id: 3 }, { ports: [...original().ports, { id: 3 }] }],
    ["ports[id=2].tags[0]", null, { ports: [original().ports[0], { id: 2, state: "down", tags: [null] }] }],
    [
      "ports[*id>0].state",
      "off",
      {
        ports: [
          { id: 1, state: "off" },
          { id: 2, state: "off", tags: ["x"] },
        ],
      },
    ],
    ["ports[*id>9].state", "off", {}],
    ["ports[id=1]", null, { ports: [null, original().ports[1]] }],
    ["ports.tags", [], { ports: [original().ports[0], { id: 2, state: "down", tags: [] }] }],
    [
      "ports[*].state",
      "off",
      {
        ports: [
          { id: 1, state: "off" },
          { id: 2, state: "off", tags: ["x"] },
        ],
      },
    ],
    ["groups[**].n", 0, { groups: { a: [{ n: 0 }], b: [{ n: 0 }] } }],
    ["groups[][n=2].n", 5, { groups: { a: [{ n: 1 }], b: [{ n: 5 }] } }],
    [":get(name)", "r3", { name: "r3" }],
    ["[{key}]", "r4", { name: "r4" }],
    ["ports[id=9].state|name", "r5", { name: "r5" }],
  ])("%s", (query, newValue, changed) => {
    const object = original();
    expect(modifyAt(object, query, newValue)).toEqual({ ...original(), ...changed });
    expect(object).toEqual(original());
  });

  it("replaces the whole for the empty query", () => {
    expect(modifyAt(original(), "", [1])).toEqual([1]);
  });

  it.each(["a.b", "ports[9]", "ports[-1].x", "ports[id=9].state", "name.first", "name[*]"])(
    "%s leads nowhere",
    (query) => {
      expect(() => modifyAt(original(), query, 1)).toThrow(/leads to no place/u);
    },
  );

  it("changes nothing where no element of a list has the member", () => {
    expect(modifyAt(original(), "ports.owner.name", 1)).toEqual(original());
  });

  it("refuses what has no place to change", () => {
    expect(() => modifyAt(original(), "ports:select(id)", 1)).toThrow(/cannot be modified/u);
  });

  it.each(["__proto__", "[__proto__].polluted", "constructor.prototype.polluted", ":get(__proto__)"])(
    "%s changes no prototype",
    (query) => {
      try {
        const changed = modifyAt({ a: 1 }, query, { polluted: true });
        expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
      } catch (thrown) {
        expect(String(thrown)).toContain("leads to no place");
      }
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    },
  );
});
