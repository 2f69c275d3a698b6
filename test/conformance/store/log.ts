import { describe, expect, it } from "vitest";
import { SequenceConflictError, type Write } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const event = (jobId: string, seq: number, delta = `{"n":${seq}}`): Write => ({
  kind: "appendEvent",
  jobId,
  seq,
  at: 1000 + seq,
  delta,
});
const row = (seq: number) => ({ seq, at: 1000 + seq, delta: `{"n":${seq}}` });

export function describeLog(store: CurrentStore): void {
  describe("log of a job", () => {
    it("is empty for a job without events", async () => {
      expect(await store().readLog("none")).toEqual({ snapshot: undefined, events: [] });
    });

    it("gives events in order, also beyond ten, and only those of the job", async () => {
      await store().commit([event("j", 1), event("other", 1), event("j", 2)]);
      for (let seq = 3; seq <= 12; seq++) await store().commit([event("j", seq)]);
      const { events } = await store().readLog("j");
      expect(events).toEqual(Array.from({ length: 12 }, (_, index) => row(index + 1)));
      expect((await store().readLog("j", 10)).events).toEqual([row(11), row(12)]);
    });

    it("is whole from the first event on, and its jobs are listed page by page", async () => {
      await store().commit([event("j", 1), event("j", 2), { kind: "putSnapshot", jobId: "j", seq: 2, state: "{}" }]);
      await store().commit([event("j", 3), event("k", 1), event("l", 1)]);
      expect(await store().wholeLog("j")).toEqual([row(1), row(2), row(3)]);
      expect(await store().wholeLog("j", { after: 1, limit: 1 })).toEqual([row(2)]);
      expect(await store().wholeLog("j", { after: 2 })).toEqual([row(3)]);
      expect(await store().wholeLog("j", { limit: 2 })).toEqual([row(1), row(2)]);
      expect(await store().wholeLog("j", { after: 3 })).toEqual([]);
      expect(await store().jobIds("", 2)).toEqual(["j", "k"]);
      expect(await store().jobIds("k", 2)).toEqual(["l"]);
    });

    it("refuses a taken number with the job's id and leaves the first event", async () => {
      await store().commit([event("j", 1)]);
      const again = store().commit([event("j", 1, '"second"')]);
      await expect(again).rejects.toThrow(SequenceConflictError);
      await expect(again).rejects.toMatchObject({ jobId: "j" });
      expect((await store().readLog("j")).events).toEqual([row(1)]);
    });

    it("refuses a number that does not follow, in a log that was begun and in one that was removed", async () => {
      await store().commit([event("j", 1), event("k", 1), event("k", 2)]);
      await store().commit([{ kind: "removeLog", jobId: "k" }]);
      const put: Write = { kind: "put", collection: "jobs", document: { _id: "late" } };
      const refused: [jobId: string, ...Write[]][] = [
        ["j", event("j", 3)],
        ["j", event("j", 2), event("j", 4)],
        ["k", event("k", 3), event("k", 4)],
        ["k", event("l", 1), event("k", 2)],
      ];
      for (const [index, [jobId, ...late]] of refused.entries()) {
        const beside = store().commit([event(`beside ${index}`, 1)]);
        const commit = store().commit([put, ...late]);
        await expect(commit).rejects.toThrow(SequenceConflictError);
        await expect(commit).rejects.toMatchObject({ jobId });
        await beside;
      }
      expect(await store().read("jobs", "late")).toBeUndefined();
      expect((await store().readLog("j")).events).toEqual([row(1)]);
      for (const jobId of ["k", "l"]) expect((await store().readLog(jobId)).events).toEqual([]);
    });

    it("takes what follows in the same commit, and in another of the same moment", async () => {
      const commits = [
        [event("j", 1), event("j", 2)],
        [event("j", 3), event("k", 1)],
        [event("j", 4), event("k", 2), event("k", 3)],
      ];
      await Promise.all(commits.map((commit) => store().commit(commit)));
      expect((await store().readLog("j")).events).toEqual([row(1), row(2), row(3), row(4)]);
      expect((await store().readLog("k")).events).toEqual([row(1), row(2), row(3)]);
    });

    it("lets exactly one of 200 concurrent writers have a number", async () => {
      const writers = Array.from({ length: 200 }, (_, index) => store().commit([event("j", 1, String(index))]));
      const results = await Promise.allSettled(writers);
      const winners = results.flatMap(({ status }, index) => (status === "fulfilled" ? [String(index)] : []));
      const losers = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
      expect(winners).toHaveLength(1);
      expect(losers.every((reason) => reason instanceof SequenceConflictError)).toBe(true);
      expect((await store().readLog("j")).events.map(({ delta }) => delta)).toEqual(winners);
    });

    it("begins at the newest snapshot, of which one is kept", async () => {
      await store().commit([event("j", 1), event("j", 2), event("j", 3)]);
      await store().commit([{ kind: "putSnapshot", jobId: "j", seq: 1, state: "one" }]);
      await store().commit([{ kind: "putSnapshot", jobId: "j", seq: 2, state: "two" }]);
      await store().commit([{ kind: "putSnapshot", jobId: "j", seq: 1, state: "late" }]);
      expect(await store().readLog("j")).toEqual({ snapshot: { seq: 2, state: "two" }, events: [row(3)] });
    });

    it("leaves out a snapshot that is not newer than what the caller has", async () => {
      await store().commit([
        event("j", 1),
        event("j", 2),
        event("j", 3),
        { kind: "putSnapshot", jobId: "j", seq: 2, state: "two" },
      ]);
      expect(await store().readLog("j", 2)).toEqual({ snapshot: undefined, events: [row(3)] });
      expect(await store().readLog("j", 1)).toEqual({ snapshot: { seq: 2, state: "two" }, events: [row(3)] });
      expect(await store().readLog("j", 3)).toEqual({ snapshot: undefined, events: [] });
    });

    it("is removed with its snapshot", async () => {
      await store().commit([event("j", 1), event("k", 1), { kind: "putSnapshot", jobId: "j", seq: 1, state: "s" }]);
      await store().commit([{ kind: "removeLog", jobId: "j" }]);
      expect(await store().readLog("j")).toEqual({ snapshot: undefined, events: [] });
      expect((await store().readLog("k")).events).toEqual([row(1)]);
    });
  });
}
