import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestPlatform, type TestPlatform } from "../support/platform.ts";
import { readBundles, replayBundle } from "./recorded-runs.ts";

const folder = new URL("../../../shared/golden/", import.meta.url).pathname;

describe.skipIf(!existsSync(folder))("recorded runs (skipped where ../shared/golden is absent)", async () => {
  const bundles = existsSync(folder) ? await readBundles(folder) : [];
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());

  it.each(bundles)("of $name end as recorded, with the same job variables", async (bundle) => {
    const outcomes = await replayBundle((method, path, body) => platform.send(method, path, body), bundle);
    expect(outcomes.length).toBe(bundle.runs.length);
    expect(outcomes.filter((outcome) => !outcome.isSame)).toEqual([]);
  });

  it("are all there", () => {
    expect(bundles.flatMap((bundle) => bundle.runs).length).toBe(16);
  });
});
