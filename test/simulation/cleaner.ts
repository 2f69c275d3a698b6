import { systemCaller } from "../../src/core/caller.ts";
import type { Clock } from "../../src/core/clock.ts";
import { PlatformError } from "../../src/core/errors.ts";
import type { Store } from "../../src/store/store.ts";
import type { Engine } from "../../src/workflow-engine/engine.ts";
import type { RetentionSettings } from "../../src/workflow-engine/jobs/retention.ts";

/** A root job that has ended. */
interface EndedRoot {
  _id: string;
  description: string;
  metrics: { end_time: number };
}

const dayMs = 86_400_000;
const mostAtOnce = 500;

/** Does a person delete the job, or is it left to its age? Of numbered jobs every second one goes each way. */
export function isDeletedByPerson(description: string): boolean {
  return /[13579]$/u.test(description);
}

/** Somebody who deletes every second job once it has ended. */
export class Cleaner {
  readonly #store: Store;
  readonly #deletion: Engine["deletion"];

  constructor(store: Store, { deletion }: Pick<Engine, "deletion">) {
    this.#store = store;
    this.#deletion = deletion;
  }

  /** Deletes what is there; `deleted` is told after each answer. */
  async clean(deleted: (jobId: string) => void): Promise<void> {
    for (const { _id, description } of await this.#endedRoots()) {
      if (!isDeletedByPerson(description)) continue;
      try {
        await this.#deletion.delete([_id], systemCaller);
        deleted(_id);
      } catch (error) {
        // What is below it has not ended yet, or somebody else was faster.
        if (!(error instanceof PlatformError)) throw error;
      }
    }
  }

  /** How many roots are to go, by a person or by their age. */
  async left(clock: Clock, { days }: RetentionSettings): Promise<number> {
    const oldest = clock.now() - days * dayMs;
    const roots = await this.#endedRoots();
    return roots.filter((job) => isDeletedByPerson(job.description) || job.metrics.end_time < oldest).length;
  }

  #endedRoots(): Promise<EndedRoot[]> {
    const query = { status: { $in: ["complete", "canceled"] }, parent: { $exists: false } };
    return this.#store.find<EndedRoot>("jobs", query, { limit: mostAtOnce });
  }
}
