import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isJsonObject } from "../../src/core/json.ts";
import { createTaskCatalog, taskLibrary } from "../../src/task-library/index.ts";

// Every query, evaluation, makeData and merge of the published documents, with values made so that the result is known.

const folder = join(import.meta.dirname, "../../../shared/assets");
const catalog = createTaskCatalog(taskLibrary);

type Values = Record<string, unknown>;
interface Found {
  /** Where it stands, for the name of its test. */
  place: string;
  incoming: Values;
}

const files = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"))
  : [];
const documents = files.map((name) => [name, JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown] as const);

/** Every task of the engine of this name, wherever it is nested. */
function tasksOf(name: string): Found[] {
  return documents.flatMap(([file, document]) => tasksBelow(document, name, file));
}

function tasksBelow(value: unknown, name: string, place: string): Found[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([key, member]) => tasksBelow(member, name, `${place}/${key}`));
  if (!isJsonObject(value) || value["name"] !== name || (value["app"] ?? "WorkFlowEngine") !== "WorkFlowEngine")
    return below;
  const variables = value["variables"];
  const incoming = isJsonObject(variables) ? variables["incoming"] : undefined;
  return isJsonObject(incoming) ? [{ place, incoming }, ...below] : below;
}

function run(name: string, incoming: Values) {
  return catalog.find(name)?.run?.(incoming, { now: 0, random: () => 0.5 });
}

const isReference = (value: unknown): boolean => typeof value === "string" && value.startsWith("$var.");
const isPlainPath = (query: string): boolean => /^(?:[\w-]+|\[(?:\d+|\*)\]|\.)*$/u.test(query);

/** Data in which a plain path leads to the value: `a[0].b` to `{a: [{b: value}]}`. */
function dataFor(query: string, value: unknown): unknown {
  const steps = query.match(/[\w-]+|\[(?:\d+|\*)\]/gu) ?? [];
  return steps.reduceRight<unknown>((inner, step) => {
    if (step === "[*]") return [inner];
    if (!step.startsWith("[")) return { [step]: inner };
    const list: unknown[] = Array.from({ length: Number(step.slice(1, -1)) }, () => null);
    return [...list, inner];
  }, value);
}

/** What a plain path gives there: `[*]` collects. */
const resultOf = (query: string, value: unknown): unknown => (query.includes("[*]") ? [value] : value);

interface Operand {
  task: string;
  variable: unknown;
}
interface Comparison {
  operand_1: Operand;
  operand_2: Operand;
  operator: string;
  query?: string;
  rightQuery?: string;
}

const above = (value: unknown): unknown => Number(value) + 1;
const below = (value: unknown): unknown => Number(value) - 1;
const same = (value: unknown): unknown => value;
const other = (value: unknown): unknown => ({ other: value });

/** First operands for which each comparison with a value holds, and does not. */
const operators: Readonly<Record<string, { holds: (value: unknown) => unknown; fails: (value: unknown) => unknown }>> =
  {
    "==": { holds: same, fails: other },
    "!=": { holds: other, fails: same },
    "<": { holds: below, fails: above },
    "<=": { holds: same, fails: above },
    ">": { holds: above, fails: below },
    ">=": { holds: same, fails: below },
    contains: { holds: same, fails: () => "nothing" },
    "!contains": { holds: () => "nothing", fails: same },
  };

const filters: Readonly<Record<string, { data: unknown; result: unknown }>> = {
  "value[*syncstatus!~/^in-sync$/].devicename": {
    data: {
      value: [
        { devicename: "a", syncstatus: "in-sync" },
        { devicename: "b", syncstatus: "out-of-sync" },
      ],
    },
    result: ["b"],
  },
  "reports[*score!=100.00]": { data: { reports: [{ score: 100 }, { score: 96.5 }] }, result: [{ score: 96.5 }] },
};

describe.skipIf(files.length === 0)("tasks of published workflows (../shared/assets)", () => {
  const queries = tasksOf("query");
  const given = queries.filter(({ incoming: { query } }) => typeof query === "string" && !isReference(query));

  it("has what is counted here", () => {
    const evaluations = tasksOf("evaluation").flatMap(comparisonsOf);
    expect({
      queries: queries.length,
      given: given.length,
      evaluations: tasksOf("evaluation").length,
      comparisons: evaluations.length,
      makeData: tasksOf("makeData").length,
      merge: tasksOf("merge").length,
    }).toEqual({ queries: 68, given: 65, evaluations: 130, comparisons: 155, makeData: 9, merge: 24 });
  });

  it.each(given)("query: $incoming.query ($place)", ({ incoming }) => {
    const query = String(incoming["query"]);
    const found = { found: query };
    const { data, result } = filters[query] ?? { data: dataFor(query, found), result: resultOf(query, found) };
    expect(isPlainPath(query) || query in filters).toBe(true);
    expect(run("query", { ...incoming, obj: data })).toMatchObject({
      finishState: "success",
      outgoing: { return_data: result },
    });
  });

  it.each(tasksOf("evaluation"))("evaluation ($place)", (task) => {
    for (const comparison of comparisonsOf(task)) {
      const { operator, query = "", rightQuery = "", operand_2 } = comparison;
      const cases = operators[operator];
      expect([operator, cases !== undefined, isPlainPath(query), rightQuery]).toEqual([operator, true, true, ""]);
      const second = operand_2.task === "static" ? operand_2.variable : 7;
      for (const [isTrue, choose] of [
        [true, cases?.holds ?? same],
        [false, cases?.fails ?? same],
      ] as const) {
        const first = dataFor(query, choose(second));
        const evaluations = [{ operator, query, rightQuery, operand_1: first, operand_2: second }];
        const result = run("evaluation", {
          ...task.incoming,
          evaluation_groups: [{ all_true_flag: true, evaluations }],
        });
        expect([comparison, result?.outgoing["return_value"]]).toEqual([comparison, isTrue]);
      }
    }
  });

  it.each(tasksOf("makeData"))("makeData: $incoming.input ($place)", ({ incoming }) => {
    const input = isReference(incoming["input"]) ? 7 : String(incoming["input"]);
    const names = [...String(input).matchAll(/<!(.*?)!>/gu)].map(([, name = ""]) => name);
    const variables = Object.fromEntries(names.map((name, index) => [name, `value${index}`]));
    const result = run("makeData", { ...incoming, input, variables });
    const text = names.reduce((left, name) => left.replace(`<!${name}!>`, String(variables[name])), String(input));
    const read: Readonly<Record<string, (text: string) => unknown>> = {
      string: String,
      number: Number,
      json: JSON.parse,
    };
    const output = read[String(incoming["outputType"])]?.(text);
    expect(result).toMatchObject({ finishState: "success", outgoing: { output } });
  });

  it.each(tasksOf("merge"))("merge ($place)", ({ incoming }) => {
    const items = incoming["data_to_merge"] as { key: string; value: Operand }[];
    const resolved = items.map(({ key, value }) => ({
      key,
      value: value.task === "static" ? value.variable : { of: value.task, name: value.variable },
    }));
    const keys = new Set(resolved.map(({ key }) => key));
    expect(keys.size).toBe(resolved.length);
    expect(run("merge", { data_to_merge: resolved })).toEqual({
      finishState: "success",
      outgoing: { merged_object: Object.fromEntries(resolved.map(({ key, value }) => [key, value])) },
    });
  });
});

function comparisonsOf({ incoming }: Found): Comparison[] {
  const groups = incoming["evaluation_groups"] as { evaluations: Comparison[] }[];
  return groups.flatMap(({ evaluations }) => evaluations);
}
