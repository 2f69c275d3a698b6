import { describe, expect, test } from "vitest";
import type { WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { workflowOf } from "../../support/workflow-builder.ts";
import { check, messages } from "../../support/workflow-validation.ts";

const sound = (): WorkflowDocument =>
  workflowOf("w", { a: {}, b: { name: "split", incoming: { str: "x" } } }, ["start > a", "a > b", "b > end"]);
const withTask = (parts: object): WorkflowDocument => workflowOf("w", { a: parts }, ["start > a", "a > end"]);

describe("validation of transitions", () => {
  test("a sound workflow has no problems", () => {
    expect(check(sound())).toEqual({ errors: [], warnings: [] });
  });

  test("the smallest document lacks a way to its end, in the words of the field", () => {
    const smallest = workflowOf("w", {}, []);
    expect(check(smallest)).toEqual({
      errors: [
        {
          task: "workflow_end",
          name: "workflow_end",
          message: "Could not find standard transition path between workflow start and task",
        },
      ],
      warnings: [],
    });
  });

  test("tasks that no way leads to are named; a revert transition is no way", () => {
    const workflow = workflowOf("w", { a: {}, b: {}, c: {} }, ["start > a", "a > end", "a >error~ b", "c > end"]);
    expect(messages(workflow, "errors")).toEqual([
      "a: Revert transition to task 'b' does not lead back to an earlier task",
      "b: Could not find standard transition path between workflow start and task",
      "c: Could not find standard transition path between workflow start and task",
    ]);
  });

  test("the body of a loop needs no way to the end", () => {
    const forEach = { name: "forEach", app: "Elsewhere" };
    expect(check(workflowOf("w", { a: forEach, b: {} }, ["start > a", "a >loop> b", "a > end"])).errors).toEqual([]);
  });

  test("cycles, conflicting and dangling transitions are errors", () => {
    const workflow = workflowOf("w", { a: {}, b: {}, c: {} }, [
      "start > a",
      "a > b",
      "b > c",
      "c > b",
      "c > end",
      "b >success~ a",
    ]);
    workflow.transitions["a"] = { ...workflow.transitions["a"], "9": { state: "error", type: "standard" } };
    expect(messages(workflow, "errors")).toEqual([
      "a: Transition leads to task '9' which does not exist",
      "b: Task is part of a cycle of standard transitions",
      "c: Task is part of a cycle of standard transitions",
      "b: Transitions for 'success' are both standard and revert",
    ]);
  });

  test("keys of tasks that are gone are no problem, a missing entry is worth a warning", () => {
    const workflow = sound();
    workflow.transitions["dead"] = {};
    delete workflow.transitions["workflow_end"];
    expect(check(workflow)).toEqual({
      errors: [],
      warnings: [{ task: "workflow_end", name: "workflow_end", message: "Task has no entry in the transitions" }],
    });
  });

  test("a start that goes on only after a failure never goes on", () => {
    expect(messages(workflowOf("w", { a: {} }, ["start >failure> a", "a > end"]), "errors")).toEqual([
      "workflow_start: Workflow start has no success transition",
    ]);
  });

  test.each([
    ["state", { state: "done", type: "standard" }],
    ["type", { state: "success", type: "backwards" }],
  ])("a transition of an unknown %s is an error at its task", (member, transition) => {
    const workflow = { ...sound(), transitions: { ...sound().transitions, a: { b: transition } } };
    const { errors } = check(workflow);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      task: "a",
      name: "stub",
      message: expect.stringContaining(`/transitions/a/b/${member}`),
    });
  });
});

