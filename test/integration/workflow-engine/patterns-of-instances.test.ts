import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPatternBench, type PatternBench, type PatternJob } from "../../support/pattern-bench.ts";

/** What tasks noted, in the order in which they did. */
const noted = ({ variables }: PatternJob): unknown => variables["done"];

describe("control-flow patterns of multiple instances", () => {
  let bench: PatternBench;
  beforeAll(async () => {
    bench = await startPatternBench();
  });
  afterAll(() => bench.stop());

  it("12 multiple instances without synchronisation: the rest does not wait for them", async () => {
    const job = await bench.start(12, { items: [{}, {}] });
    const children = await bench.children(job, "a1", 2);
    expect(noted(await bench.reaches(job, "a1:running", "c1:complete"))).toEqual(["went on", "and on"]);
    for (const child of children) await bench.finish(child, "a1");
    await bench.ends(job);
  });

  it.each([
    [13, {}, 3],
    [14, { items: [{}, {}, {}, {}] }, 4],
  ])("%i multiple instances: all at once, and what follows waits for all", async (pattern, variables, count) => {
    const job = await bench.start(pattern, variables);
    const [first, ...others] = await bench.children(job, "a1", count);
    for (const child of others) await bench.finish(child, "a1");
    await bench.ends(others[0] ?? "");
    expect(noted(await bench.job(job))).toBeUndefined();
    await bench.finish(first ?? "", "a1");
    const ended = await bench.ends(job);
    expect(noted(ended)).toEqual(["all done"]);
    expect((ended.variables["details"] as { loop: unknown[] }).loop).toHaveLength(count);
  });

  it("26 cancel multiple instance activity: instances end, and nothing follows", async () => {
    const job = await bench.start(26, { items: [{}, {}] });
    const children = await bench.children(job, "a1", 2);
    await bench.finish(job, "b1");
    const ended = await bench.ends(job);
    expect([ended.tasks["a1"]?.status, noted(ended)]).toEqual(["canceled", undefined]);
    for (const child of children) await bench.ends(child, "canceled");
  });

  it("27 complete multiple instance activity: instances left end, and what follows runs", async () => {
    const job = await bench.start(27, { items: [{}, {}] });
    const [first, second] = await bench.children(job, "a1", 2);
    await bench.finish(first ?? "", "a1");
    await bench.finish(job, "b1");
    expect(noted(await bench.ends(job))).toEqual(["went on"]);
    await bench.ends(first ?? "", "complete");
    await bench.ends(second ?? "", "canceled");
  });

  it("34 static partial join for multiple instances: success from so many on, else failure", async () => {
    const enough = await bench.start(34, { items: [{}, {}, {}] });
    for (const child of (await bench.children(enough, "a1", 3)).slice(1)) await bench.finish(child, "a1");
    const ended = await bench.ends(enough);
    expect(noted(ended)).toEqual(["enough"]);
    expect(ended.variables["details"]).toMatchObject({ loop: [{ childJobLoopIndex: 1 }, { childJobLoopIndex: 2 }] });
    const few = await bench.start(34, { items: [{}, {}, {}] });
    const [first, ...others] = await bench.children(few, "a1", 3);
    await bench.platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: others });
    await bench.finish(first ?? "", "a1");
    expect(noted(await bench.ends(few))).toEqual(["too few"]);
  });

  it("35 cancelling partial join for multiple instances: bounded, and the rest is not done", async () => {
    const job = await bench.start(35, { items: [{}, {}, {}, {}, {}] });
    const all = new Set<string>();
    const done = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const [next, other] = await bench.children(job, "a1", 2);
      for (const child of [next, other]) all.add(child ?? "");
      await bench.finish(next ?? "", "a1");
      await bench.ends(next ?? "");
      done.add(next ?? "");
    }
    const ended = await bench.ends(job);
    expect([noted(ended), ended.tasks["a1"]?.childJobs?.length]).toEqual([["enough"], 4]);
    for (const child of all) await bench.ends(child, done.has(child) ? "complete" : "canceled");
  });

  it("35 cancelling partial join for multiple instances: fails when too many fail", async () => {
    const job = await bench.start(35, { items: [{}, {}, {}, {}, {}] });
    const [first] = await bench.children(job, "a1", 2);
    await bench.platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: [first] });
    await bench.ends(first ?? "", "canceled");
    const [second, third] = await bench.children(job, "a1", 2);
    await bench.platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: [second] });
    expect(noted(await bench.ends(job))).toEqual(["too many failed"]);
    await bench.ends(third ?? "", "canceled");
  });
});
