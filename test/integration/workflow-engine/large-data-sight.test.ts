import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { manual } from "../../faults/shape-tasks.ts";
import { addWorker, startJob, untilTrue } from "../../support/manual-work.ts";
import { startTestPlatform, type TestPlatform } from "../../support/platform.ts";
import type { SearchPerson } from "../../support/search-people.ts";
import { workflowOf } from "../../support/workflow-builder.ts";

const large = (kind: string) => Array.from({ length: 3_000 }, (_, n) => `line ${n} of ${kind}`.repeat(5));
const hashOf = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
const ofParent = large("the parent");
const ofChild = large("the child");
const childTask = {
  name: "childJob",
  type: "operation" as const,
  incoming: {
    task: "",
    workflow: "sight child",
    variables: {},
    data_array: "",
    transformation: "",
    loopType: "",
  },
};

describe("large values of a tree whose jobs have groups of their own", () => {
  let platform: TestPlatform;
  let root: string;
  let child: string;
  /** Who may see the parent alone, both, the child alone, and neither. */
  let above: SearchPerson;
  let both: SearchPerson;
  let below: SearchPerson;
  let nobody: SearchPerson;

  beforeAll(async () => {
    platform = await startTestPlatform();
    above = await addWorker(platform, "above");
    both = await addWorker(platform, "both");
    below = await addWorker(platform, "below");
    nobody = await addWorker(platform, "nobody");
    const note = { name: "newVariable", type: "operation", incoming: { name: "noted", value: "$var.a1.note" } };
    const inner = workflowOf("sight child", { a1: manual(), a2: note, b1: manual() }, [
      "start > a1",
      "a1 > a2",
      "a2 > b1",
      "b1 > end",
    ]);
    await platform.importWorkflow(inner);
    await platform.importWorkflow(workflowOf("sight parent", { c1: childTask }, ["start > c1", "c1 > end"]));
    const options = { variables: { body: ofParent }, groups: [above.groupId, both.groupId] };
    root = (await startJob(platform, "sight parent", options))._id;
    const path = `/operations-manager/jobs?equals[parent.job]=${root}`;
    const list = () => platform.send<{ data: { _id: string }[] }>("GET", path);
    child = (await untilTrue(list, ({ data }) => data.length === 1)).data[0]?._id ?? "";
    await platform.send("PUT", `/workflow_engine/jobs/${child}/groups`, { groups: [both.groupId, below.groupId] });
    await platform.send("POST", `/operations-manager/jobs/${child}/tasks/a1/finish`, {
      taskData: { finish_state: "success", variables: { note: ofChild } },
    });
  });
  afterAll(() => platform.stop());

  const statusFor = async (value: unknown, { token }: SearchPerson, job = "") => {
    const query = job === "" ? "" : `?job=${job}`;
    const path = `/operations-manager/large-data/${root}.${hashOf(value)}${query}`;
    const reply = await platform.request("GET", path, undefined, token);
    if (reply.status === 200) expect(reply.body).toEqual(value);
    return reply.status;
  };
  const statuses = async (value: unknown, job?: string) => {
    const found: number[] = [];
    for (const person of [above, both, below, nobody]) found.push(await statusFor(value, person, job));
    return found;
  };

  it("are those of the jobs that refer to them, which one may see", async () => {
    expect(await statuses(ofChild, child)).toEqual([404, 200, 200, 404]);
    expect(await statuses(ofParent, root)).toEqual([200, 200, 404, 404]);
    expect(await statuses(ofChild, root)).toEqual([404, 404, 404, 404]);
    expect(await statuses(ofParent, child)).toEqual([404, 404, 404, 404]);
  });

  it("are without a job those of the whole tree for who sees all of it, otherwise those of its top", async () => {
    expect(await statuses(ofChild)).toEqual([404, 200, 404, 404]);
    expect(await statuses(ofParent)).toEqual([200, 200, 404, 404]);
  });
});
