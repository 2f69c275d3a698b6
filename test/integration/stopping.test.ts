import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../support/manual-clock.ts";
import { startTestPlatform } from "../support/platform.ts";
import { workflowOf } from "../support/workflow-builder.ts";

const view = {
  name: "ViewData",
  type: "manual",
  view: "/workflow_engine/task/ViewData",
  incoming: { header: "h", message: "m", body: "", variables: "", btn_success: "ok", btn_failure: "" },
};

interface Started {
  data: { status: string };
}

describe("stopping", () => {
  it("answers requests that wait for a job with what it is, and does not wait with them", async () => {
    const platform = await startTestPlatform();
    await platform.importWorkflow(workflowOf("by a person", { ab: view }, ["start > ab", "ab > end"]));
    const waiting = platform.send<Started>("POST", "/operations-manager/jobs/start?wait=300000", {
      workflow: "by a person",
    });
    await new Promise<void>((resolve) => platform.platform.engine.notices.listen(() => resolve()));
    const [{ data }] = await Promise.all([waiting, platform.stop()]);
    expect(data.status).toBe("running");
  });

  it("does not wait for a request that never ends", async () => {
    const clock = createManualClock();
    const platform = await startTestPlatform({ clock });
    const { hostname, port } = new URL(platform.platform.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write("POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
    // Its head has been read once a later request was answered.
    await platform.send("GET", "/whoami");
    const stopped = platform.platform.stop();
    await clock.advance(8_000);
    await stopped;
    socket.destroy();
  });
});
