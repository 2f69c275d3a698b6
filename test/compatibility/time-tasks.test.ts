import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";

const name = "Itential Platform Workflow Utilities.project.json";
const file = join(import.meta.dirname, "../../../shared/assets/projects", name);

interface Job {
  data: { status: string; variables: { queryDoc?: unknown }; error?: unknown };
}

describe.skipIf(!existsSync(file))("a real workflow with time tasks (skipped where ../shared/assets is absent)", () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());

  it("looks for what is older than the days its transformation makes a duration of", async () => {
    const project = JSON.parse(readFileSync(file, "utf8")) as { _id: string };
    await platform.send("POST", "/automation-studio/projects/import", { project, conflictMode: "insert-new" });
    const variables = {
      adapterId: "db",
      createArchiveCollections: false,
      deleteCopiedDataFromCollections: false,
      verbose: false,
      copyMoveJobsDataToCollection: "oldJobs",
      copyMoveTasksDataToCollection: "oldTasks",
      copyMoveDataOlderThanDays: 30,
      batchSize: 100,
    };
    const before = Date.now();
    const { data } = await platform.send<Job>("POST", "/operations-manager/jobs/start?wait=10000", {
      workflow: `@${project._id}: Archive Jobs and Tasks Collections`,
      options: { variables, mocks: { cb10: { outgoing: { result: { response: [] } } } } },
    });
    expect([data.status, data.error]).toEqual(["complete", undefined]);
    const asked = Number(/"\$lt": (\d+)/u.exec(String(data.variables.queryDoc))?.[1]);
    const days = 30 * 86_400_000;
    expect(asked).toBeGreaterThanOrEqual(before - days);
    expect(asked).toBeLessThanOrEqual(Date.now() - days);
  });
});
