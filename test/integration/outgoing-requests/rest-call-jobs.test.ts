import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { startScriptedServer, type ScriptedServer } from "../../support/scripted-server.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

/** More characters than a value in memory may have. */
const longest = 17 * 1024 * 1024;
const answers: Readonly<Record<string, string>> = {
  "/devices/r1": '{"name":"r1","vlan":10}',
  "/long": JSON.stringify("a".repeat(longest)),
};

describe("a restCall in a job", () => {
  let platform: TestPlatform;
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer(({ path }, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(answers[path]);
    });
    platform = await startTestPlatform();
  });
  afterAll(() => Promise.all([platform.stop(), server.close()]));

  async function run(
    name: string,
    incoming: object,
  ): Promise<{ status: string; variables: Record<string, unknown>; error?: unknown }> {
    const outgoing = { response: "$var.job.answer" };
    const tasks = {
      a1: {
        name: "restCall",
        app: "WorkFlowEngine",
        type: "automatic",
        incoming: { verb: "GET", ...incoming },
        outgoing,
      },
    };
    const workflow = workflowOf(name, tasks, ["start > a1", "a1 > end"]);
    await platform.importWorkflow(workflow);
    const { data } = await platform.send<{ data: never }>("POST", "/operations-manager/jobs/start?wait=20000", {
      workflow: workflow.name,
    });
    return data;
  }

  it("the answer is a job variable", async () => {
    const { status, variables } = await run("asks an inventory", { uri: `${server.url}/devices/r1` });
    expect([status, variables["answer"]]).toEqual(["complete", { name: "r1", vlan: 10 }]);
  });

  it("an answer that is too large for memory is kept in the store, and read from there", async () => {
    const { status, variables } = await run("asks for much", { uri: `${server.url}/long` });
    expect(status).toBe("complete");
    const size = longest + 2;
    expect(variables["answer"]).toEqual({ large_data: expect.any(String), size });
    const { large_data: id } = variables["answer"] as { large_data: string };
    const kept = await platform.send<string>("GET", `/operations-manager/large-data/${id}`);
    expect(kept.length).toBe(size - 2);
  });

  it("arguments that cannot be used put the job in error, with what is wrong", async () => {
    const job = await run("asks nobody", { uri: "not an address" });
    expect(job.status).toBe("error");
    expect(JSON.stringify(job.error)).toContain("uri is not an address");
  });
});
