import { html, type Html } from "./html.ts";
import type { ManualPage, ManualTaskController } from "./manual-view.ts";

/**
 * The page of a manual task for people. It has neither script nor style, so that the strictest content
 * policy lets it be; its form works by itself.
 */
export function manualPage({ controller, page }: { controller: ManualTaskController; page: ManualPage }): Html {
  const { job, task, hindrance } = controller;
  return pageOf(
    page.title,
    html`<h1>${page.title}</h1>
      <p>
        Job <b>${job.name}</b> (${job._id}), task
        <b>${task.summary || task.name}</b> (${task.taskId})${ownerText(task.owner)}
      </p>
      <section aria-label="What is to be looked at">${page.content()}</section>
      ${downloadLink(controller)}${hindrance === null ? form(controller, page) : html`<p role="status">${hindrance}</p>`}`,
  );
}

/** The page that tells a person why something was refused. */
export function refusalPage(message: string): Html {
  return pageOf(
    "Not done",
    html`<h1>Not done</h1>
      <p role="alert">${message}</p>`,
  );
}

/** Address of the page of a task. */
export function pageAddress(path: string, { job, task }: { job: string; task: string }): string {
  return `${path}?job=${encodeURIComponent(job)}&task=${encodeURIComponent(task)}`;
}

function pageOf(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Linewright</title>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `;
}

function ownerText(owner: string): Html {
  return owner === "" ? html`` : html`, claimed by ${owner}`;
}

function downloadLink({ page }: ManualTaskController): Html {
  if (page?.download === undefined) return html``;
  return html`<p><a href="${page.download}" download>Download as JSON</a></p> `;
}

// The identifier of the iteration, so that a page that was left open finishes no later one.
function form({ view, job, task }: ManualTaskController, page: ManualPage): Html {
  return html`<form method="post" action="${view}">
    <input type="hidden" name="job_id" value="${job._id}" />
    <input type="hidden" name="task_id" value="${task._id}" />
    ${page.fields?.() ?? html``}
    <p>
      ${page.choices.map(
        ({ finish_state, label }) =>
          html`<button type="submit" name="finish_state" value="${finish_state}">${label}</button> `,
      )}
    </p>
  </form> `;
}
