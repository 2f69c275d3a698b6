import type { CompiledWorkflow } from "./compiled-workflow.ts";
import type { JobState } from "./job-state.ts";

/** When the job ought to have ended, milliseconds since the epoch; undefined where its workflow promises nothing (`sla`, milliseconds, above 0). */
export function slaDueAt({ startedAt }: Pick<JobState, "startedAt">, workflow: CompiledWorkflow): number | undefined {
  const sla: unknown = (workflow.snapshot.workflow as { sla?: unknown }).sla;
  return typeof sla === "number" && Number.isFinite(sla) && sla > 0 ? startedAt + Math.ceil(sla) : undefined;
}
