import { expect, test } from "vitest";
import {
  findingMessage,
  workflowFindings,
  type FindingCode,
  type FindingDefinition,
} from "../../../src/workflow-engine/interpreter/workflow-findings.ts";

const entries = Object.entries(workflowFindings) as [FindingCode, FindingDefinition][];

test.each(entries)("%s has an example for each place of its message, and no other", (code, { message, example }) => {
  const places = [...message.matchAll(/\{(\w+)\}/gu)].map((match) => match[1] ?? "");
  expect(Object.keys(example).toSorted()).toEqual([...new Set(places)].toSorted());
  expect(findingMessage(code, example as never)).not.toMatch(/[{}]|undefined/u);
});

test("no two findings say the same", () => {
  expect(new Set(entries.map(([, { message }]) => message)).size).toBeGreaterThan(entries.length - 3);
});

test("text of a workflow is text, also where it looks like a place", () => {
  expect(findingMessage("unknown-actor", { actor: "{actor} $& $1" })).toBe("Unknown actor: '{actor} $& $1'");
});
