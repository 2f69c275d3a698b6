import { afterEach, beforeEach, describe } from "vitest";
import { describeDueItems } from "./due-items.ts";
import { describeLocalRuns } from "./local-runs.ts";
import type { QueueHarness } from "./queue-harness.ts";
import { describeRetries } from "./retries.ts";
import { describeStopping } from "./stopping.ts";

/** Gives the harness of the running test. */
export type CurrentHarness = () => QueueHarness;

/** What every work queue must do. `createHarness` makes an empty store and no node yet. */
export function describeWorkQueue(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`work queue: ${name}`, () => {
    let harness: QueueHarness;
    beforeEach(async () => {
      harness = await createHarness();
    });
    afterEach(() => harness.close());
    const current: CurrentHarness = () => harness;

    describeDueItems(current);
    describeLocalRuns(current);
    describeRetries(current);
    describeStopping(current);
  });
}
