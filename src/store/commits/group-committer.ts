import type { StoreChange } from "../store.ts";
import { failureError, type Outcome } from "./commit-outcome.ts";
import type { CommitRunner, PendingCommit } from "./commit-runner.ts";

/** Commits of one group at most: bounds how long the first of them waits for its group. */
const largestGroup = 512;

interface WaitingCommit extends PendingCommit {
  resolve: () => void;
  reject: (error: Error) => void;
}

/** Gathers the commits of one turn of the event loop, and those that arrive while a group is under way, into the next group. */
export class GroupCommitter {
  readonly #runner: CommitRunner;
  readonly #notify: (changes: readonly StoreChange[]) => void;
  #waiting: WaitingCommit[] = [];
  #isRunning = false;
  #drained: (() => void)[] = [];

  constructor(runner: CommitRunner, notify: (changes: readonly StoreChange[]) => void) {
    this.#runner = runner;
    this.#notify = notify;
  }

  /** Resolves when the commit is durable. */
  commit(pending: PendingCommit): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...pending, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when no commit is under way. */
  drain(): Promise<void> {
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #schedule(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => void this.#runGroups());
  }

  async #runGroups(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, largestGroup);
      const outcomes = await this.#runner.run(group);
      this.#settle(group, outcomes);
      // Callers answered just now may commit again at once: let them join the next group.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isRunning = false;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  #settle(group: readonly WaitingCommit[], outcomes: readonly Outcome[]): void {
    const changes: StoreChange[] = [];
    group.forEach((commit, index) => {
      const outcome = outcomes[index];
      if (outcome && "unchanged" in outcome) {
        collectChanges(commit, outcome.unchanged, changes);
        commit.resolve();
      } else commit.reject(failureError(outcome ?? { failure: "unexpected", message: "a commit had no outcome" }));
    });
    if (changes.length > 0) this.#notify(changes);
  }
}

function collectChanges(commit: PendingCommit, unchanged: readonly number[], changes: StoreChange[]): void {
  commit.encoded.forEach((write, index) => {
    if ("collection" in write && !unchanged.includes(index))
      changes.push({ collection: write.collection, id: write.id });
  });
}
