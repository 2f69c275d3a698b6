import { describe, expect, it } from "vitest";
import type { Task, TaskExample } from "../../../src/core/task.ts";
import { createTaskCatalog, taskLibrary } from "../../../src/task-library/index.ts";
import { SimulatedJob } from "../../support/simulated-job.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const catalog = createTaskCatalog(taskLibrary);
const acting = taskLibrary.filter((task) => task.run === undefined && task.type !== "automatic");
const body = { app: "Outside", location: "Adapter" };

/** A job of one task. A loop has a body, whose first round is not over. */
function start({ name, type }: Task, { incoming, finishState }: TaskExample): SimulatedJob {
  const view = type === "manual" ? { view: "/page" } : {};
  const loop = finishState === "loop" ? ["a1 >loop> b1"] : [];
  const edges = ["start > a1", "a1 > end", "a1 >failure> end", ...loop];
  const workflow = workflowOf("example", { a1: { name, type, incoming, ...view }, b1: body }, edges);
  return new SimulatedJob(workflow, {
    variables: { devices: ["r1", "r2"] },
    transformations: { "65a1b2c3d4e5f60718293a4b": {} },
    environment: {
      findTask: catalog.find,
      transform: (_document, { vpcId = null }) => ({ vpcFilter: { "Filter.1.Value.1": vpcId } }),
    },
  });
}

/** What the task waits for comes, as the example tells it: child jobs, an event, time, a person. */
function bringAbout(job: SimulatedJob, { outgoing = {}, finishState = "success" }: TaskExample): void {
  const iteration = job.iteration("a1");
  for (const { index } of job.take("startChild")) {
    const variables = childVariables(outgoing["job_details"], index);
    job.send({ event: "childEnded", task: "a1", iteration, index, end: { status: "complete", variables } });
  }
  const { wait } = job.state.tasks.get("a1") ?? {};
  const event = { task: "a1", iteration, id: "e1", at: job.at, payload: outgoing["result"] };
  if (wait?.for === "timer") job.ring("a1");
  if (wait?.for === "event") job.send({ event: "eventArrived", ...event });
  if (wait?.for === "person") job.finish("a1", finishState as "success", outgoing);
}

/** What a child ended with, as the details of its parent show it. */
function childVariables(details: unknown, index: number): Record<string, unknown> {
  const { loop, status: _status, ...single } = details as { loop?: Record<string, unknown>[]; status?: string };
  return loop?.[index] ?? single;
}

describe("every task in which the engine or a person acts", () => {
  const rows = acting.flatMap((task) =>
    task.examples.map((example, index) => ({ title: `${task.name} ${index + 1}`, task, example })),
  );

  it.each(rows)("$title does what its example says", ({ task, example }) => {
    const job = start(task, example);
    bringAbout(job, example);
    const ended = job.state.tasks.get("a1");
    if (example.error !== undefined) {
      expect(ended?.finishState).toBe("error");
      expect(JSON.stringify(ended?.error)).toContain(JSON.stringify(example.error).slice(1, -1));
      return;
    }
    expect(ended?.outgoing ?? {}).toEqual(example.outgoing);
    if (example.finishState === "loop") expect([ended?.status, job.status("b1")]).toEqual(["running", "running"]);
    else expect(ended?.finishState).toBe(example.finishState ?? "success");
  });
});
