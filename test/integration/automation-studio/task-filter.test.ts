import { afterEach, beforeEach, expect, test } from "vitest";
import { workflowOf } from "../../support/workflow-builder.ts";
import { createStudioServer, listOf, textOf, type StudioServer } from "./studio-server.ts";

let server: StudioServer;
beforeEach(async () => {
  server = await createStudioServer();
});
afterEach(() => server.close());

test("workflows are found by a task that they have under any id", async () => {
  const one = (name: string) => workflowOf(name, { a: {} }, ["start > a", "a > end"]);
  const delay = { name: "delay", incoming: { time: 7, unit: "x" } };
  const delta = workflowOf("delta", { f1: delay, "2a": { summary: "s" } }, ["start > f1", "f1 > 2a", "2a > end"]);
  const made = [...["alpha", "beta", "gamma"].map(one), delta];
  await server.send("POST", "/automation-studio/automations/import", { automations: made });
  const found = async (query: string) => {
    const { body } = await server.send("GET", `/automation-studio/workflows?${query}&include=name&limit=2`);
    return [listOf<{ name: string }>(body["items"]).map(({ name }) => name), body["total"]];
  };
  expect(await found("task-equals[name]=delay")).toEqual([["delta"], 1]);
  expect(await found("task-equals=delay")).toEqual([["delta"], 1]);
  expect(await found("task-equals[name]=stub")).toEqual([["alpha", "beta"], 4]);
  expect(await found("task-equals[name]=stub&task-equals[summary]=s")).toEqual([["delta"], 1]);
  // No one task is both.
  expect(await found("task-equals[name]=delay&task-equals[summary]=s")).toEqual([[], 0]);
  expect(await found("task-equals[variables.incoming.time]=7")).toEqual([["delta"], 1]);
  expect(await found("task-equals[name]=stub&equals[name]=beta")).toEqual([["beta"], 1]);
  expect(await found("task-equals[name]=nothing")).toEqual([[], 0]);
  const first = await server.send("GET", "/automation-studio/workflows?task-equals[name]=stub&limit=3");
  const next = await server.send("GET", textOf(first.body["next"]));
  expect(listOf<{ name: string }>(next.body["items"]).map(({ name }) => name)).toEqual(["gamma"]);
  const wrong = await server.send("GET", "/automation-studio/workflows?task-equals[no name!]=x");
  expect(wrong.status).toBe(400);
});
