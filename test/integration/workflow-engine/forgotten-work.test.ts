import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { delay, manual, push } from "../../faults/shape-tasks.ts";
import { createManualClock, type ManualClock } from "../../support/manual-clock.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const edges = (text: string) => text.split(", ");
const window = { scheduled: { start: "2999-01-01T00:00:00Z", end: "2999-01-02T00:00:00Z" } };
const first = { ...push("seen", "first"), join: "any", cancelOthers: true };

const workflows = [
  workflowOf(
    "forgotten timer",
    { a1: delay(3_600), a2: push("seen", "one"), c1: first },
    edges("start > a1, start > a2, a1 > c1, a2 > c1, c1 > end"),
  ),
  workflowOf(
    "forgotten window",
    {
      a1: { ...delay(1), ...(window as object) },
      a2: push("seen", "one"),
      c1: first,
    },
    edges("start > a1, start > a2, a1 > c1, a2 > c1, c1 > end"),
  ),
  { ...workflowOf("forgotten promise", { a1: push("seen", "one") }, edges("start > a1, a1 > end")), sla: 3_600_000 },
  workflowOf("kept timer", { a1: delay(3_600), b1: manual() }, edges("start > a1, start > b1, a1 > end, b1 > end")),
];

describe("work that is asked for and given up in one activation", () => {
  let clock: ManualClock;
  let server: TestPlatform;

  beforeAll(async () => {
    clock = createManualClock();
    server = await startTestPlatform({ clock });
    for (const workflow of workflows) await server.importWorkflow(workflow);
  });
  afterAll(() => server.stop());

  const itemsAfter = async (workflow: string): Promise<{ status: string; items: string[] }> => {
    const body = { workflow, options: { variables: { seen: [] } } };
    const { data } = await server.send<{ data: { _id: string; status: string } }>(
      "POST",
      "/operations-manager/jobs/start",
      body,
    );
    await server.platform.queue.idle();
    const items = await server.platform.store.workItems("", 100);
    return { status: data.status, items: items.map(({ id }) => id).filter((id) => id.startsWith(data._id)) };
  };

  it.each(["forgotten timer", "forgotten window", "forgotten promise"])(
    "%s: nothing of it is left",
    async (workflow) => {
      expect(await itemsAfter(workflow)).toEqual({ status: "complete", items: [] });
    },
  );

  it("keeps what is wanted", async () => {
    const { status, items } = await itemsAfter("kept timer");
    expect({ status, count: items.length }).toEqual({ status: "running", count: 1 });
  });
});
