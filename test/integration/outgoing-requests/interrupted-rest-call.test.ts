import { once } from "node:events";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform } from "../../support/platform.ts";
import { startScriptedServer, type ScriptedServer } from "../../support/scripted-server.ts";
import { startServerProcess } from "../../support/server-process.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const json = { "content-type": "application/json" };

/** Says nothing to the first request of each kind: it is under way until its node is gone. */
let outside: ScriptedServer;
beforeEach(async () => {
  outside = await startScriptedServer(({ path }, response) => {
    if (outside.seen.filter((request) => request.path === path).length === 1) {
      // One is broken off before its answer has begun, the other in the middle of it.
      if (path === "/half") response.writeHead(200, { ...json, "content-length": "100" }).write("{");
      return;
    }
    response.writeHead(201, json).end('{"id":7}');
  });
});
afterEach(() => outside.close());

const paths = ["/silent", "/half"];
const ids = ["a1", "b1"];
const workflow = () =>
  workflowOf(
    "orders twice",
    Object.fromEntries(
      ids.map((id, index) => [
        id,
        {
          name: "restCall",
          app: "WorkFlowEngine",
          type: "automatic",
          incoming: { uri: outside.url + paths[index], verb: "POST", body: { vlan: 10 } },
          outgoing: { response: `$var.job.${id}` },
        },
      ]),
    ),
    ids.flatMap((id) => [`start > ${id}`, `${id} > end`]),
  );
const start = { workflow: "orders twice" };
const done = { data: { status: "complete", variables: { a1: { id: 7 }, b1: { id: 7 } } } };

interface Started {
  data: { _id: string };
}

const bothAsked = () => Promise.all(paths.map((path) => once(outside.requests, path)));

/** Each was asked twice, with a key of its own that both requests carried. */
function expectSharedKeys(): void {
  const keys = paths.map((path) => outside.seen.filter((seen) => seen.path === path).map((seen) => keyOf(seen)));
  for (const [first, second, ...further] of keys) {
    expect(first).toMatch(/./u);
    expect([second, further]).toEqual([first, []]);
  }
  expect(keys[0]?.[0]).not.toBe(keys[1]?.[0]);
}

function keyOf({ headers }: ScriptedServer["seen"][number]): string {
  return String(headers["idempotency-key"] ?? "");
}

it("calls that a node does not wait for when it stops are made again, with the same key", async () => {
  const clock = createManualClock();
  const first = await startTestPlatform({ clock });
  await first.importWorkflow(workflow());
  const asked = bothAsked();
  const { data } = await first.send<Started>("POST", "/operations-manager/jobs/start", start);
  await asked;
  const restarted = first.restart({ clock });
  // The node waits for eight seconds; then the lease of its work ends.
  await clock.advance(8_000);
  const second = await restarted;
  try {
    await clock.advance(5_000);
    await second.platform.queue.idle();
    expect(await second.send("GET", `/operations-manager/jobs/${data._id}`)).toMatchObject(done);
    expectSharedKeys();
  } finally {
    await second.stop();
  }
});

it("so are those of a node that was killed", { timeout: 120_000 }, async () => {
  const first = await startServerProcess();
  await first.request("POST", "/workflow_builder/import", { workflow: workflow(), options: {} });
  const asked = bothAsked();
  const { data } = (await first.request("POST", "/operations-manager/jobs/start", start)) as Started;
  await asked;
  const askedAgain = bothAsked();
  await first.kill();
  const second = await first.restart();
  try {
    await askedAgain;
    const path = `/operations-manager/jobs/${data._id}`;
    await expect.poll(() => second.request("GET", path), { timeout: 60_000 }).toMatchObject(done);
    expectSharedKeys();
  } finally {
    await second.stop();
  }
});
