import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findForwardPaths } from "../../../src/workflow-engine/interpreter/forward-paths.ts";
import {
  compileWorkflowGraph,
  downstreamOf,
  edgesFrom,
  loopBody,
  standardPredecessors,
  tasksOnStandardCycles,
  upstreamOf,
} from "../../../src/workflow-engine/interpreter/workflow-graph.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const ids = ["a", "b", "c", "d", "e", "f"];
const graphOf = (edges: string[]) =>
  compileWorkflowGraph(workflowOf("w", Object.fromEntries(ids.map((id) => [id, {}])), edges));

describe("graph of a workflow", () => {
  test("knows what leaves and enters a task, in the order of the document", () => {
    const graph = graphOf(["start > a", "a > b", "a >failure> c", "b > c", "c > end"]);
    expect(edgesFrom(graph, "a")).toEqual([
      { from: "a", to: "b", state: "success", type: "standard" },
      { from: "a", to: "c", state: "failure", type: "standard" },
    ]);
    expect(standardPredecessors(graph, "c")).toEqual(["a", "b"]);
  });

  test("leaves out transitions of tasks that do not exist and takes a missing entry for none", () => {
    const workflow = workflowOf("w", { a: {} }, ["start > a", "a > end"]);
    delete workflow.transitions["workflow_end"];
    workflow.transitions["dead"] = { a: { state: "success", type: "standard" } };
    workflow.transitions["a"] = { ...workflow.transitions["a"], gone: { state: "error", type: "standard" } };
    const graph = compileWorkflowGraph(workflow);
    expect(standardPredecessors(graph, "a")).toEqual(["workflow_start"]);
    expect(edgesFrom(graph, "a").map((edge) => edge.to)).toEqual(["workflow_end"]);
    expect(edgesFrom(graph, "workflow_end")).toEqual([]);
  });

  test("revert transitions count neither for joins nor for what lies downstream", () => {
    const graph = graphOf(["start > a", "a > b", "b >failure~ a", "b > end"]);
    expect(standardPredecessors(graph, "a")).toEqual(["workflow_start"]);
    expect([...downstreamOf(graph, ["b"])]).toEqual(["b", "workflow_end"]);
    expect(tasksOnStandardCycles(graph)).toEqual([]);
  });

  test("the body of a loop is what its loop transitions lead to", () => {
    const graph = graphOf(["start > a", "a >loop> b", "b > c", "b >failure> d", "a > e", "e > end"]);
    expect(loopBody(graph, "a")).toEqual(new Set(["b", "c", "d"]));
    expect(loopBody(graph, "e")).toEqual(new Set());
  });

  test("the body of a loop is not what follows the loop as well, and cannot be left", () => {
    const graph = graphOf(["start > a", "a >loop> b", "b > c", "b >failure> a", "c > e", "c >failure~ b", "a > e"]);
    expect(loopBody(graph, "a")).toEqual(new Set(["b", "c"]));
    expect(edgesFrom(graph, "b").map((edge) => edge.to)).toEqual(["c"]);
    expect(edgesFrom(graph, "c").map((edge) => edge.to)).toEqual(["b"]);
    expect(standardPredecessors(graph, "e")).toEqual(["a"]);
    expect(tasksOnStandardCycles(graph)).toEqual([]);
  });

  test("names the tasks on a cycle, not those behind it", () => {
    const graph = graphOf(["start > a", "a > b", "b > c", "c > b", "c > d", "d > end", "e > e"]);
    expect(tasksOnStandardCycles(graph)).toEqual(["b", "c", "e"]);
  });

  test("a task lies upstream of another exactly when that lies downstream of it", () => {
    const pair = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids));
    fc.assert(
      fc.property(fc.uniqueArray(pair, { maxLength: 14, selector: ([from, to]) => from + to }), (pairs) => {
        const graph = graphOf(pairs.map(([from, to]) => `${from} > ${to}`));
        for (const one of ids) {
          for (const other of ids) {
            expect(upstreamOf(graph, [other]).has(one)).toBe(downstreamOf(graph, [one]).has(other));
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("forward paths", () => {
  test("are all ways along standard transitions", () => {
    const workflow = workflowOf("w", { a: {}, b: {}, c: {} }, [
      "start > a",
      "a > b",
      "a >failure> c",
      "b > c",
      "c > end",
      "c >failure~ a",
    ]);
    expect(findForwardPaths(workflow, "workflow_start", "workflow_end")).toEqual([
      ["workflow_start", "a", "b", "c", "workflow_end"],
      ["workflow_start", "a", "c", "workflow_end"],
    ]);
    expect(findForwardPaths(workflow, "c", "a")).toEqual([]);
    expect(findForwardPaths(workflow, "b", "b")).toEqual([["b"]]);
  });

  test("end on cycles and refuse tasks that do not exist", () => {
    const workflow = workflowOf("w", { a: {}, b: {} }, ["start > a", "a > b", "b > a", "b > end"]);
    expect(findForwardPaths(workflow, "workflow_start", "workflow_end")).toEqual([
      ["workflow_start", "a", "b", "workflow_end"],
    ]);
    expect(() => findForwardPaths(workflow, "a", "f00")).toThrow("Task f00 is not part of the workflow");
  });

  test("more of them than anybody reads are refused at once", () => {
    const many = Array.from({ length: 60 }, (_, index) => index.toString(16));
    const edges = many.flatMap((id, index) =>
      index + 2 < many.length ? [`${id} > ${many[index + 1]}`, `${id} >failure> ${many[index + 2]}`] : [],
    );
    const workflow = workflowOf("w", Object.fromEntries(many.map((id) => [id, {}])), edges);
    expect(() => findForwardPaths(workflow, "0", many.at(-1) as string)).toThrow("more than 10000 forward paths");
  });
});
