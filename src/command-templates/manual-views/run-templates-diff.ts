import { compare, diffTable, type Comparison } from "../../core/diff-page.ts";
import { html, type Html } from "../../core/html.ts";
import type { ManualPage, ManualViewContext } from "../../core/manual-view.ts";
import { choicesOf } from "./exits.ts";
import { readTemplateResults, type ShownCommand } from "./template-results.ts";

/** One command on one device in both runs. */
export interface PairedOutput {
  device: string;
  command: string;
  diff: Comparison;
}

type Unpaired = Pick<ShownCommand, "device" | "command" | "response">;

/** Two runs, entry by entry. */
export interface RunComparison {
  pairs: PairedOutput[];
  preOnly: Unpaired[];
  postOnly: Unpaired[];
}

/** runTemplatesDiff: pairs the outputs of two runs by device and command and compares them (templates-gateway-forms.md §1.10). */
export function openRunTemplatesDiff(context: ManualViewContext): ManualPage {
  const { incoming } = context;
  const comparison = compareRuns(incoming["pre"], incoming["post"]);
  const changed = comparison.pairs.filter(({ diff }) => diff.added + diff.removed > 0).length;
  return {
    title: context.task.summary || "Compare two runs",
    choices: choicesOf(context, { success: "Accept", failure: "Reject" }),
    data: { changed, ...comparison },
    content: () =>
      html`<p>${changed} of ${comparison.pairs.length} outputs changed.</p>
        ${comparison.pairs.map(pairSection)}${only("Before only", comparison.preOnly)}${only("After only", comparison.postOnly)}`,
  };
}

/** Entries of one device belong together by the command as it was sent, or else as the template has it; each is paired once. */
export function compareRuns(pre: unknown, post: unknown): RunComparison {
  const open = commandsOf(post);
  const pairs: PairedOutput[] = [];
  const preOnly: Unpaired[] = [];
  for (const before of commandsOf(pre)) {
    const at = partnerOf(before, open);
    const [after] = at < 0 ? [] : open.splice(at, 1);
    if (!after) preOnly.push(unpaired(before));
    else {
      const diff = compare({ label: "Before", value: before.response }, { label: "After", value: after.response });
      pairs.push({ device: before.device, command: before.command, diff });
    }
  }
  return { pairs, preOnly, postOnly: open.map(unpaired) };
}

function commandsOf(value: unknown): ShownCommand[] {
  return readTemplateResults(value).flatMap(({ commands }) => commands);
}

function partnerOf(before: ShownCommand, open: readonly ShownCommand[]): number {
  const sent = open.findIndex(({ device, command }) => device === before.device && command === before.command);
  if (sent >= 0 || before.raw === "") return sent;
  return open.findIndex(({ device, raw }) => device === before.device && raw === before.raw);
}

function unpaired({ device, command, response }: ShownCommand): Unpaired {
  return { device, command, response };
}

function pairSection({ device, command, diff }: PairedOutput): Html {
  return html`<h2>${device}: <code>${command}</code></h2>
    ${diffTable(diff)} `;
}

function only(title: string, entries: readonly Unpaired[]): Html {
  if (entries.length === 0) return html``;
  return html`<h2>${title}</h2>
    <ul>
      ${entries.map(({ device, command }) => html`<li>${device}: <code>${command}</code></li> `)}
    </ul> `;
}
