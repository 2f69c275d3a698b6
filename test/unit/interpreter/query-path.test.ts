import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TaskError } from "../../../src/core/task.ts";
import { compileQueryPath, queryPath } from "../../../src/workflow-engine/interpreter/query-path.ts";

const sites = {
  sites: [
    {
      name: "Oslo",
      region: "north",
      devices: [
        { id: 1, up: true },
        { id: 2, up: false },
      ],
      load: 42,
    },
    { name: "Bergen", region: "west", devices: [{ id: 3, up: true }], load: 7 },
    { name: "AT&T", region: null, devices: [], load: "42", "a.b": "dotted", address: { city: "Dallas" } },
  ],
  total: 3,
  nothing: null,
  empty: "",
  zero: 0,
  "versa-tasks.task": { "versa-tasks.task-status": "done" },
  "soap:Body": { "@name": "body", "x-y": 5 },
  pick: { site: "Bergen", key: "total" },
  groups: {
    a: [{ id: 1, ok: true }],
    b: [
      { id: 2, ok: false },
      { id: 3, ok: true },
    ],
  },
};

const [oslo, bergen, att] = sites.sites;

describe("a query", () => {
  const found: [query: string, value: unknown][] = [
    ["", sites],
    ["total", 3],
    [".total", 3],
    [" total ", 3],
    ["[total]", 3],
    ["sites[0].name", "Oslo"],
    ["sites.[1].name", "Bergen"],
    ["sites.1.name", "Bergen"],
    ["sites.length", 3],
    ["sites[9]", null],
    ["nothing", null],
    ["empty", ""],
    ["zero", 0],
    ["sites.name", ["Oslo", "Bergen", "AT&T"]],
    ["sites.devices.id", [1, 2, 3]],
    ["sites.devices[0].id", 1],
    ["sites.region", ["north", "west", null]],
    ["sites.unknown", []],
    ["sites[*name]", ["Oslo", "Bergen", "AT&T"]],
    ["sites[*].name", ["Oslo", "Bergen", "AT&T"]],
    [
      "groups[*]",
      [
        [{ id: 1, ok: true }],
        [
          { id: 2, ok: false },
          { id: 3, ok: true },
        ],
      ],
    ],
    [
      "groups[**]",
      [
        { id: 1, ok: true },
        { id: 2, ok: false },
        { id: 3, ok: true },
      ],
    ],
    ["groups[**].id", [1, 2, 3]],
    ["groups[**][*ok=true].id", [1, 3]],
    ["groups[][id=2]", { id: 2, ok: false }],
    ["sites[].name", "Oslo"],
    ["sites[name=Bergen]", bergen],
    ["sites[ name = Bergen ].load", 7],
    ['sites[name="Bergen"].load', 7],
    ["sites[name=AT&T].load", "42"],
    ["sites[name=AT&T][a.b]", "dotted"],
    ["sites[address.city=Dallas].name", "AT&T"],
    ["sites[a.b=dotted].name", "AT&T"],
    ["sites[region=null].name", "AT&T"],
    ["sites[*load=42].name", ["Oslo", "AT&T"]],
    ["sites[*load=42.00].name", ["Oslo"]],
    ["sites[*name!=Oslo].name", ["Bergen", "AT&T"]],
    ["sites[*unknown!=x].name", ["Oslo", "Bergen", "AT&T"]],
    ["sites[*name=nowhere]", []],
    ["sites[*name=nowhere].devices", []],
    ["sites[*load>7].name", ["Oslo", "AT&T"]],
    ["sites[*load>=7].name", ["Oslo", "Bergen", "AT&T"]],
    ["sites[*load<8].name", ["Bergen"]],
    ["sites[*load<x].name", ["AT&T"]],
    ["sites[*load<=7].name", ["Bergen"]],
    ["sites[*name~/^[OB]/].name", ["Oslo", "Bergen"]],
    ["sites[*name~/^o/i].name", ["Oslo"]],
    ["sites[*name!~/^o/i].name", ["Bergen", "AT&T"]],
    ["sites[*name~/(l|g)e?[n]|]$/].name", ["Bergen"]],
    ["sites[*name<Bf].name", ["Bergen", "AT&T"]],
    ["sites.map.constructor", []],
    ["sites[*name~erg].name", ["Bergen"]],
    ["sites[*name~/o$|n$/ & load>10].name", ["Oslo"]],
    ["sites[*name=Oslo|name=Bergen].name", ["Oslo", "Bergen"]],
    ["sites[*region=west|load>40&name=Oslo].name", ["Oslo", "Bergen"]],
    ["sites[0].devices[*up=true].id", [1]],
    ["sites.name[*=Oslo]", ["Oslo"]],
    ["sites.name[~/^B/]", "Bergen"],
    ["[versa-tasks.task][versa-tasks.task-status]", "done"],
    ["soap:Body.@name", "body"],
    ["soap:Body.x-y", 5],
    ["[soap:Body].@name", "body"],
    [":get(total)", 3],
    ["soap:Body:get(@name)", "body"],
    [":get(versa-tasks.task):get(versa-tasks.task-status)", "done"],
    ["sites:get(name)[0]", "Oslo"],
    ["sites[0]:select(name, load)", { name: "Oslo", load: 42 }],
    ["sites:select(load)", [{ load: 42 }, { load: 7 }, { load: "42" }]],
    ["sites[name={pick.site}].load", 7],
    ["[{pick.key}]", 3],
    ["unknown|total", 3],
    ["nothing|unknown", null],
    ["sites[name=nowhere].load|nothing|zero", 0],
    ["total|zero", 3],
  ];

  it.each(found)("%s finds", (query, value) => {
    expect(queryPath(query, sites)).toEqual({ found: true, value });
  });

  it.each([
    "unknown",
    "unknown.deeper",
    "nothing.deeper",
    "sites[9].name",
    "sites[-1]",
    "sites[name=nowhere]",
    "sites[name=nowhere].load",
    "total[a=b]",
    "total[*a=b]",
    "total.x",
    "unknown[*].x",
    "unknown[*a=b]",
    "pick[a=b]",
    "[{nothing}]",
    "constructor",
    "__proto__",
    "[__proto__][polluted]",
    ":get(toString)",
    "a key with blanks",
  ])("%s finds nothing", (query) => {
    expect(queryPath(query, sites)).toEqual({ found: false, value: null });
  });

  it.each<[query: string, value: unknown, result: unknown]>([
    ["response.result[0]._ref", { response: { result: [{ _ref: "network/1" }] } }, "network/1"],
    [
      "response.data[*status=removed]",
      { response: { data: [{ status: "removed" }, { status: "kept" }] } },
      [{ status: "removed" }],
    ],
    ["reports[*score!=100.00]", { reports: [{ score: 100 }, { score: 80 }, { score: "100.00" }] }, [{ score: 80 }]],
    [
      "value[*syncstatus!~/^in-sync$/].devicename",
      {
        value: [
          { devicename: "r1", syncstatus: "in-sync" },
          { devicename: "r2", syncstatus: "not-in-sync" },
        ],
      },
      ["r2"],
    ],
    [
      "response[versa-tasks.task][versa-tasks.task-status]",
      { response: { "versa-tasks.task": { "versa-tasks.task-status": "COMPLETED" } } },
      "COMPLETED",
    ],
    [
      "[name=X].id",
      [
        { name: "W", id: 1 },
        { name: "X", id: 2 },
        { name: "X", id: 3 },
      ],
      2,
    ],
    ["loop[*returnStatus=FAILED]", { loop: [{ returnStatus: "SUCCESS" }] }, []],
    [
      "completed[0].response[*].status",
      { completed: [{ response: { r1: { status: "up" }, r2: { status: "down" } } }] },
      ["up", "down"],
    ],
    ["[**].taskStatus", [{ taskStatus: "done" }, [{ taskStatus: "open" }]], ["done", "open"]],
    [
      "response.result.entry[].@name",
      { response: { result: { entry: [{ other: 1 }, { "@name": "rule-1" }] } } },
      "rule-1",
    ],
    [":get(model)[0]", { model: ["C9300", "C9500"] }, "C9300"],
    [":get(WS-C3850 (rev. 2))[0]", { "WS-C3850 (rev. 2)": ["image.bin"] }, "image.bin"],
    [
      "response[180802].metadata.status.flow_last_seen",
      { response: { 180802: { metadata: { status: { flow_last_seen: null } } } } },
      null,
    ],
    ["IAPerror.raw_response.response", { IAPerror: { raw_response: { response: "denied" } } }, "denied"],
  ])("as real workflows write it: %s", (query, value, result) => {
    expect(queryPath(query, value)).toEqual({ found: true, value: result });
  });

  it("works on a list itself", () => {
    expect(queryPath("[name=Oslo].load", sites.sites).value).toBe(42);
    expect(queryPath("[1].name", sites.sites).value).toBe("Bergen");
    expect(queryPath("[**].name", sites.sites).value).toEqual(["Oslo", "Bergen", "AT&T"]);
    expect(queryPath("name", sites.sites).value).toEqual([oslo?.name, bergen?.name, att?.name]);
  });

  it("survives lists that hold more than objects", () => {
    const mixed = { list: [null, 5, "text", [{ id: 1 }], { id: 2 }] };
    expect(queryPath("list.id", mixed).value).toEqual([2]);
    expect(queryPath("list[*id=2]", mixed).value).toEqual([{ id: 2 }]);
    expect(queryPath("list[**].id", mixed).value).toEqual([1, 2]);
  });

  it("finds nothing in what is no container", () => {
    for (const value of [null, undefined, 5, true]) expect(queryPath("a.b", value).found).toBe(false);
    expect(queryPath("", undefined).found).toBe(false);
    expect(queryPath("", null)).toEqual({ found: true, value: null });
  });

  it.each([
    ["a[b", 'missing "]" for the "[" at position 1'],
    ["a.b[*c=/x", 'missing "]" for the "[" at position 3'],
    ["a]b", '"]" without "[" at position 1'],
    ["a:nothing(1)", 'unknown helper "nothing" at position 1'],
    ["a:get(1", 'missing ")" for the "(" at position 5'],
    ["a[b~/(/]", "Invalid regular expression"],
    ["a[b~/x/q]", "flags"],
    ["x".repeat(4001), "longer than 4000"],
    [`${"[{".repeat(9)}a${"}]".repeat(9)}`, "nested deeper"],
  ])("that is malformed is refused with its place: %s", (query, message) => {
    expect(() => compileQueryPath(query)).toThrow(TaskError);
    expect(() => compileQueryPath(query)).toThrow(message);
  });

  it("with a hostile expression is given up", () => {
    const ask = compileQueryPath("[*text~/^(a+)+$/]");
    expect(() => ask([{ text: `${"a".repeat(80)}!` }])).toThrow(/takes too long/u);
  });
});

/** Queries of a document, wherever they stand. */
function collectQueries(value: unknown, queries: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if ((key === "query" || key === "rightQuery") && typeof member === "string") queries.add(member);
    collectQueries(member, queries);
  }
  const { method, args } = value as { method?: unknown; args?: unknown };
  if (method === "query" && Array.isArray(args) && typeof args[1] === "string") queries.add(args[1]);
}

function jsonFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name));
}

const shared = join(process.cwd(), "..", "shared");

describe.skipIf(!existsSync(shared))(
  "the queries of real documents (needs the shared test data beside the project)",
  () => {
    it("all parse", () => {
      const queries = new Set<string>();
      for (const folder of ["assets", "golden", "prebuilts"]) {
        for (const file of jsonFiles(join(shared, folder)))
          collectQueries(JSON.parse(readFileSync(file, "utf8")), queries);
      }
      expect(queries.size).toBeGreaterThan(50);
      for (const query of queries) expect(() => compileQueryPath(query)).not.toThrow();
    });
  },
);