describe("validation of tasks", () => {
  test.each(["description", "location", "app", "type", "variables"])("a task without %s is an error", (field) => {
    const workflow = withTask({});
    delete (workflow.tasks["a"] as Record<string, unknown>)[field];
    expect(messages(workflow, "errors")).toEqual([`a: Missing required field: '${field}'`]);
  });

  test.each([
    [
      "ids that are not hexadecimal",
      workflowOf("w", { task1: {} }, ["start > task1", "task1 > end"]),
      "task1: Task id is not a hexadecimal number of 1 to 4 digits",
    ],
    ["a manual task without a page", withTask({ type: "manual" }), "a: Manual Tasks require 'view' key"],
    ["an unknown type", withTask({ type: "magic" }), "a: Unknown task type: 'magic'"],
    ["an actor that is no manual task", withTask({ actor: "a" }), "a: Unknown actor: 'a'"],
    [
      "an argument that the model does not have",
      withTask({ incoming: { colour: "red" } }),
      "a: Input: 'colour' is not defined in task model",
    ],
    ["a missing argument", withTask({ name: "split" }), "a: Cannot find match for input: str"],
    [
      "an unknown transformation",
      withTask({ name: "transformation", incoming: { tr_id: "x" } }),
      "a: Cannot find transformation x",
    ],
    [
      "a job variable with a dot",
      withTask({ outgoing: { response: "$var.job.a.b" } }),
      "a: Illegal job variable name: 'a.b'",
    ],
    [
      "a reference to a task that does not exist",
      withTask({ incoming: { delay: "$var.9.x" } }),
      "a: Input 'delay' refers to task '9' which does not exist",
    ],
    [
      "a job variable without a name",
      withTask({ name: "newVariable", app: "X", incoming: { name: "", value: 1 } }),
      "a: Illegal job variable name: ''",
    ],
    [
      "a retry on a state that no task ends in",
      withTask({ retrySettings: { state: ["error", "failed"], limit: 3 } }),
      "a: /tasks/a/retrySettings/state: unknown finish state 'failed'",
    ],
    [
      "a limit of retries that is no whole number",
      withTask({ retrySettings: { state: ["error"], limit: 1.5 } }),
      "a: /tasks/a/retrySettings/limit must be a whole number from 0",
    ],
    [
      "a delay of retries below zero",
      withTask({ retrySettings: { state: ["error"], limit: 1, delay: -1 } }),
      "a: /tasks/a/retrySettings/delay must be a number of milliseconds from 0",
    ],
    [
      "an exponential pattern of a string task",
      withTask({ name: "replace", app: "X", incoming: { str: "", regExp: "/(a+)+/", newSubstr: "" } }),
      "a: Regular expression is unsafe: it repeats a group that itself repeats",
    ],
    [
      "an exponential pattern",
      withTask({ name: "query", app: "X", incoming: { query: "a[*b~/(x+)+y/]" } }),
      "a: Regular expression is unsafe: it repeats a group that itself repeats",
    ],
  ])("%s: an error", (_kind, workflow, message) => {
    expect(messages(workflow, "errors")).toEqual([message]);
  });

  test.each([
    ["an unknown method", withTask({ name: "fly" }), "a: Method not found"],
    ["an unknown application", withTask({ app: "Elsewhere" }), "a: No config found for Application: Elsewhere"],
    [
      "a literal of the wrong type",
      withTask({ incoming: { delay: "soon" } }),
      "a: Input 'delay' is string, expected number",
    ],
    [
      "a literal outside the list",
      withTask({ incoming: { type: "maybe" } }),
      `a: Input 'type' must be one of "success", "error"`,
    ],
    [
      "a reference too deep to be resolved",
      withTask({ incoming: { type: { x: "$var.job.y" } } }),
      "a: Reference '$var.job.y' in input 'type' is nested too deep and stays text",
    ],
  ])("%s: a warning", (_kind, workflow, message) => {
    expect(messages(workflow, "errors")).toEqual([]);
    expect(messages(workflow, "warnings")).toContain(message);
  });

  test("an adapter that is not installed and an error that ends the job are warnings", () => {
    const adapterTask = {
      app: "Router",
      name: "getConfig",
      location: "Adapter",
      incoming: { adapter_id: "r1", path: "/" },
    };
    expect(messages(withTask(adapterTask), "warnings")).toEqual([
      "a: No config found for Adapter: Router",
      "a: Adapter task has no error transition: its error ends the job",
    ]);
    const caught = workflowOf("w", { a: adapterTask, b: {} }, ["start > a", "a > end", "a >error> b", "b > end"]);
    expect(messages(caught, "warnings")).toEqual(["a: No config found for Adapter: Router"]);
  });

  test("a child job of an unknown workflow is a warning; a name known at run time only is none", () => {
    const childJob = (workflow: string) =>
      withTask({ name: "childJob", app: "X", incoming: { workflow, variables: {} } });
    expect(messages(childJob("nowhere"), "warnings")).toContain("a: Cannot find workflow nowhere");
    for (const name of ["known", "$var.job.name", ""])
      expect(messages(childJob(name), "warnings").join()).not.toContain("Cannot find");
  });

  test("what is supplied or not given is not asked for", () => {
    const tasks = {
      a: { incoming: { type: "", delay: null } },
      b: { name: "split", incoming: { str: "$var.job.x", job_id: "1" } },
    };
    expect(check(workflowOf("w", tasks, ["start > a", "a > b", "b > end"]))).toEqual({ errors: [], warnings: [] });
  });

  test("retry settings of every kind that the field writes are no problem", () => {
    for (const retrySettings of [
      null,
      { state: ["error", "failure"], autoRetry: true, limit: 3, delay: 3000, count: 0 },
    ])
      expect(check(withTask({ retrySettings })).errors).toEqual([]);
  });

  test("an actor may be a manual task", () => {
    const tasks = { a: { type: "manual", view: "/page" }, b: { actor: "a" } };
    expect(check(workflowOf("w", tasks, ["start > a", "a > b", "b > end"])).errors).toEqual([]);
  });
});

describe("validation of anything", () => {
  test.each([
    [null],
    ["text"],
    [{}],
    [{ name: "", tasks: {}, transitions: {} }],
    [{ name: "w", tasks: { a: null }, transitions: {} }],
    [{ name: "w", tasks: { a: { name: 3 } }, transitions: { a: { b: null } } }],
    [{ name: "w", tasks: { a: { name: "stub", variables: { incoming: [] } } }, transitions: {} }],
  ])("%j is reported place by place and does not break it", (candidate) => {
    const { errors } = check(candidate);
    expect(errors.length).toBeGreaterThan(0);
    for (const problem of errors)
      expect(problem).toEqual({ task: expect.any(String), name: expect.any(String), message: expect.any(String) });
  });

  test.each(["(a+)+", "(a*b)*", "((x+))*", "(?:a{2,})+", "(a|b+)+c"])("%s is unsafe", (pattern) => {
    expect(
      messages(withTask({ name: "query", app: "X", incoming: { query: `[*a~/${pattern}/]` } }), "errors"),
    ).toHaveLength(1);
  });

  test.each(["(ab)+", "a+b+", "[(+)]+", "\\(a+\\)+", "(a+)b+", "(a{2})+", "^in-sync$"])("%s is safe", (pattern) => {
    expect(messages(withTask({ name: "query", app: "X", incoming: { query: `[*a~/${pattern}/]` } }), "errors")).toEqual(
      [],
    );
  });
});
