import { block, html, textOf } from "../../core/html.ts";
import { isJsonObject } from "../../core/json.ts";
import type { ManualPage, ManualViewContext } from "../../core/manual-view.ts";
import { TaskError } from "../../core/task.ts";
import { fillPlaceholders } from "../../task-library/index.ts";
import { headingOf, namedButtons, paragraphs } from "./buttons.ts";

/** ViewData: a message, in which `variables` fill the `<!placeholders!>`, and data (workflow-engine.md §5). */
export function openViewData(context: ManualViewContext): ManualPage {
  const { incoming } = context;
  const title = headingOf(incoming, context);
  const message = filled(textOf(incoming["message"]), incoming["variables"]);
  const body = incoming["body"] ?? "";
  return {
    title,
    choices: namedButtons(incoming),
    data: { header: title, message, body },
    content: () => html`${paragraphs(message)}${block(body)}`,
  };
}

/** A message that would grow beyond all bounds is shown as it was written. */
function filled(message: string, variables: unknown): string {
  if (!isJsonObject(variables)) return message;
  try {
    return fillPlaceholders(message, variables);
  } catch (thrown) {
    if (!(thrown instanceof TaskError)) throw thrown;
    return message;
  }
}
