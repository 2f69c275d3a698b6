import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/json.ts";
import { mostEffort } from "../../../src/core/heavy-work.ts";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";
import { createTransformer } from "../../../src/transformations/create-transformer.ts";
import { queryPath } from "../../../src/workflow-engine/interpreter/query-path.ts";
import {
  compileRegularExpression,
  patternAllowance,
} from "../../../src/workflow-engine/interpreter/regular-expression.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { assign, method, transformation } from "../transformations/document-builder.ts";

const { find } = createTaskCatalog(taskLibrary);
/** What an activation does before it lets others run. */
const enough = 1_000;
const ids = Array.from({ length: 1_200 }, (_, place) => `a${place.toString(16)}`);

/** The same task 1,200 times, as far as the first activation comes. */
function firstActivation(name: string, incoming: Record<string, unknown>, variables: Record<string, unknown> = {}) {
  const effort = { spent: 0 };
  const transform = createTransformer({
    effort,
    now: () => 0,
    random: () => 0.5,
    query: (query, value) => queryPath(query, value, patternAllowance({ effort })),
    compileRegularExpression: (source, flags) => compileRegularExpression(source, flags, patternAllowance({ effort })),
  });
  const places = ["start", ...ids, "end"];
  const edges = places.slice(1).map((id, place) => `${places[place]} > ${id}`);
  const tasks = Object.fromEntries(ids.map((id) => [id, { name, incoming }]));
  const job = new SimulatedJob(workflowOf("chain", tasks, edges), {
    variables,
    transformations: { busy: busy as JsonObject },
    environment: { findTask: find, transform, effort },
  });
  const done = ids.filter((id) => job.status(id) === "complete").length;
  return { job, done, spent: effort.spent, goesOn: job.take("proceed").length === 1 };
}

/** Two thousand steps, of which each needs the one before. */
const busy = transformation({
  incoming: ["a"],
  outgoing: ["b"],
  steps: Array.from({ length: 2_000 }, (_, place) => [
    method(place + 1, "String.concat", ["", ""]),
    assign(place === 0 ? "in.a" : String(place), `${place + 1}:0`),
  ])
    .flat()
    .concat(assign("2000", "out.b")),
});
const rows = (count: number) => Array.from({ length: count }, (_, place) => ({ name: `r${place}`, vlan: place }));
const backtracking = "(a+)+$";

/** Tasks, and how many of them an activation does about. */
const tasks: [string, string, Record<string, unknown>, number, Record<string, unknown>?][] = [
  ["small ones", "newVariable", { name: "x", value: 1 }, 950],
  ["values of 3,000 members", "newVariable", { name: "y", value: "$var.job.rows" }, 16, { rows: rows(1_000) }],
  ["texts of 200,000 characters", "toUpperCase", { str: "x".repeat(200_000) }, 24],
  ["long arrays", "pop", { job_variable: "rows" }, 10, { rows: rows(10_000) }],
  ["CSV near the limit of what is computed here", "csvStringToJson", { input: "a,b\n".repeat(4_000) }, 2],
  [
    "schemas that are held against many values",
    "validateJsonSchema",
    { jsonData: rows(30), schema: { items: { anyOf: [{ type: "string" }, { type: "object" }] } } },
    4,
  ],
  ["patterns that search", "search", { str: `${"a".repeat(12)}b`, regexp: backtracking }, 4],
  ["transformations of 2,000 steps", "transformation", { tr_id: "busy", variableMap: { a: "a" }, options: {} }, 38],
];

describe("an activation", () => {
  it.each(tasks)("of %s ends when it has done enough", (_title, name, incoming, about, variables) => {
    const { job, done, spent, goesOn } = firstActivation(name, incoming, variables);
    expect([job.state.status, goesOn]).toEqual(["running", true]);
    expect(done).toBeGreaterThan(about / 2);
    expect(done).toBeLessThan(about * 2);
    expect(spent).toBeGreaterThanOrEqual(enough);
    // One more task at most, whatever that costs.
    expect(spent).toBeLessThan(enough + 2 * mostEffort);
  });

  it("does the rest in the next ones, each task once", () => {
    const { job } = firstActivation("toUpperCase", { str: "x".repeat(200_000) });
    for (let rounds = 0; job.state.status === "running" && rounds < ids.length; rounds++)
      job.send({ event: "proceed" });
    expect(job.state.status).toBe("complete");
    expect(ids.every((id) => job.runs(id) === 1)).toBe(true);
  });

  it("counts what a task did before it was given up for a worker", () => {
    const { job, spent, goesOn } = firstActivation("search", { str: `${"a".repeat(40)}b`, regexp: backtracking });
    expect(job.take("call")).toHaveLength(1);
    expect(goesOn).toBe(false);
    expect(spent).toBeGreaterThanOrEqual(mostEffort);
  });
});
