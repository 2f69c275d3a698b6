import { afterEach, describe, expect, it } from "vitest";
import { HeavyWorkError } from "../../../src/core/heavy-work.ts";
import { TaskError } from "../../../src/core/task.ts";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";

const catalog = createTaskCatalog(taskLibrary);
const context = { now: 0, random: () => 0 };

function run(name: string, incoming: Record<string, unknown>): unknown {
  const result = catalog.find(name)?.run?.(incoming, context);
  return Object.values(result?.outgoing ?? {})[0];
}

const keys = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "__defineGetter__",
  "__lookupSetter__",
  "toJSON",
  "then",
  "length",
];

/** An object with an own member of that name, whatever it is, as JSON text makes it. */
const own = (key: string, value: unknown): Record<string, unknown> =>
  JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`);
const polluted = { polluted: true };

const sinks: Record<string, (key: string) => unknown> = {
  assign: (key) => run("assign", { target: {}, sourceN: own(key, polluted) }),
  setObjectKey: (key) => run("setObjectKey", { obj: {}, path: [key], value: polluted }),
  "setObjectKey below": (key) => run("setObjectKey", { obj: {}, path: [key, key, "polluted"], value: true }),
  merge: (key) => run("merge", { data_to_merge: [{ key, value: polluted }] }),
  "merge twice": (key) =>
    run("merge", {
      data_to_merge: [
        { key, value: polluted },
        { key, value: 1 },
      ],
    }),
  deepmerge: (key) =>
    run("deepmerge", { data_to_merge: [{ value: own(key, polluted) }, { value: own(key, { more: 1 }) }] }),
  modify: (key) => run("modify", { object_to_update: {}, query: `[${key}]`, new_value: polluted }),
  map: (key) => run("map", { arr: [key], map: [polluted] }),
  makeData: (key) => run("makeData", { input: `{"${key}":{"polluted":true}}`, outputType: "json", variables: "" }),
  parse: (key) => run("parse", { text: `{"${key}":{"polluted":true}}` }),
  FlattenJSONFormInput: (key) => run("FlattenJSONFormInput", { input: own(key, [polluted]) }),
  query: (key) => run("query", { pass_on_null: false, query: `:select(${key})`, obj: own(key, polluted) }),
};

const prototypeMembers = Object.getOwnPropertyNames(Object.prototype).sort().join();

describe("names of prototype members", () => {
  afterEach(() => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort().join()).toBe(prototypeMembers);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((Function.prototype as { polluted?: unknown }).polluted).toBeUndefined();
  });

  const rows = Object.entries(sinks).flatMap(([name, sink]) => keys.map((key) => ({ name, sink, key })));

  it.each(rows)("$key is plain data in $name", ({ sink, key }) => {
    const result = sink(key) as object;
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).toEqual([key]);
    expect(JSON.stringify(result)).toContain(JSON.stringify(key));
  });

  it("are no placeholders, no members and no places", () => {
    for (const key of keys) {
      expect(run("makeData", { input: `<!${key}!>`, variables: {} })).toBe(`<!${key}!>`);
      expect(run("objectHasOwnProperty", { obj: {}, prop: key })).toBe(false);
      expect(run("query", { pass_on_null: true, query: key, obj: {} })).toBeNull();
      if (key !== "length")
        expect(() => run("setObjectKey", { obj: { list: [] }, path: ["list", key], value: 1 })).toThrow(TaskError);
    }
  });
});

const zeros = Array.from({ length: 6_000_000 }, () => 0);

describe("results that would not fit", () => {
  it.each<[name: string, incoming: Record<string, unknown>]>([
    ["repeat", { str: "ab", count: 1e15 }],
    ["repeat", { str: "x".repeat(1000), count: 100_000 }],
    ["padStart", { str: "a", targetLength: 1e12, padString: "x" }],
    ["padEnd", { str: "a", targetLength: Number.MAX_VALUE }],
    ["stringConcat", { str: "", stringN: Array.from({ length: 100 }, () => "x".repeat(1_000_000)) }],
    ["join", { arr: Array.from({ length: 1000 }, () => 0), separator: "x".repeat(100_000) }],
    ["replace", { str: "x".repeat(20_000), regExp: "x", flags: "g", newSubstr: "$&$`$'" }],
    ["makeData", { input: "<!a!>".repeat(100), variables: { a: "x".repeat(1_000_000) } }],
    ["arrayConcat", { arr: zeros, arrayN: zeros }],
  ])("are refused before %s makes them", (name, incoming) => {
    expect(() => run(name, incoming)).toThrow(TaskError);
    expect(() => run(name, incoming)).toThrow(/at most \d+ are possible/u);
  });

  it("a text of nothing may be repeated as often as one likes", () => {
    expect(run("repeat", { str: "", count: Number.MAX_SAFE_INTEGER })).toBe("");
  });
});

describe("values that are hard to handle", () => {
  const deep = (levels: number): unknown => {
    let value: unknown = { end: 1 };
    for (let level = 0; level < levels; level++) value = { next: value };
    return value;
  };

  it("too deep a nesting is the task's error", () => {
    const value = deep(200_000);
    expect(() => run("deepmerge", { data_to_merge: [{ value }, { value }] })).toThrow(TaskError);
    expect(() => run("objectToString", { value })).toThrow(TaskError);
    expect(() => run("setObjectKey", { obj: {}, path: Array.from({ length: 200_000 }, () => "a"), value: 1 })).toThrow(
      TaskError,
    );
  });

  it("members that hide what JavaScript calls are the task's error or plain data", () => {
    const impostor = { toString: "no function", toLocaleString: 5, toJSON: "text" };
    expect(() => run("arrayToString", { arr: [impostor] })).toThrow(TaskError);
    expect(() => run("arrayToLocaleString", { arr: [impostor] })).toThrow(TaskError);
    expect(() => run("sort", { arr: [impostor, impostor] })).toThrow(TaskError);
    expect(run("objectToString", { value: impostor })).toBe(JSON.stringify(impostor));
  });

  it("a hostile pattern is given up, to be repeated in a worker", () => {
    const str = `${"a".repeat(80)}!`;
    const hard = "^(a+)+$";
    const condition = { all_true_flag: true, evaluations: [{ operand_1: str, operator: "contains", operand_2: hard }] };
    expect(() => run("match", { str, regExp: hard })).toThrow(HeavyWorkError);
    expect(() => run("search", { str, regexp: "/^(a|a)*$/" })).toThrow(HeavyWorkError);
    expect(() => run("replace", { str, regExp: "(a*)*$b", flags: "g", newSubstr: "" })).toThrow(HeavyWorkError);
    expect(() => run("query", { query: `[n~/${hard}/]`, obj: [{ n: str }] })).toThrow(HeavyWorkError);
    expect(() => run("modify", { object_to_update: [{ n: str }], query: `[n~/${hard}/]`, new_value: 1 })).toThrow(
      HeavyWorkError,
    );
    expect(() => run("evaluation", { evaluation_groups: [condition] })).toThrow(HeavyWorkError);
  });

  it("many easy patterns of one task are counted together", () => {
    const obj = Array.from({ length: 20_000 }, () => ({ n: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" }));
    expect(() => run("query", { query: "[*n~/a*a*$/]", obj })).toThrow(HeavyWorkError);
  });

  it("many opening signs of a placeholder cost no more than reading them", () => {
    const input = "<!".repeat(500_000);
    expect(run("makeData", { input, variables: {} })).toBe(input);
  });
});
