import { afterEach, beforeEach, describe } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { describeAdditions } from "./additions.ts";
import { describeAtomicity } from "./atomicity.ts";
import { describeDocumentForm } from "./document-form.ts";
import { describeDocumentWrites } from "./document-writes.ts";
import { describeFinding } from "./finding.ts";
import { describeLog } from "./log.ts";
import { describeReading } from "./reading.ts";
import { describeRequirements } from "./requirements.ts";
import { describeWatching } from "./watching.ts";
import { describeWorkItems } from "./work-items.ts";

/** Gives the store of the running test: new and empty for each. */
export type CurrentStore = () => Store;

/** What every store must do, whatever it is built on. `createStore` makes an empty store with the platform's collections. */
export function describeStore(name: string, createStore: () => Promise<Store>): void {
  describe(`store: ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await createStore();
    });
    afterEach(() => store.close());
    const current: CurrentStore = () => store;

    describeDocumentWrites(current);
    describeAdditions(current);
    describeRequirements(current);
    describeReading(current);
    describeFinding(current);
    describeDocumentForm(current);
    describeLog(current);
    describeWorkItems(current);
    describeAtomicity(current);
    describeWatching(current);
  });
}
