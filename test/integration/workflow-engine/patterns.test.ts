import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPatternBench, type PatternBench, type PatternJob } from "../../support/pattern-bench.ts";

/** What tasks noted, in the order in which they did. */
const noted = ({ variables }: PatternJob): unknown => variables["done"];
const runs = ({ tasks }: PatternJob, taskId: string): number => tasks[taskId]?.iterations.length ?? 0;
const countOf = ({ tasks }: PatternJob, status: string): number =>
  Object.values(tasks).filter((task) => task.status === status).length;

describe("control-flow patterns", () => {
  let bench: PatternBench;
  beforeAll(async () => {
    bench = await startPatternBench();
  });
  afterAll(() => bench.stop());

  it("1 sequence: one after the other", async () => {
    expect(noted(await bench.ends(await bench.start(1)))).toEqual(["first", "second", "third"]);
  });

  it("2 parallel split: both branches are open at once", async () => {
    const job = await bench.start(2);
    await bench.reaches(job, "a1:running", "b1:running");
    await bench.finish(job, "b1");
    await bench.finish(job, "a1");
    await bench.ends(job);
  });

  it("3 synchronisation: nothing follows before both are there, and once", async () => {
    const job = await bench.start(3);
    await bench.finish(job, "b1");
    expect(noted(await bench.reaches(job, "a1:running", "c1:incomplete"))).toBeUndefined();
    await bench.finish(job, "a1");
    const joined = await bench.reaches(job, "c1:complete", "d1:running");
    expect([noted(joined), runs(joined, "d1")]).toEqual([["joined"], 1]);
  });

  it.each([
    ["big", ["big"]],
    ["other", ["small"]],
  ])("4 exclusive choice: %s takes one branch", async (kind, done) => {
    expect(noted(await bench.ends(await bench.start(4, { kind })))).toEqual(done);
  });

  it.each([
    ["big", ["big", "merged"]],
    ["other", ["small", "merged"]],
  ])("5 simple merge: after %s what follows runs once", async (kind, done) => {
    expect(noted(await bench.ends(await bench.start(5, { kind })))).toEqual(done);
  });

  it.each([
    [1, ["always"]],
    [2, ["always", "one"]],
    [3, ["always", "one", "two"]],
    [4, ["always", "one", "two", "three"]],
  ])("6 multi-choice: size %i takes its branches", async (size, done) => {
    const job = await bench.ends(await bench.start(6, { size }));
    expect([...(noted(job) as string[])].sort()).toEqual([...done].sort());
  });

  it("7 structured synchronising merge: waits for the chosen branches, not for the others", async () => {
    const job = await bench.start(7, { size: 3 });
    await bench.reaches(job, "b1:running", "b2:running", "b3:incomplete");
    await bench.finish(job, "b1");
    expect(noted(await bench.job(job))).toBeUndefined();
    await bench.finish(job, "b2");
    const merged = await bench.ends(job);
    expect([noted(merged), runs(merged, "b3")]).toEqual([["merged"], 0]);
  });

  it("9 structured discriminator: the first starts what follows, the second is ignored", async () => {
    const job = await bench.start(9);
    await bench.finish(job, "b1");
    const first = await bench.reaches(job, "a1:running", "c1:complete");
    expect(first.status).toBe("running");
    await bench.finish(job, "a1");
    expect(noted(await bench.ends(job))).toEqual(["first came"]);
  });

  it("10 arbitrary cycles: back to different tasks, from different tasks", async () => {
    const job = await bench.start(10);
    await bench.finish(job, "c1", "failure");
    await bench.finish(job, "c1");
    await bench.finish(job, "e1", "failure");
    await bench.finish(job, "c1");
    await bench.finish(job, "e1");
    expect(noted(await bench.ends(job))).toEqual(["a", "b", "b", "d", "a", "b", "d"]);
  });

  it("11 implicit termination: complete when nothing is left to do", async () => {
    const job = await bench.start(11);
    await bench.finish(job, "a1");
    expect((await bench.job(job)).status).toBe("running");
    await bench.finish(job, "b1");
    await bench.ends(job);
  });

  it.each([
    ["person", "decided"],
    ["event", "decided"],
    ["timer", "nobody decided"],
  ])("16 deferred choice: the %s comes first, the others are withdrawn", async (winner, outcome) => {
    const job = await bench.start(16, { seconds: winner === "timer" ? 0.05 : 3_600 });
    if (winner !== "timer") await bench.reaches(job, "a1:running");
    if (winner === "person") await bench.finish(job, "a1");
    if (winner === "event")
      await bench.platform.send("POST", "/operations-manager/events/tickets/decided", { payload: { n: 1 } });
    expect(noted(await bench.ends(job))).toEqual([outcome]);
  });

  it("17 interleaved parallel routing: one at a time, in an order that the transitions allow", async () => {
    const job = await bench.start(17);
    await bench.reaches(job, "a1:running", "b1:incomplete", "c1:scheduled");
    await bench.finish(job, "a1");
    await bench.reaches(job, "a1:complete", "b1:scheduled", "c1:running");
    await bench.finish(job, "c1");
    await bench.reaches(job, "b1:running");
    await bench.finish(job, "b1");
    expect(noted(await bench.ends(job))).toEqual(["all three"]);
  });

  it("19 cancel task: it is withdrawn, and nothing follows it", async () => {
    const job = await bench.start(19);
    await bench.finish(job, "b1");
    const ended = await bench.ends(job);
    expect([ended.tasks["a1"]?.status, noted(ended)]).toEqual(["canceled", undefined]);
    const other = await bench.start(19);
    await bench.finish(other, "a1");
    expect((await bench.ends(other)).tasks["b1"]?.status).toBe("canceled");
  });

  it("20 cancel case: everything open ends, what was done is undone", async () => {
    const job = await bench.start(20);
    const [child] = await bench.children(job, "c1", 1);
    await bench.platform.send("POST", "/operations-manager/jobs/cancel", { jobIds: [job] });
    const ended = await bench.ends(job, "canceled");
    expect([ended.tasks["b1"]?.status, ended.tasks["c1"]?.status]).toEqual(["canceled", "canceled"]);
    expect(noted(ended)).toEqual(["reserved", "given back"]);
    await bench.ends(child ?? "", "canceled");
  });

  it("21 structured loop: once for each element, then until a condition holds", async () => {
    const job = await bench.ends(await bench.start(21, { items: ["x", "y"], left: [1, 2, 3] }));
    expect(noted(job)).toEqual(["x", "y", "repeated until empty"]);
    expect(runs(job, "b1")).toBe(3);
  });

  it("22 recursion: a job of the same workflow with less to do, down to the last", async () => {
    const job = await bench.ends(await bench.start(22, { left: ["x", "y"] }));
    const [below] = job.tasks["b1"]?.childJobs ?? [];
    const [bottom] = (await bench.job(below?._id ?? "")).tasks["b1"]?.childJobs ?? [];
    expect(noted(await bench.job(bottom?._id ?? ""))).toEqual(["bottom"]);
  });

  const open = (n: number) =>
    bench.platform.send("POST", "/operations-manager/events/doors/opened", { payload: { n } });

  it("23 transient trigger: an event before the wait is lost", async () => {
    const job = await bench.start(23);
    await bench.reaches(job, "a1:running");
    await open(1);
    await bench.finish(job, "a1");
    await bench.reaches(job, "b1:running");
    await open(2);
    expect((await bench.ends(job)).variables["event"]).toEqual({ n: 2 });
  });

  it("24 persistent trigger: an event before the wait is taken", async () => {
    const job = await bench.start(24);
    await bench.reaches(job, "a1:running");
    await open(3);
    await bench.finish(job, "a1");
    expect((await bench.ends(job)).variables["event"]).toMatchObject({ n: expect.any(Number) as number });
  });

  it("25 cancel region: what is in the region and what it leads to ends, what is outside goes on", async () => {
    const job = await bench.start(25);
    await bench.reaches(job, "a2:running", "c1:running");
    await bench.finish(job, "b1");
    await bench.reaches(job, "a1:complete", "a2:canceled", "a3:canceled", "c1:running");
    await bench.finish(job, "c1");
    await bench.ends(job);
  });

  it("29 cancelling discriminator: the first withdraws the others, however far they are", async () => {
    const job = await bench.start(29);
    await bench.finish(job, "b1");
    await bench.reaches(job, "a1:running", "b2:running");
    await bench.finish(job, "a1");
    const ended = await bench.ends(job);
    expect([noted(ended), ended.tasks["b1"]?.status, ended.tasks["b2"]?.status]).toEqual([
      ["first came"],
      "complete",
      "canceled",
    ]);
  });

  it("30 structured partial join: two of three, the third is ignored", async () => {
    const job = await bench.start(30);
    await bench.finish(job, "c1");
    expect(noted(await bench.job(job))).toBeUndefined();
    await bench.finish(job, "a1");
    expect(noted(await bench.reaches(job, "b1:running", "d1:complete"))).toEqual(["two came"]);
    await bench.finish(job, "b1");
    expect(noted(await bench.ends(job))).toEqual(["two came"]);
  });

  it("32 cancelling partial join: two of three, the third is withdrawn", async () => {
    const job = await bench.start(32);
    await bench.finish(job, "c1");
    await bench.finish(job, "a1");
    const ended = await bench.ends(job);
    expect([noted(ended), ended.tasks["b1"]?.status]).toEqual([["two came"], "canceled"]);
  });

  it("37 local synchronising merge: waits for what can still arrive", async () => {
    const both = await bench.start(37, { kind: "both" });
    await bench.finish(both, "b1");
    expect(noted(await bench.reaches(both, "c1:running", "e1:incomplete"))).toBeUndefined();
    await bench.finish(both, "c1");
    expect(noted(await bench.ends(both))).toEqual(["merged"]);
    const none = await bench.ends(await bench.start(37, { kind: "none" }));
    expect(noted(none)).toEqual(["no merge"]);
    const one = await bench.start(37, { kind: "one" });
    await bench.finish(one, "b1");
    const merged = await bench.ends(one);
    expect([noted(merged), runs(merged, "c1")]).toEqual([["merged"], 0]);
  });

  it("38 general synchronising merge: a branch that goes round again is waited for", async () => {
    const job = await bench.start(38, { kind: "both" });
    await bench.finish(job, "a1");
    await bench.finish(job, "a2", "failure");
    await bench.finish(job, "b2");
    expect(noted(await bench.reaches(job, "a1:running", "b2:complete", "c1:incomplete"))).toBeUndefined();
    await bench.finish(job, "a1");
    await bench.finish(job, "a2");
    expect(noted(await bench.ends(job))).toEqual(["merged"]);
  });

  it("39 critical section: of all jobs one is in it, in order of arrival", async () => {
    const variables = { device: "edge-1" };
    const first = await bench.start(39, variables);
    const [section] = await bench.children(first, "a1", 1);
    const second = await bench.start(39, variables);
    await bench.reaches(second, "a1:scheduled");
    const elsewhere = await bench.start(39, { device: "edge-2" });
    await bench.children(elsewhere, "a1", 1);
    await bench.finish(section ?? "", "a1");
    await bench.reaches(section ?? "", "b1:running");
    await bench.reaches(second, "a1:scheduled");
    await bench.finish(section ?? "", "b1");
    await bench.ends(first);
    await bench.children(second, "a1", 1);
  });

  it("40 interleaved routing: each once, one at a time, in any order", async () => {
    const job = await bench.start(40);
    for (let left = 3; left > 0; left--) {
      await bench.reaches(job, `${["a1", "b1", "c1"][3 - left]}:running`);
      const now = await bench.job(job);
      expect([countOf(now, "running"), countOf(now, "scheduled")]).toEqual([1, left - 1]);
      await bench.finish(job, ["a1", "b1", "c1"][3 - left] ?? "");
    }
    expect(noted(await bench.ends(job))).toEqual(["all three"]);
  });

  it("43 explicit termination: the first to reach the end ends the job", async () => {
    const job = await bench.start(43);
    await bench.finish(job, "a1");
    expect((await bench.ends(job)).tasks["b1"]?.status).toBe("canceled");
  });
});
