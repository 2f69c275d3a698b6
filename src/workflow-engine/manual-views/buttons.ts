import { html, textOf, type Html } from "../../core/html.ts";
import type { ManualChoice, ManualTask } from "../../core/manual-view.ts";

/** The buttons of a view that names them itself; an empty name hides the one of failure (workflow-engine.md §5). */
export function namedButtons(incoming: ManualTask["incoming"]): ManualChoice[] {
  const failure = textOf(incoming["btn_failure"]).trim();
  return [
    { finish_state: "success", label: textOf(incoming["btn_success"]).trim() || "Continue" },
    ...(failure === "" ? [] : [{ finish_state: "failure" as const, label: failure }]),
  ];
}

/** Heading of a page: what the task calls it, or else the task's own summary. */
export function headingOf(incoming: ManualTask["incoming"], { task }: Pick<ManualTask, "task">): string {
  return textOf(incoming["header"]).trim() || task.summary || task.name;
}

/** A message as paragraphs, one for each line. */
export function paragraphs(text: string): Html {
  const lines = text.split(/\r\n|\n/u).filter((line) => line.trim() !== "");
  return html`${lines.map((line) => html`<p>${line}</p> `)}`;
}
