import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn, startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

interface Started {
  data: { _id: string; status: string; error?: { message: unknown }[]; variables: Record<string, unknown> };
}

const look = {
  app: "MOP",
  name: "getDeviceObjectsFiltered",
  type: "automatic",
  incoming: { options: { limit: 1 } },
  outgoing: { result: "$var.job.devices" },
};
const view = {
  name: "ViewData",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};

describe("tasks that act for people", () => {
  let platform: TestPlatform;
  let operator: string;

  beforeAll(async () => {
    platform = await startTestPlatform();
    await platform.importWorkflow(workflowOf("as job", { a1: { ...look, actor: "job" } }, ["start > a1", "a1 > end"]));
    await platform.importWorkflow(
      workflowOf("as platform", { a1: { ...look, actor: "Pronghorn" } }, ["start > a1", "a1 > end"]),
    );
    await platform.importWorkflow(workflowOf("by a person", { ab: view }, ["start > ab", "ab > end"]));
    operator = await addOperator(platform);
  });
  afterAll(() => platform.stop());

  const start = async (workflow: string, token?: string): Promise<Started["data"]> => {
    const path = "/operations-manager/jobs/start?wait=5000";
    return (await platform.request<Started>("POST", path, { workflow }, token)).body.data;
  };

  it("may do what their person may", async () => {
    expect(await start("as job")).toMatchObject({ status: "complete", variables: { devices: [] } });
    expect(await start("as job", operator)).toMatchObject({
      status: "error",
      error: [{ message: { IAPerror: { displayString: "operator-1 may not use MOP.getDeviceObjectsFiltered" } } }],
    });
    expect(await start("as platform", operator)).toMatchObject({ status: "complete" });
  });

  it("err when the account is gone", async () => {
    const gone = await addOperator(platform, "operator-2");
    await platform.importWorkflow(
      workflowOf(
        "later as job",
        { d1: { name: "delay", type: "operation", incoming: { time: 0.2 } }, a1: { ...look, actor: "job" } },
        ["start > d1", "d1 > a1", "a1 > end"],
      ),
    );
    const { body } = await platform.request<Started>(
      "POST",
      "/operations-manager/jobs/start",
      { workflow: "later as job" },
      gone,
    );
    const accounts = await platform.send<{ results: { _id: string; username: string }[] }>(
      "GET",
      "/user-management/accounts",
    );
    const account = accounts.results.find((candidate) => candidate.username === "operator-2");
    await platform.send("DELETE", `/user-management/accounts/${account?._id}`);
    const { data } = await platform.send<Started>("GET", `/operations-manager/jobs/${body.data._id}?wait=5000`);
    expect(data.error).toMatchObject([
      { message: { IAPerror: { displayString: "The account this task acts for is gone or inactive" } } },
    ]);
  });

  it("are claimed for others by administrators only", async () => {
    const job = (await platform.send<Started>("POST", "/operations-manager/jobs/start", { workflow: "by a person" }))
      .data;
    const { data } = await platform.send<{ data: { _id: string; job: { _id: string } }[] }>(
      "GET",
      "/operations-manager/tasks?limit=100",
    );
    const task = data.find((candidate) => candidate.job._id === job._id)?._id;
    const claim = (user: string, token?: string) =>
      platform.request<{ metrics?: { owner: string } }>(
        "POST",
        "/workflow_engine/tasks/claim",
        { task_id: task, user },
        token,
      );
    expect((await claim("admin", operator)).status).toBe(403);
    expect((await claim("nobody")).status).toBe(404);
    expect((await claim("operator-1")).body.metrics?.owner).toBe("operator-1");
    expect((await claim("operator-1", operator)).status).toBe(200);
    expect((await claim("admin")).status).toBe(409);
  });
});

describe("a transformation named at run time", () => {
  it("is looked up when the task runs", async () => {
    const platform = await startTestPlatform();
    const transformation = {
      name: "wrap",
      incoming: [{ $id: "value" }],
      outgoing: [{ $id: "wrapped", type: "object" }],
      steps: [
        {
          id: 1,
          type: "assign",
          from: { location: "incoming", name: "value", ptr: "" },
          to: { location: "outgoing", name: "wrapped", ptr: "/value" },
        },
      ],
      functions: [],
    };
    await platform.send("POST", "/transformations/import", {
      transformation: { _id: "5f00000000000000000000aa", ...transformation },
    });
    await platform.importWorkflow(
      workflowOf(
        "run-time transformation",
        {
          a1: {
            name: "transformation",
            type: "operation",
            incoming: { tr_id: "$var.job.id", variableMap: { value: "$var.job.x" }, options: "" },
            outgoing: { wrapped: "$var.job.out" },
          },
        },
        ["start > a1", "a1 > end"],
      ),
    );
    const start = async (id: string) => {
      const body = { workflow: "run-time transformation", options: { variables: { id, x: 3 } } };
      return (await platform.send<Started>("POST", "/operations-manager/jobs/start?wait=5000", body)).data;
    };
    expect((await start("5f00000000000000000000aa")).variables["out"]).toEqual({ value: 3 });
    expect((await start("5f00000000000000000000bb")).error).toMatchObject([
      { message: { IAPerror: { displayString: "Cannot find transformation 5f00000000000000000000bb" } } },
    ]);
    await platform.stop();
  });
});

/** An account that may start and work jobs, and nothing else. Its session token. */
async function addOperator(platform: TestPlatform, username = "operator-1"): Promise<string> {
  const password = "operator-password-1";
  await platform.send("POST", "/user-management/accounts", { username, password });
  const roles = await platform.send<{ results: { _id: string; provenance: string; name: string }[] }>(
    "GET",
    "/user-management/roles",
  );
  const needed = roles.results.filter(
    (role) => role.name === "operator" && ["WorkFlowEngine", "OperationsManager"].includes(role.provenance),
  );
  const group = await platform.send<{ data: { _id: string } }>("POST", "/user-management/groups", {
    name: `shift of ${username}`,
    description: "on shift",
  });
  await platform.send("PUT", `/user-management/groups/${group.data._id}/roles`, {
    roles: needed.map((role) => role._id),
  });
  const accounts = await platform.send<{ results: { _id: string; username: string }[] }>(
    "GET",
    "/user-management/accounts",
  );
  const account = accounts.results.find((candidate) => candidate.username === username);
  await platform.send("PUT", `/user-management/accounts/${account?._id}/groups`, { groups: [group.data._id] });
  return signIn(platform.platform.url, username, password);
}
