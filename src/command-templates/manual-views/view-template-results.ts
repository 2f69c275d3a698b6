import { block, html, type Html } from "../../core/html.ts";
import type { ManualPage, ManualViewContext } from "../../core/manual-view.ts";
import { choicesOf } from "./exits.ts";
import { readTemplateResults, type ShownCommand, type ShownTemplate } from "./template-results.ts";

/** viewTemplateResults: device by command by rules, what passed, and the outputs (templates-gateway-forms.md §1.10). */
export function openViewTemplateResults(context: ManualViewContext): ManualPage {
  const templates = readTemplateResults(context.incoming["mop_template_results"]);
  const failed = templates.flatMap(({ commands }) => commands).filter(({ result }) => !result).length;
  return {
    title: context.task.summary || "Template results",
    choices: choicesOf(context, { success: "Accept", failure: "Reject" }),
    data: { result: templates.every(({ result }) => result), failed, templates },
    content: () =>
      templates.length === 0 ? html`<p>There are no results.</p>` : html`${templates.map(templateSection)}`,
  };
}

function templateSection({ name, result, commands }: ShownTemplate): Html {
  return html`<h2>${name || "Commands"}: ${verdict(result)}</h2>
    <table>
      <caption>
        Commands and rules
      </caption>
      <thead>
        <tr>
          <th scope="col">Device</th>
          <th scope="col">Command</th>
          <th scope="col">Result</th>
          <th scope="col">Rules</th>
        </tr>
      </thead>
      <tbody>
        ${commands.map(commandRow)}
      </tbody>
    </table>
    ${commands.map(outputSection)}`;
}

function commandRow({ device, command, result, rules }: ShownCommand): Html {
  const items = rules.map(
    (rule) =>
      html`<li>${verdict(rule.result)}: ${rule.eval} <code>${rule.rule}</code> (${rule.severity || "error"})</li> `,
  );
  return html`<tr>
    <th scope="row">${device}</th>
    <td><code>${command}</code></td>
    <td>${verdict(result)}</td>
    <td>
      ${
        items.length === 0
          ? "none"
          : html`<ul>
              ${items}
            </ul>`
      }
    </td>
  </tr> `;
}

function outputSection({ device, command, response }: ShownCommand): Html {
  return html`<details>
    <summary>Output of ${command} on ${device}</summary>
    ${block(response)}
  </details> `;
}

function verdict(result: boolean): string {
  return result ? "passed" : "failed";
}
