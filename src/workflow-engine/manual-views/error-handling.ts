import { block, html, textOf } from "../../core/html.ts";
import type { ManualChoice, ManualPage, ManualViewContext } from "../../core/manual-view.ts";

const headings: Readonly<Record<string, string>> = {
  fatal: "Fatal error",
  warning: "Warning",
  success: "No error",
};

/** ErrorHandling: tells of an error and asks how to go on; `retry: false` hides that choice (workflow-engine.md §5). */
export function openErrorHandling({ incoming, task }: ManualViewContext): ManualPage {
  const severity = textOf(incoming["severity"]);
  const status = incoming["status"] ?? "";
  const mayRetry = incoming["retry"] !== false;
  const title = headings[severity] ?? (task.summary || task.name);
  return {
    title,
    choices: choicesOf(mayRetry),
    data: { severity, status, retry: mayRetry },
    content: () =>
      html`<p>Severity: ${severity}</p>
        ${block(status)}`,
  };
}

function choicesOf(mayRetry: boolean): ManualChoice[] {
  return [
    { finish_state: "success", label: "Continue" },
    ...(mayRetry ? [{ finish_state: "retry" as const, label: "Try again" }] : []),
    { finish_state: "failure", label: "Give up" },
    { finish_state: "error", label: "End in error" },
  ];
}
