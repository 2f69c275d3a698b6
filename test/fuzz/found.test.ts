import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { workflowOf } from "../support/workflow-builder.ts";

// What fuzzing found once, as small as it could be made.

let server: TestPlatform;
beforeEach(async () => {
  server = await startTestPlatform();
});
afterEach(() => server.stop());

interface Job {
  _id: string;
  status: string;
}

const startJob = (workflow: string) =>
  server.request<{ data: Job }>("POST", "/operations-manager/jobs/start", { workflow });

describe("a workflow that is its own child job", () => {
  const callItself = (name: string, loopType: "" | "sequential" | "parallel") => {
    const incoming = {
      task: "",
      workflow: name,
      variables: {},
      data_array: loopType === "" ? "" : [{}, {}],
      transformation: "",
      loopType,
    };
    const call = { name: "childJob", type: "operation", incoming, outgoing: { job_details: "" } };
    return workflowOf(name, { a1: call }, ["start > a1", "a1 > end"]);
  };
  const total = async (further = "") => {
    const path = `/operations-manager/jobs?limit=1${further}`;
    return (await server.send<{ metadata: { total: number } }>("GET", path)).metadata.total;
  };

  test.each(["", "sequential", "parallel"] as const)(
    "ends with all its descendants when it is canceled (%s)",
    async (loopType) => {
      await server.importWorkflow(callItself("endless", loopType));
      const { body } = await startJob("endless");
      while ((await total()) < 40);
      await server.send("POST", "/workflow_engine/cancelJob", { job_id: body.data._id });
      await server.platform.queue.idle();
      expect(await total("&not-in[status]=canceled")).toBe(0);
    },
  );

  test("finds an end", async () => {
    await server.importWorkflow(callItself("endless", ""));
    await startJob("endless");
    await server.platform.queue.idle();
    expect(await total()).toBe(100);
    expect(await total("&equals[status]=error")).toBe(1);
  });
});

test("a workflow whose groups are no list cannot be started", async () => {
  const workflow = { ...workflowOf("odd groups", {}, ["start > end"]), groups: {} };
  await server.send("POST", "/workflow_builder/import", { workflow });
  expect((await startJob("odd groups")).status).toBe(422);
});

describe("values nested too deep for the log", () => {
  const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

  test("end the task that is given them in error, at the start of the job and later", async () => {
    const pause = { name: "delay", type: "operation", incoming: { time: 0.01 }, outgoing: {} };
    const reverse = { name: "reverse", incoming: { arr: deep(600) }, outgoing: {} };
    await server.importWorkflow(workflowOf("deep at once", { a2: reverse }, ["start > a2", "a2 > end"]));
    const later = workflowOf("deep later", { a1: pause, a2: reverse }, ["start > a1", "a1 > a2", "a2 > end"]);
    await server.importWorkflow(later);
    for (const workflow of ["deep at once", "deep later"]) {
      const path = "/operations-manager/jobs/start?wait=5000";
      const { status, body } = await server.request<{ data: Job }>("POST", path, { workflow });
      expect({ status, job: body.data.status }).toEqual({ status: 200, job: "error" });
    }
  });

  test("are refused of a person who finishes a task with them", async () => {
    const view = "/workflow_engine/task/ViewData";
    const incoming = { header: "", message: "", body: "", variables: "", btn_success: "ok", btn_failure: "" };
    const manual = { name: "ViewData", type: "manual", view, incoming };
    await server.importWorkflow(workflowOf("deep by hand", { a1: manual }, ["start > a1", "a1 > end"]));
    const { data } = await server.send<{ data: Job }>("POST", "/operations-manager/jobs/start", {
      workflow: "deep by hand",
    });
    const path = `/operations-manager/jobs/${data._id}/tasks/a1/finish`;
    const finish = (variables: object) => server.request("POST", path, { taskData: { variables } });
    expect((await finish({ x: deep(600) })).status).toBe(400);
    expect((await finish({ x: deep(100) })).status).toBe(200);
  });
});

test("a project is imported whose transformation lists nothing that can be read", async () => {
  const task = { name: "transformation", variables: { incoming: { tr_id: "61b0c093df69ba016dffc47f" } } };
  const workflow = { name: "x", tasks: { "6f52": task }, transitions: {} };
  for (const incoming of [{}, "x", 1, [null]]) {
    const components = [
      { iid: 0, type: "workflow", reference: "x", folder: "/", document: workflow },
      { iid: 1, type: "transformation", reference: "x", folder: "/", document: { name: "x", incoming } },
    ];
    const project = { name: `odd transformation ${JSON.stringify(incoming)}`, components };
    const body = { project, conflictMode: "insert-new", assignNewReferences: true };
    const { status } = await server.request("POST", "/automation-studio/projects/import", body);
    expect([incoming, status]).toEqual([incoming, 200]);
  }
});
