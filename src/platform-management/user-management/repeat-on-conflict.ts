import { VersionConflictError } from "../../store/store.ts";

const mostAttempts = 20;

/** Runs a read-change-commit again when somebody else wrote a document it read. */
export async function repeatOnConflict<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof VersionConflictError) || tries >= mostAttempts) throw error;
    }
  }
}
