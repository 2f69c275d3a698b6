import type { Budget } from "../limits.ts";
import { textOf } from "./repr.ts";
import { Markup, PythonObject, type Value } from "./value.ts";

const unsafe = /[&<>'"]/u;

/** Text with HTML's own characters written as entities. */
export function escapeText(text: string): string {
  if (!unsafe.test(text)) return text;
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("'", "&#39;")
    .replaceAll('"', "&#34;");
}

/** The value as escaped text; what is escaped already stays. */
export function escapeMarkup(budget: Budget, value: Value): Markup {
  if (value instanceof Markup) return value;
  const text = textOf(budget, value);
  if (value instanceof PythonObject && value.isMarkup) return new Markup(text);
  budget.chargeText(text.length);
  if (unsafe.test(text)) budget.charge(text.length >> 1);
  return new Markup(escapeText(text));
}

/** A text of the same kind as another: escaped where that is. */
export function likewise(model: Value, text: string): string | Markup {
  return model instanceof Markup ? new Markup(text) : text;
}
