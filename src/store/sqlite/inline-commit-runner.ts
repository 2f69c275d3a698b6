import type { StoreFaults } from "../faults.ts";
import type { BetweenWrites, CommitExecutor } from "./commit-executor.ts";
import type { CommitRunner, PendingCommit } from "../commits/commit-runner.ts";
import { messageOf } from "./sqlite-errors.ts";
import { WriteRefused } from "./write-statements.ts";

/** Executes commits on the calling thread: the fastest where nothing else waits for the event loop. */
export function createInlineCommitRunner(executor: CommitExecutor, faults: StoreFaults | undefined): CommitRunner {
  return {
    run: async (group) =>
      executor.run(
        group.map(({ encoded }) => encoded),
        faults && tearing(group, faults),
      ),
    close: async () => executor.close(),
  };
}

function tearing(group: readonly PendingCommit[], faults: StoreFaults): BetweenWrites {
  return (index) => {
    try {
      void faults({ phase: "during", writes: group[index]?.writes ?? [] });
    } catch (error) {
      throw new WriteRefused({ failure: "unavailable", message: messageOf(error) });
    }
  };
}
