import { startDemoRouter, type DemoRouter } from "../../../src/demo-routers/index.ts";
import type { WorkflowDocument } from "../../../src/workflow-engine/workflow-schema.ts";
import { routerLogin } from "../../support/device-bench.ts";
import { pathOf, viewCases, type ViewCase } from "../../support/manual-views.ts";
import { twoPeople } from "../../support/repairs.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

// Objects that good requests share. No request learns what they are called, so that they stay.

/** Runs until two people decided. */
export const peopleWorkflow = "good two people";
/** A device that answers, when the bench has its router. */
export const routerDevice = "good router";
export const commandTemplate = "good command template";
/** Somebody who may be told of jobs and may log in. */
export const colleague = { username: "good-colleague", password: "a-long-enough-password" };

/** Waits at a task with this page. */
export function viewWorkflow(name: string): string {
  return `good page ${name}`;
}

function viewWorkflowOf(view: ViewCase): WorkflowDocument {
  const task = { name: view.name, app: view.app, type: "manual" as const, view: pathOf(view), incoming: view.incoming };
  return workflowOf(viewWorkflow(view.name), { ab: task }, ["start > ab", "ab > end", "ab >failure> end"]);
}

const commonWorkflows: readonly WorkflowDocument[] = [
  twoPeople(peopleWorkflow, {
    header: "h",
    message: "m",
    body: "",
    variables: "",
    btn_success: "ok",
    btn_failure: "no",
  }),
  ...viewCases.map(viewWorkflowOf),
];

/** What they are called. */
export const commonNames: readonly string[] = [
  ...commonWorkflows.map(({ name }) => name),
  routerDevice,
  commandTemplate,
  colleague.username,
];

/** Starts the router behind `routerDevice`. */
export function startCommonRouter(): Promise<DemoRouter> {
  return startDemoRouter({ name: "good-router", ...routerLogin });
}

type Post = (path: string, body: unknown) => Promise<unknown>;

/** Makes them all on a platform that has none. */
export async function makeCommonObjects(post: Post, routerPort: number): Promise<void> {
  for (const workflow of commonWorkflows) await post("/workflow_builder/import", { workflow, options: {} });
  const device = { name: routerDevice, host: "127.0.0.1", port: routerPort, platform: "frr", ...routerLogin };
  await post("/inventory/devices", device);
  const commands = [{ command: "show version", rules: [{ rule: "FRR", eval: "contains", severity: "error" }] }];
  await post("/mop/createTemplate", { mop: { name: commandTemplate, commands } });
  await post("/user-management/accounts", { account: colleague });
}
