import { describe, expect, it } from "vitest";
import { findLoops, loopProblems } from "../../../src/workflow-engine/interpreter/loop-analysis.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const forEach = { name: "forEach", type: "operation" };
const tasks = { f1: forEach, f2: forEach, a1: {}, b1: {}, c1: {}, d1: {} };
const only = (...names: (keyof typeof tasks)[]) => Object.fromEntries(names.map((name) => [name, tasks[name]]));

describe("loops of a workflow", () => {
  it("are forEach tasks with their bodies, and what revert transitions run again", () => {
    const workflow = workflowOf("w", only("f1", "a1", "b1", "c1", "d1"), [
      "start > c1",
      "c1 > f1",
      "f1 >loop> a1",
      "a1 > b1",
      "f1 > d1",
      "d1 >failure~ c1",
      "d1 > end",
    ]);
    expect(findLoops(workflow)).toEqual([
      ["f1", "a1", "b1"],
      ["c1", "f1", "d1"],
    ]);
    expect(loopProblems(workflow)).toEqual([]);
  });

  it("may lie one within the other", () => {
    const workflow = workflowOf("w", only("f1", "f2", "a1", "b1", "c1"), [
      "start > f1",
      "f1 >loop> a1",
      "a1 > f2",
      "f2 >loop> b1",
      "f2 > c1",
      "b1 >failure~ b1",
      "f1 > end",
    ]);
    expect(findLoops(workflow)).toEqual([["f1", "f2", "a1", "b1", "c1"], ["f2", "b1"], ["b1"]]);
    expect(loopProblems(workflow)).toEqual([]);
  });

  it.each([
    ["without a body", ["start > f1", "f1 > end"], [["f1", "The loop has no body"]]],
    [
      "with a body that leads out",
      ["start > f1", "f1 >loop> a1", "a1 > b1", "f1 > b1", "b1 > end"],
      [["a1", "The transition to b1 leads out of the body of the loop f1"]],
    ],
    [
      "with a body that leads back to its head",
      ["start > f1", "f1 >loop> a1", "a1 > f1", "f1 > end"],
      [["a1", "The transition to f1 leads out of the body of the loop f1"]],
    ],
    [
      "with a revert transition out of its body",
      ["start > b1", "b1 > f1", "f1 >loop> a1", "a1 >failure~ b1", "f1 > end"],
      [["a1", "The revert transition to b1 leads out of the body of the loop f1"]],
    ],
    [
      "with a way past its head into its body",
      ["start > b1", "b1 > f1", "b1 >failure> a1", "f1 >loop> a1", "f1 > end"],
      [["b1", "The transition to a1 leads into the body of the loop f1"]],
    ],
    [
      "whose bodies overlap",
      ["start > f1", "start > f2", "f1 >loop> a1", "f2 >loop> a1", "f1 > end", "f2 > end"],
      [
        ["f2", "The transition to a1 leads into the body of the loop f1"],
        ["f1", "The transition to a1 leads into the body of the loop f2"],
        ["f1", "The bodies of the loops f1 and f2 overlap"],
      ],
    ],
  ])("are refused %s", (_what, edges, expected) => {
    const named = Object.keys(tasks).filter((id) => edges.some((edge) => edge.includes(id)));
    const workflow = workflowOf("w", only(...(named as (keyof typeof tasks)[])), edges);
    const found = loopProblems(workflow).map(({ task, message }) => [task, message]);
    expect(found).toEqual(
      expected.map(([task, message]) => [task, expect.stringContaining(String(message)) as string]),
    );
  });

  it("are none where there are none", () => {
    const workflow = workflowOf("w", only("a1"), ["start > a1", "a1 > end"]);
    expect([findLoops(workflow), loopProblems(workflow)]).toEqual([[], []]);
  });
});
