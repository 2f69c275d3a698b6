import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/store/commits/commit-outcome.ts";
import type { CommitRunner, PendingCommit } from "../../../src/store/commits/commit-runner.ts";
import type { EncodedWrite } from "../../../src/store/commits/encode-writes.ts";
import { GroupCommitter } from "../../../src/store/commits/group-committer.ts";
import { StoreUnavailableError } from "../../../src/store/store.ts";
import { createGate, type Gate } from "../../conformance/work-queue/queue-harness.ts";

/** A database that takes its time. */
function createSlowDatabase(): CommitRunner & { gate: Gate; groups: number[] } {
  const gate = createGate();
  const groups: number[] = [];
  return {
    gate,
    groups,
    async run(group: readonly PendingCommit[]): Promise<readonly Outcome[]> {
      await gate.passed;
      groups.push(group.length);
      return group.map(() => ({ unchanged: [] }));
    },
    close: async () => undefined,
  };
}

const pending = (...encoded: EncodedWrite[]): PendingCommit => ({ writes: [], encoded });
const put = (text: string): EncodedWrite => ({ kind: "put", collection: "jobs", id: "a", text });
const done: EncodedWrite = { kind: "complete", itemId: "a" };

describe("the waiting room of commits", () => {
  const open = (room?: { commits: number; characters: number }, groupMs = 1) => {
    const database = createSlowDatabase();
    let time = 0;
    const committer = new GroupCommitter(
      database,
      () => undefined,
      room,
      () => (time += groupMs),
    );
    const outcomes: string[] = [];
    const commit = (...writes: EncodedWrite[]): void => {
      const text = String(outcomes.push("waits") - 1);
      committer.commit(pending(...writes)).then(
        () => (outcomes[Number(text)] = "written"),
        (error: unknown) => (outcomes[Number(text)] = error instanceof StoreUnavailableError ? "refused" : "broken"),
      );
    };
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const release = async () => {
      database.gate.open();
      await committer.drain();
      await turn();
    };
    return { committer, commit, outcomes, turn, release, groups: database.groups };
  };

  it("takes so many commits and refuses the next at once; what it took is written", async () => {
    const { commit, outcomes, turn, release } = open({ commits: 3, characters: 1_000_000 });
    for (let index = 0; index < 5; index++) commit(put("{}"));
    await turn();
    expect(outcomes).toEqual(["waits", "waits", "waits", "refused", "refused"]);
    await release();
    expect(outcomes).toEqual(["written", "written", "written", "refused", "refused"]);
    commit(put("{}"));
    await release();
    expect(outcomes.at(-1)).toBe("written");
  });

  it("counts those that are being written", async () => {
    const { commit, outcomes, turn, release } = open({ commits: 2, characters: 1_000_000 });
    commit(put("{}"));
    await turn();
    await turn();
    commit(put("{}"));
    commit(put("{}"));
    await turn();
    expect(outcomes).toEqual(["waits", "waits", "refused"]);
    await release();
  });

  it("takes so much text, of documents, events, snapshots and payloads alike", async () => {
    const text = "x".repeat(40);
    const writes: EncodedWrite[] = [
      put(text),
      { kind: "appendEvent", jobId: "j", seq: 1, at: 1, delta: text },
      { kind: "putSnapshot", jobId: "j", seq: 1, state: text },
      { kind: "enqueue", id: "i", runAt: 1, workKind: "k", payload: text, attempts: 0 },
    ];
    for (const write of writes) {
      const { commit, outcomes, turn, release } = open({ commits: 1000, characters: 100 });
      for (let index = 0; index < 3; index++) commit(write);
      await turn();
      expect(outcomes).toEqual(["waits", "waits", "refused"]);
      await release();
      expect(outcomes).toEqual(["written", "written", "refused"]);
    }
  });

  it("takes a single commit of any size", async () => {
    const { commit, outcomes, release } = open({ commits: 10, characters: 100 });
    commit(put("x".repeat(1000)));
    await release();
    expect(outcomes).toEqual(["written"]);
  });

  it("has twice the room for commits that record finished work", async () => {
    const { commit, outcomes, turn, release } = open({ commits: 2, characters: 100 });
    commit(put("{}"));
    commit(put("{}"));
    commit(put("{}"));
    commit(put("{}"), done);
    commit({ kind: "postpone", itemId: "a", runAt: 1 });
    commit(done);
    await turn();
    expect(outcomes).toEqual(["waits", "waits", "refused", "waits", "waits", "refused"]);
    await release();
    expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(4);
  });

  it("writes few commits as one group, and of many only half, so that the others are not idle meanwhile", async () => {
    const few = open();
    for (let index = 0; index < 8; index++) few.commit(put("{}"));
    await few.release();
    expect(few.groups).toEqual([8]);
    const many = open();
    for (let index = 0; index < 64; index++) many.commit(put("{}"));
    await many.release();
    expect(many.groups).toEqual([32, 32]);
    expect(many.outcomes).toEqual(Array.from({ length: 64 }, () => "written"));
  });

  it.each([
    { groupMs: 50, groups: [32, 64, 32] },
    { groupMs: 51, groups: [32, 96] },
  ])("writes all that wait where a group takes more than 50 ms: $groupMs", async ({ groupMs, groups }) => {
    const slow = open(undefined, groupMs);
    for (let index = 0; index < 64; index++) slow.commit(put("{}"));
    await slow.turn();
    await slow.turn();
    for (let index = 0; index < 64; index++) slow.commit(put("{}"));
    await slow.release();
    expect(slow.groups).toEqual(groups);
  });

  it("has room for 10,000 unless told otherwise", async () => {
    const { commit, outcomes, turn, release } = open();
    for (let index = 0; index < 10_001; index++) commit(put("{}"));
    await turn();
    expect(outcomes.filter((outcome) => outcome === "refused")).toHaveLength(1);
    await release();
    expect(outcomes.filter((outcome) => outcome === "written")).toHaveLength(10_000);
  });
});
