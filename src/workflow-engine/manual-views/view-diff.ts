import { compare, diffTable } from "../../core/diff-page.ts";
import { html, textOf } from "../../core/html.ts";
import type { ManualPage, ManualViewContext } from "../../core/manual-view.ts";
import { headingOf, namedButtons, paragraphs } from "./buttons.ts";

/** ViewDiff: two values compared line by line, JSON for what is no text (workflow-engine.md §5). */
export function openViewDiff(context: ManualViewContext): ManualPage {
  const { incoming } = context;
  const title = headingOf(incoming, context);
  const message = textOf(incoming["message"]);
  const comparison = compare(
    { label: textOf(incoming["label1"]) || "First", value: incoming["value1"] },
    { label: textOf(incoming["label2"]) || "Second", value: incoming["value2"] },
  );
  return {
    title,
    choices: namedButtons(incoming),
    data: { header: title, message, ...comparison },
    content: () => html`${paragraphs(message)}${diffTable(comparison)}`,
  };
}
