import { describe, expect, it } from "vitest";
import { SequenceConflictError, StoreUnavailableError, type Write } from "../../../src/store/store.ts";
import type { CurrentStore } from "./store-suite.ts";

const put = (id: string): Write => ({ kind: "put", collection: "jobs", document: { _id: id } });
const event = (jobId: string, seq: number): Write => ({ kind: "appendEvent", jobId, seq, at: 0, delta: "{}" });

export function describeAtomicity(store: CurrentStore): void {
  describe("commits", () => {
    it("are all or nothing, whatever write is refused last", async () => {
      await store().commit([
        event("j", 1),
        { kind: "insert", collection: "accounts", document: { _id: "a", username: "anna" } },
      ]);
      const refused: Write[] = [
        event("j", 1),
        { kind: "insert", collection: "accounts", document: { _id: "a" } },
        { kind: "insert", collection: "accounts", document: { _id: "b", username: "anna" } },
        { kind: "replace", collection: "accounts", document: { _id: "a" }, version: 7 },
      ];
      for (const last of refused) {
        const work: Write = { kind: "enqueue", item: { id: "w", kind: "k", payload: {}, runAt: 1 } };
        const commit = store().commit([
          put("x"),
          work,
          { kind: "remove", collection: "accounts", id: "z" },
          event("k", 1),
          last,
        ]);
        await expect(commit).rejects.toThrow(Error);
      }
      expect(await store().read("jobs", "x")).toBeUndefined();
      expect(await store().nextWorkAt()).toBeUndefined();
      expect((await store().readLog("k")).events).toEqual([]);
    });

    it("that conflict leave their neighbours of the same moment alone", async () => {
      await store().commit([event("taken", 1)]);
      const commits = Array.from({ length: 40 }, (_, index) =>
        store().commit([put(`doc${index}`), event(index % 4 === 0 ? "taken" : `job${index}`, 1)]),
      );
      const results = await Promise.allSettled(commits);
      for (const [index, result] of results.entries()) {
        const isRefused = index % 4 === 0;
        expect(result.status).toBe(isRefused ? "rejected" : "fulfilled");
        expect((await store().read("jobs", `doc${index}`)) === undefined).toBe(isRefused);
      }
    });

    it("see what an earlier commit of the same moment wrote", async () => {
      const first = store().commit([event("j", 1)]);
      const second = store().commit([event("j", 1), put("x")]);
      const third = store().commit([event("j", 2)]);
      await first;
      await expect(second).rejects.toThrow(SequenceConflictError);
      await third;
      expect((await store().readLog("j")).events.map(({ seq }) => seq)).toEqual([1, 2]);
    });

    it("take their documents as they were when commit was called", async () => {
      const document = { _id: "j", list: [1] };
      const commit = store().commit([{ kind: "put", collection: "jobs", document }]);
      document.list.push(2);
      await commit;
      expect((await store().read("jobs", "j"))?.document).toEqual({ _id: "j", list: [1] });
    });

    it("may be empty", async () => {
      await expect(store().commit([])).resolves.toBeUndefined();
    });

    it("under way are finished by close; later calls are refused", async () => {
      const commits = Array.from({ length: 20 }, (_, index) => store().commit([put(String(index))]));
      await store().close();
      await Promise.all(commits);
      await expect(store().commit([put("late")])).rejects.toThrow(StoreUnavailableError);
      await expect(store().read("jobs", "1")).rejects.toThrow(StoreUnavailableError);
      await expect(store().close()).resolves.toBeUndefined();
    });

    it("by many writers at once are all there", async () => {
      await Promise.all(
        Array.from({ length: 20 }, async (_, writer) => {
          for (let seq = 1; seq <= 25; seq++) await store().commit([event(`job${writer}`, seq), put(`job${writer}`)]);
        }),
      );
      for (let writer = 0; writer < 20; writer++) {
        expect((await store().readLog(`job${writer}`)).events).toHaveLength(25);
        expect(await store().version("jobs", `job${writer}`)).toBe(25);
      }
    });
  });
}
