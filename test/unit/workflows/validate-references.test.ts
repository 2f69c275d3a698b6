import { describe, expect, test } from "vitest";
import { workflowOf } from "../../support/workflow-builder.ts";
import { messages } from "../../support/workflow-validation.ts";

describe("validation of references and exits", () => {
  const reading = (edges: string[]) =>
    workflowOf("w", { a: {}, b: { name: "split", incoming: { str: "$var.a.response" } }, c: {} }, edges);

  test.each([
    [["start > b", "b > a", "a > c", "c > end"], "can never have run before"],
    [
      ["start > c", "c > b", "c > a", "a > end", "b > end"],
      "may not have run before: no transition leads from it to this task",
    ],
    [
      ["start > c", "c >failure> a", "c > b", "a > b", "b > end"],
      "may not have run before: the way workflow_start, c success does without it",
    ],
    [
      ["start > c", "c >loop> a", "c > b", "b > end"],
      "may not have run before: the way workflow_start, c success without an element does without it",
    ],
    [["start > a", "start > c", "a > b", "c > b", "a >failure~ a", "b > end"], undefined],
    [["start > c", "c > a", "a > b", "b > end"], undefined],
  ])("%j: what a reference to task 'a' is told", (edges, told) => {
    const expected = told === undefined ? [] : [`b: Input 'str' refers to task 'a' which ${told}`];
    expect(messages(reading(edges), "warnings")).toEqual(expected);
  });

  test("a way of many tasks is cut in the middle, one beside other tasks names them", () => {
    const ids = Array.from({ length: 20 }, (_, index) => `${index + 10}`);
    const chain = ids.slice(1).map((id, index) => `${ids[index]} > ${id}`);
    const tasks = {
      a: {},
      b: { name: "split", incoming: { str: "$var.a.response" } },
      ...Object.fromEntries(ids.map((id) => [id, {}])),
    };
    const edges = ["start > 10", ...chain, "29 > b", "29 >failure> a", "a > b", "b > end"];
    expect(messages(workflowOf("w", tasks, edges), "warnings")).toEqual([
      "b: Input 'str' refers to task 'a' which may not have run before: the way workflow_start, 10 success, 11 success, 12 success, …, " +
        `${ids.slice(11).join(" success, ")} success does without it`,
    ]);
    const beside = workflowOf("w", { ...tasks, c: { name: "evaluation", incoming: { evaluation_groups: [] } } }, [
      ...chain,
      "start > 10",
      "10 > b",
      "start > c",
      "c > a",
      "a > b",
      "b > end",
      "29 > end",
    ]);
    expect(messages(beside, "warnings")).toContain(
      "b: Input 'str' refers to task 'a' which may not have run before: the way workflow_start, 10 success does without it when c failure",
    );
  });

  test("only the first hundred ways are told", () => {
    const readers = Array.from({ length: 150 }, (_, index) => (index + 256).toString(16));
    const read = { name: "split", incoming: { str: "$var.a.response" } };
    const tasks = { a: {}, c: {}, ...Object.fromEntries(readers.map((id) => [id, read])) };
    const edges = readers.flatMap((id) => [`c > ${id}`, `a > ${id}`, `${id} > end`]);
    const told = messages(workflowOf("w", tasks, ["start > c", "c >failure> a", ...edges]), "warnings");
    expect([told.length, told.filter((message) => message.includes("the way")).length]).toEqual([150, 100]);
  });

  test("types that cannot meet are a warning", () => {
    const tasks = {
      a: { name: "split", incoming: { str: "x" } },
      b: { name: "split", incoming: { str: "$var.a.splitArray" } },
    };
    expect(messages(workflowOf("w", tasks, ["start > a", "a > b", "b > end"]), "warnings")).toEqual([
      "b: Input 'str' does not take the type of 'splitArray' of task 'a'",
    ]);
    const pointed = { ...tasks, b: { name: "split", incoming: { str: "$var.a.splitArray#/0" } } };
    expect(messages(workflowOf("w", pointed, ["start > a", "a > b", "b > end"]), "warnings")).toEqual([]);
  });

  test("an evaluation without failure transition is a warning only where no other branch reaches the end", () => {
    const evaluation = { name: "evaluation", incoming: { evaluation_groups: [] } };
    expect(messages(workflowOf("w", { a: evaluation }, ["start > a", "a > end"]), "warnings")).toEqual([
      "a: Evaluation has no failure transition: when it is false the end cannot be reached",
    ]);
    const switched = workflowOf("w", { a: evaluation, b: evaluation }, [
      "start > a",
      "start > b",
      "a > end",
      "b > end",
    ]);
    expect(messages(switched, "warnings")).toEqual([]);
  });
});
