import { describe, expect, test } from "vitest";
import { createTaskModels } from "../../../src/application-task-models.ts";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";
import { underOwnNames } from "../../../src/workflow-engine/interpreter/argument-names.ts";
import { validateWorkflow } from "../../../src/workflow-engine/interpreter/validate-workflow.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const findTask = createTaskModels([], createTaskCatalog(taskLibrary));

const errors = (name: string, incoming: Record<string, unknown>): string[] => {
  const workflow = workflowOf("w", { a1: { name, incoming } }, ["start > a1", "a1 > end"]);
  const environment = { findTask, hasTransformation: () => true, hasWorkflow: () => true };
  return validateWorkflow(workflow, environment).errors.map(({ message }) => message);
};

describe("an argument by another name that workflows use for it", () => {
  test.each([
    ["parse", { stringToParse: "{}" }],
    ["parse", { text: "{}" }],
    ["base64ToAscii", { str: "YQ==" }],
    ["asciiToBase64", { str: "$var.job.text" }],
    ["convertTimezone", { inputTime: { time: "x", formatString: "X" }, NewTimezone: "UTC" }],
  ])("is no problem: %s of %j", (name, incoming) => expect(errors(name, incoming)).toEqual([]));

  test("is one beside the name of its own, and where no name is known", () => {
    expect(errors("parse", { text: "{}", stringToParse: "{}" })).toEqual([
      "Input: 'stringToParse' is not defined in task model",
    ]);
    expect(errors("parse", { str: "{}" })).toEqual([
      "Input: 'str' is not defined in task model",
      "Cannot find match for input: text",
    ]);
  });

  test("keeps names that mean something to JavaScript as they are", () => {
    const incoming = JSON.parse('{"__proto__": 1, "toString": 2, "str": 3}') as Record<string, unknown>;
    expect(Object.entries(underOwnNames({ otherNames: { str: "input" } }, incoming))).toEqual([
      ["__proto__", 1],
      ["toString", 2],
      ["input", 3],
    ]);
  });
});
