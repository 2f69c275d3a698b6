import { compare, diffTable } from "../../core/diff-page.ts";
import { block, html, textOf } from "../../core/html.ts";
import type { ManualPage, ManualViewContext } from "../../core/manual-view.ts";
import { choicesOf } from "./exits.ts";

const decision = { success: "Accept", failure: "Reject" };

/** diffConfig: two configurations line by line (templates-gateway-forms.md §1.10). */
export function openDiffConfig(context: ManualViewContext): ManualPage {
  const { incoming } = context;
  const comparison = compare({ label: "Before", value: incoming["pre"] }, { label: "After", value: incoming["post"] });
  return {
    title: context.task.summary || "Compare configurations",
    choices: choicesOf(context, decision),
    data: comparison,
    content: () => diffTable(comparison),
  };
}

/** verifyConfig: a configuration to be checked. */
export function openVerifyConfig(context: ManualViewContext): ManualPage {
  const config = context.incoming["config"] ?? "";
  return {
    title: context.task.summary || "Verify the configuration",
    choices: choicesOf(context, decision),
    data: { config },
    content: () => block(config),
  };
}

/** reloadFailed: a device did not come back; success tries again, failure gives up. */
export function openReloadFailed(context: ManualViewContext): ManualPage {
  const device = textOf(context.incoming["device"]);
  const error = context.incoming["error"] ?? "";
  return {
    title: context.task.summary || "Reload failed",
    choices: choicesOf(context, { success: "Try again", failure: "Give up" }),
    data: { device, error },
    content: () =>
      html`<p>Device <b>${device}</b> did not come back after its reload.</p>
        ${block(error)}`,
  };
}
