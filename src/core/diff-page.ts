import { html, textOf, type Html } from "./html.ts";
import { diffLines, type DiffLine, type LineDiff } from "./line-diff.ts";

/** Two texts that a page compares, each with its name. */
export interface Comparison extends LineDiff {
  label1: string;
  label2: string;
}

/** Compares two values as texts, JSON for what is no text. */
export function compare(
  side1: { label: string; value: unknown },
  side2: { label: string; value: unknown },
): Comparison {
  const diff = diffLines(textOf(side1.value), textOf(side2.value));
  return { label1: side1.label, label2: side2.label, ...diff };
}

/** A comparison as a table: each line says in words what became of it, so that nothing hangs on colours. */
export function diffTable({ label1, label2, lines, added, removed, isExact }: Comparison): Html {
  if (added === 0 && removed === 0) return html`<p>${label1} and ${label2} are equal.</p>`;
  const coarse = isExact ? html`` : html`<p>The texts differ too much to be compared line by line.</p>`;
  return html`${coarse}
    <table>
      <caption>
        ${label1} compared with ${label2}: lines removed ${removed}, added ${added}
      </caption>
      <thead>
        <tr>
          <th scope="col">${label1}</th>
          <th scope="col">${label2}</th>
          <th scope="col">Change</th>
          <th scope="col">Line</th>
        </tr>
      </thead>
      <tbody>
        ${lines.slice(0, mostLines).map(row)}
      </tbody>
    </table>
    ${lines.length > mostLines ? html`<p>Cut after ${mostLines} of ${lines.length} lines.</p>` : html``}`;
}

/** More lines than this make a page that browsers cannot hold. */
const mostLines = 20_000;

function row(line: DiffLine): Html {
  const line1 = "line1" in line ? line.line1 : "";
  const line2 = "line2" in line ? line.line2 : "";
  const change = line.type === "same" ? "" : line.type;
  return html`<tr>
    <td>${line1}</td>
    <td>${line2}</td>
    <td>${change}</td>
    <td>${marked(line)}</td>
  </tr> `;
}

function marked({ type, text }: DiffLine): Html {
  if (type === "added") return html`<ins><code>${text}</code></ins>`;
  return type === "removed" ? html`<del><code>${text}</code></del>` : html`<code>${text}</code>`;
}
