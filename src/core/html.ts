const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that is safe to send: made by `html` alone, which escapes every text put into it. */
export class Html {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Markup out of literal parts and values. */
  static of(parts: readonly string[], values: readonly HtmlValue[]): Html {
    return new Html(parts.map((part, index) => part + markupOf(values[index])).join(""));
  }
}

/** What may stand in markup: texts and numbers are escaped, nothing is left out. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined;

/** A page or a part of one: html`<p>${text}</p>`. Attributes are to be quoted. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.of(parts, values);
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string" || typeof value === "number") return escapeHtml(String(value));
  return value.map((item) => item.text).join("");
}

/** A text as it stands in markup and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => escapes[character] ?? "");
}

/** Longest text that a page shows, in characters: browsers stay usable. The data of the page is not cut. */
const longestShown = 1_000_000;

/** Text or data as a block of its own, JSON for what is no text. */
export function block(value: unknown): Html {
  const text = textOf(value);
  if (text === "") return html``;
  const cut =
    text.length > longestShown ? html`<p>Cut after ${longestShown} of ${text.length} characters.</p>` : html``;
  return html`<pre>${text.slice(0, longestShown)}</pre>
    ${cut}`;
}

/** A value as text: a text as it is, nothing as an empty one, anything else as JSON with line ends. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Does a person look at the reply in a browser? */
export function isPageWanted(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return String(headers["accept"] ?? "").includes("text/html");
}

/** For pages that load nothing and run nothing; their forms go to this server only. */
export const plainPageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "x-frame-options": "SAMEORIGIN",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
};
