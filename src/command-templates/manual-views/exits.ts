import type { ManualChoice, ManualTask } from "../../core/manual-view.ts";

/** The two buttons of a page; the one of failure is shown where the workflow has a transition for it. */
export function choicesOf({ exits }: ManualTask, labels: { success: string; failure: string }): ManualChoice[] {
  return [
    { finish_state: "success", label: labels.success },
    ...(exits.has("failure") ? [{ finish_state: "failure" as const, label: labels.failure }] : []),
  ];
}
