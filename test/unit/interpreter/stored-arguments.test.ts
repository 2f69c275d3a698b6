import { describe, expect, it } from "vitest";
import { largestParsed } from "../../../src/core/result-size.ts";
import { StoredValue } from "../../../src/core/stored-value.ts";
import { deepEqual } from "../../../src/workflow-engine/interpreter/deep-equal.ts";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const root = "0123456789abcdef01234567";
const stored = storedIn(root);

function storedIn(tree: string): StoredValue {
  const opened = async function* () {
    yield "[]";
    throw new Error("nobody is to look inside");
  };
  return new StoredValue({ id: `${tree}.s${"0".repeat(64)}`, size: 20_000_000, root: tree }, opened);
}

const call = { app: "Outside", location: "Adapter", name: "read", outgoing: { result: "$var.job.kept" } };
const catalog = createTaskCatalog(taskLibrary);

/** A job in which a task that was answered a value kept in the store is followed by one that takes it. */
function followedBy(task: Record<string, unknown>, variables = {}): SimulatedJob {
  const workflow = workflowOf("w", { a: call, b: task }, ["start > a", "a > b", "b > end"]);
  const job = new SimulatedJob(workflow, { variables, environment: { findTask: catalog.find } });
  return job.answer("a", "success", { result: stored });
}

const operand = (task: string, variable: unknown) => ({ task, variable });
const evaluation = {
  name: "evaluation",
  incoming: {
    all_true_flag: true,
    evaluation_groups: [
      {
        all_true_flag: true,
        evaluations: [
          {
            operand_1: operand("job", "kept"),
            operator: "==",
            operand_2: operand("static", 1),
            query: "",
            rightQuery: "",
          },
        ],
      },
    ],
  },
};

describe("a task that is given a value kept in the store", () => {
  it.each<[string, string, Record<string, unknown>]>([
    ["arrayLength", "arr", { name: "arrayLength", incoming: { arr: "$var.job.kept" } }],
    ["evaluation", "evaluation_groups", evaluation],
    ["query", "obj", { name: "query", incoming: { pass_on_null: false, query: "a", obj: "$var.job.kept" } }],
    ["forEach", "data_array", { name: "forEach", type: "operation", incoming: { data_array: "$var.job.kept" } }],
    [
      "a pointer into it",
      "$var.job.kept#/a",
      { name: "newVariable", incoming: { name: "x", value: "$var.job.kept#/a" } },
    ],
    [
      "deepmerge",
      "data_to_merge",
      {
        name: "deepmerge",
        incoming: {
          data_to_merge: [
            { key: "a", value: operand("job", "kept") },
            { key: "b", value: operand("static", {}) },
          ],
        },
      },
    ],
    [
      "a loop of child jobs",
      "data_array",
      {
        name: "childJob",
        incoming: {
          workflow: "w",
          variables: {},
          data_array: "$var.job.kept",
          transformation: "",
          loopType: "parallel",
        },
      },
    ],
    ["push to it", "Job variable kept", { name: "push", incoming: { job_variable: "kept", item_to_push: 1 } }],
    [
      "updateJobDescription",
      "description",
      { name: "updateJobDescription", incoming: { description: "$var.job.kept" } },
    ],
  ])("ends in error when it would have to look inside: %s", (_, argument, task) => {
    const job = followedBy(task);
    const message = {
      IAPerror: { displayString: expect.stringContaining(`${argument} is kept in the store`) as string },
    };
    expect(job.state.errors).toMatchObject([{ task: "b", message }]);
    expect(JSON.stringify(job.state.errors)).toContain(`20000000 characters as JSON: at most ${largestParsed}`);
  });

  it.each<[string, Record<string, unknown>, (job: SimulatedJob) => unknown]>([
    [
      "newVariable",
      { name: "newVariable", type: "operation", incoming: { name: "x", value: "$var.job.kept" } },
      ({ state }) => state.variables["x"],
    ],
    [
      "push",
      { name: "push", type: "operation", incoming: { job_variable: "list", item_to_push: "$var.job.kept" } },
      ({ state }) => (state.variables["list"] as unknown[])[0],
    ],
    [
      "merge",
      {
        name: "merge",
        incoming: {
          data_to_merge: [
            { key: "a", value: operand("job", "kept") },
            { key: "b", value: operand("static", 1) },
          ],
        },
        outgoing: { merged_object: "$var.job.merged" },
      },
      ({ state }) => (state.variables["merged"] as Record<string, unknown>)["a"],
    ],
  ])("hands it on as it is: %s", (_, task, read) => {
    const job = followedBy(task);
    expect(job.state).toMatchObject({ status: "complete", errors: [] });
    expect(read(job)).toBe(stored);
  });

  it("is handed it by calls, people and child jobs", () => {
    for (const task of [
      { ...call, incoming: { given: "$var.job.kept", within: "$var.job.kept" } },
      { type: "manual", name: "ViewData", incoming: { given: "$var.job.kept" } },
      {
        name: "childJob",
        type: "operation",
        incoming: { workflow: "w", loopType: "", variables: { given: { task: "job", value: "kept" } } },
      },
    ]) {
      const { incoming = {}, status } = followedBy(task).state.tasks.get("b") ?? {};
      expect(status).toBe("running");
      expect({ ...incoming, ...Object(incoming["variables"]) }).toMatchObject({ given: stored });
    }
  });

  it("refuses one of another tree of jobs as a result", () => {
    const job = new SimulatedJob(workflowOf("w", { a: call }, ["start > a", "a > end"]));
    job.answer("a", "success", { result: [storedIn("another")] });
    expect(JSON.stringify(job.state.errors)).toContain("which belongs to another job");
    expect(job.state.variables).not.toHaveProperty("kept");
  });

  it("compares by what it is, never by what is in it", () => {
    const { id, size } = stored;
    expect(deepEqual({ a: stored }, { a: storedIn(root) })).toBe(true);
    expect(deepEqual(stored, { id, size, root })).toBe(false);
    expect(deepEqual(stored, storedIn("another"))).toBe(false);
  });
});
