import type { ManualTask } from "../../core/manual-view.ts";

/**
 * Source text of a class that finishes this task, as pages of the field expect it beside the task's values
 * (workflow-engine.md §7.3.5). What it needs of the task is in it as JSON, never as code.
 */
export function taskControllerSource({ job, task }: Pick<ManualTask, "job" | "task">): string {
  const known = JSON.stringify({ job_id: job._id, task_id: task._id });
  return `class TaskController {
  /** finishState: how the task ends; variables: its outgoing values. Resolves with the job. */
  async finish(finishState = "success", variables = {}) {
    const { job_id, task_id } = ${known};
    const reply = await fetch("/workflow_engine/finishTask", {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({ job_id, task_id, task_data: { finish_state: finishState, variables } }),
    });
    const body = await reply.json();
    if (!reply.ok) throw new Error(body.message);
    return body;
  }
}
`;
}
