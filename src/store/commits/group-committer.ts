import { StoreUnavailableError, type StoreChange } from "../store.ts";
import { failureError, isSilent, type Outcome } from "./commit-outcome.ts";
import type { CommitRunner, PendingCommit } from "./commit-runner.ts";
import type { EncodedWrite } from "./encode-writes.ts";

/** Commits of one group at most: bounds how long the first of them waits for its group. */
const largestGroup = 512;
/** So few are not worth two groups. */
const smallestShare = 8;
/** A store that takes longer for a group, milliseconds, is far away or in trouble: then each commit waits for one group alone. */
const slowGroupMs = 50;

/** How much may wait to be written. */
export interface WaitingRoom {
  commits: number;
  /** Characters of the documents, events and payloads of these commits. */
  characters: number;
}

const defaultRoom: WaitingRoom = { commits: 10_000, characters: 256 * 1024 * 1024 };

interface WaitingCommit extends PendingCommit {
  characters: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Gathers the commits of one turn of the event loop, and those that arrive while a group is under way, into
 * the next group; but where many are about, only half of them, so that store and event loop do not wait for each
 * other in turns: while one half is written, those who wait for the other are answered and commit again. When the
 * store is slower than those who write, what would exceed the waiting room is refused at once, so that memory stays
 * bounded; commits that record finished work find room twice as long, because to refuse them means to do that work
 * again.
 */
export class GroupCommitter {
  readonly #runner: CommitRunner;
  readonly #notify: (changes: readonly StoreChange[]) => void;
  readonly #room: WaitingRoom;
  readonly #now: () => number;
  #waiting: WaitingCommit[] = [];
  /** Of commits that wait or are being written. */
  #characters = 0;
  #commits = 0;
  #isRunning = false;
  #drained: (() => void)[] = [];

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(
    runner: CommitRunner,
    notify: (changes: readonly StoreChange[]) => void,
    room = defaultRoom,
    now = () => performance.now(),
  ) {
    this.#now = now;
    this.#runner = runner;
    this.#notify = notify;
    this.#room = room;
  }

  /** Resolves when the commit is durable. Too much waits already: a StoreUnavailableError, and nothing is written. */
  commit(pending: PendingCommit): Promise<void> {
    const characters = charactersOf(pending.encoded);
    if (!this.#hasRoomFor(pending, characters)) return Promise.reject(noRoom(this.#commits));
    this.#commits += 1;
    this.#characters += characters;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...pending, characters, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when no commit is under way. */
  drain(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #hasRoomFor({ encoded }: PendingCommit, characters: number): boolean {
    const share = encoded.some(({ kind }) => kind === "complete" || kind === "postpone") ? 2 : 1;
    const { commits, characters: most } = this.#room;
    // Whatever its size, one commit alone always finds room.
    const isAlone = this.#commits === 0;
    return isAlone || (this.#commits < commits * share && this.#characters + characters <= most * share);
  }

  #schedule(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => void this.#runGroups());
  }

  async #runGroups(): Promise<void> {
    let last = { size: 0, tookMs: 0 };
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, groupSize(this.#waiting.length, last));
      const startedAt = this.#now();
      const outcomes = await this.#runner.run(group);
      last = { size: group.length, tookMs: this.#now() - startedAt };
      this.#settle(group, outcomes);
      const latest = outcomes.at(-1);
      if (latest && isSilent(latest)) this.#settle(this.#waiting.splice(0), [], latest);
      // Callers answered just now may commit again at once: let them join the next group.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isRunning = false;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #settle(group: readonly WaitingCommit[], outcomes: readonly Outcome[], otherwise = noOutcome): void {
    const changes: StoreChange[] = [];
    group.forEach((commit, index) => {
      this.#commits -= 1;
      this.#characters -= commit.characters;
      const outcome = outcomes[index] ?? otherwise;
      if ("unchanged" in outcome) {
        collectChanges(commit, outcome.unchanged, changes);
        commit.resolve();
      } else commit.reject(failureError(outcome));
    });
    if (changes.length > 0) this.#notify(changes);
  }
}

/** Half of the commits that wait and of those whose callers were answered last. */
function groupSize(waiting: number, last: { size: number; tookMs: number }): number {
  if (last.tookMs > slowGroupMs) return largestGroup;
  return Math.min(Math.max(Math.ceil((waiting + last.size) / 2), smallestShare), largestGroup);
}

const noOutcome: Outcome = { failure: "unexpected", message: "a commit had no outcome" };

function noRoom(commits: number): StoreUnavailableError {
  return new StoreUnavailableError(`The store is not available: ${commits} commits wait to be written already`);
}

/** What a commit takes in memory grows with its texts. */
function charactersOf(encoded: readonly EncodedWrite[]): number {
  let characters = 0;
  for (const write of encoded) characters += textOf(write)?.length ?? 0;
  return characters;
}

function textOf(write: EncodedWrite): string | undefined {
  switch (write.kind) {
    case "appendEvent":
      return write.delta;
    case "putSnapshot":
      return write.state;
    case "enqueue":
      return write.payload;
    default:
      return "text" in write ? write.text : undefined;
  }
}

function collectChanges(commit: PendingCommit, unchanged: readonly number[], changes: StoreChange[]): void {
  commit.encoded.forEach((write, index) => {
    // Sums move with nearly every commit; who asks for them reads them.
    const isTold = "collection" in write && write.kind !== "add" && write.kind !== "require";
    if (isTold && !unchanged.includes(index)) changes.push({ collection: write.collection, id: write.id });
  });
}
