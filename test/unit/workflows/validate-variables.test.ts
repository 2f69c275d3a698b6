import { describe, expect, test } from "vitest";
import { workflowOf } from "../../support/workflow-builder.ts";
import { messages } from "../../support/workflow-validation.ts";

const adapter = { app: "Outside", location: "Adapter", name: "look" };
const writing = { ...adapter, outgoing: { result: "$var.job.found" } };
const reading = { incoming: { type: "success", delay: "$var.job.found" } };
const told = (workflow: Parameters<typeof messages>[0]) =>
  messages(workflow, "warnings").filter((message) => /job variable|Actor/u.test(message));

describe("job variables that tasks write", () => {
  const choice = ["start > a", "a > b", "a >failure> c", "b > d", "c > d", "d > end"];

  test("are told when there is a way on which none of them does, with the way", () => {
    const workflow = workflowOf("w", { a: {}, b: writing, c: {}, d: reading }, choice);
    expect(told(workflow)).toEqual([
      "d: Input 'delay' reads job variable 'found' which may not have been written before: the way workflow_start, a failure, c success does without it",
    ]);
  });

  test("are not told when each way writes them, by one task or another", () => {
    const edges = ["start > a", "a > b", "a >failure> c", "b > d", "c > d", "d > end"];
    expect(told(workflowOf("w", { a: {}, b: writing, c: writing, d: reading }, edges))).toEqual([]);
    expect(told(workflowOf("w", { a: writing, b: {}, c: {}, d: reading }, edges))).toEqual([]);
  });

  test("are not written by a call that ended in error, but its error is", () => {
    const edges = ["start > b", "b > d", "b >error> e", "e > d", "d > end"];
    const error = { ...adapter, error: "$var.job.found" };
    expect(told(workflowOf("w", { b: writing, e: {}, d: reading }, edges))).toEqual([
      expect.stringContaining("the way workflow_start, b error, e success does without it"),
    ]);
    expect(told(workflowOf("w", { b: error, e: {}, d: reading }, edges))).toEqual([
      expect.stringContaining("the way workflow_start, b success does without it"),
    ]);
    expect(told(workflowOf("w", { b: { ...error, ...writing }, e: {}, d: reading }, edges))).toEqual([]);
  });

  test("are not looked at when they are inputs, said so or read where nothing has written yet, or set by the engine", () => {
    const workflow = workflowOf("w", { a: {}, b: writing, c: {}, d: reading }, choice);
    const said = { ...workflow, inputSchema: { type: "object", properties: { found: {} }, required: [] } };
    expect(told(said)).toEqual([]);
    expect(told(workflowOf("w", { a: reading, b: writing, c: {}, d: reading }, choice))).toEqual([]);
    const engine = { incoming: { type: "success", delay: "$var.job._id" } };
    const own = { ...adapter, outgoing: { result: "$var.job._id" } };
    expect(told(workflowOf("w", { a: {}, b: own, c: {}, d: engine }, choice))).toEqual([]);
  });

  test("are told when no writer gives a type that the reader takes", () => {
    const split = { name: "split", incoming: { str: "x" }, outgoing: { splitArray: "$var.job.found" } };
    const reader = { name: "split", incoming: { str: "$var.job.found" } };
    const edges = ["start > a", "a > d", "d > end"];
    expect(told(workflowOf("w", { a: split, d: reader }, edges))).toEqual([
      "d: Input 'str' does not take the type of job variable 'found' as task a writes it",
    ]);
    const newVariable = (value: unknown) => ({ name: "newVariable", incoming: { name: "found", value } });
    expect(told(workflowOf("w", { a: newVariable(5), d: reader }, edges))).toHaveLength(1);
    expect(told(workflowOf("w", { a: newVariable("5"), d: reader }, edges))).toEqual([]);
    const both = ["start > a", "a > b", "b > d", "d > end"];
    expect(told(workflowOf("w", { a: split, b: newVariable("$var.a.splitArray"), d: reader }, both))).toEqual([]);
  });
});

describe("an actor", () => {
  const manual = { type: "manual", view: "/workflow_engine/task/ViewData" };
  const acting = { ...adapter, actor: "b" };

  test("is no problem when the manual task has run on every way", () => {
    expect(told(workflowOf("w", { b: manual, d: acting }, ["start > b", "b > d", "d > end"]))).toEqual([]);
  });

  test("is told when the manual task comes later, or may be passed by", () => {
    const later = workflowOf("w", { d: acting, b: manual }, ["start > d", "d > b", "b > end"]);
    expect(told(later)).toEqual(["d: Actor: task 'b' can never have run before"]);
    const passed = workflowOf("w", { a: {}, b: manual, d: acting }, [
      "start > a",
      "a >failure> b",
      "a > d",
      "b > d",
      "d > end",
    ]);
    expect(told(passed)).toEqual(["d: Actor: task 'b' may not have run before"]);
  });
});
