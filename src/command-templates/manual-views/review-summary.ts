import { block, html, textOf, type Html } from "../../core/html.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { ManualPage, ManualViewContext } from "../../core/manual-view.ts";
import { choicesOf } from "./exits.ts";

/** A task of the reviewed job. */
interface ReviewedTask {
  taskId: string;
  name: string;
  summary: string;
  status: string;
  /** Times and finish state of its latest iteration. */
  metrics: unknown;
  /** Resolved values in and out, and the error. */
  variables: unknown;
}

/**
 * reviewSummary: figures of a job and what its tasks worked on, with all of it as a file
 * (templates-gateway-forms.md §1.10). The job is the task's own unless `job_id` names another that the caller may see.
 */
export async function openReviewSummary(context: ManualViewContext): Promise<ManualPage> {
  const jobId = textOf(context.incoming["job_id"]).trim() || context.job._id;
  const document = await context.readJob(jobId);
  const tasks = tasksOf(document["tasks"]);
  const { name, description, status, metrics, error, variables } = document;
  const summary = { _id: jobId, name, description, status, metrics, error: error ?? [] };
  return {
    title: context.task.summary || "Review the job",
    choices: choicesOf(context, { success: "Accept", failure: "Reject" }),
    data: { job: summary, variables, tasks },
    content: () =>
      html`<h2>Job</h2>
        ${facts({ name, description, status, ...(isJsonObject(metrics) ? metrics : {}) })}${errors(error)}
        <h2>Tasks</h2>
        ${taskTable(tasks)} ${tasks.map(values)}
        <details>
          <summary>Job variables</summary>
          ${block(variables)}
        </details> `,
    download: { fileName: `job-${jobId}.json`, value: document },
  };
}

function tasksOf(value: unknown): ReviewedTask[] {
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([taskId, task]) =>
    isJsonObject(task) ? [reviewed(taskId, task)] : [],
  );
}

function reviewed(taskId: string, task: JsonObject): ReviewedTask {
  const { name, summary, status, metrics, variables } = task;
  return {
    taskId,
    name: textOf(name),
    summary: textOf(summary),
    status: textOf(status),
    metrics: metrics ?? null,
    variables: variables ?? null,
  };
}

function facts(members: Record<string, unknown>): Html {
  const rows = Object.entries(members).map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${textOf(value)}</dd> `,
  );
  return html`<dl>${rows}</dl> `;
}

function errors(value: unknown): Html {
  if (!Array.isArray(value) || value.length === 0) return html``;
  return html`<h3>Errors</h3>
    ${block(value)}`;
}

function taskTable(tasks: readonly ReviewedTask[]): Html {
  const rows = tasks.map(({ taskId, name, summary, status, metrics }) => {
    const figures: JsonObject = isJsonObject(metrics) ? metrics : {};
    return html`<tr>
      <th scope="row">${taskId}</th>
      <td>${summary || name}</td>
      <td>${status}</td>
      <td>${textOf(figures["finish_state"])}</td>
      <td>${textOf(figures["run_time"])}</td>
    </tr> `;
  });
  return html`<table>
    <caption>
      Tasks of the job; run times in milliseconds
    </caption>
    <thead>
      <tr>
        <th scope="col">Task</th>
        <th scope="col">Name</th>
        <th scope="col">Status</th>
        <th scope="col">Finish state</th>
        <th scope="col">Run time</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function values({ taskId, summary, name, variables }: ReviewedTask): Html {
  if (variables === null) return html``;
  return html`<details>
    <summary>Values of ${summary || name} (${taskId})</summary>
    ${block(variables)}
  </details> `;
}
