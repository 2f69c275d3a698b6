import { typeError } from "../errors.ts";
import { iterate } from "../values/iterate.ts";
import { Undefined } from "../values/undefined.ts";
import { charactersOf, isText, typeNameOf, type Value } from "../values/value.ts";

/** The name of a template. UndefinedError when it is undefined. */
export function requireTemplateName(value: Value): string {
  if (value instanceof Undefined) throw value.error();
  if (!isText(value)) throw typeError(`a template is named by a text, not by ${typeNameOf(value)}`);
  return charactersOf(value);
}

/** The names of templates, of which the first that exists is meant: one, or a list. */
export function requireTemplateNames(value: Value): readonly string[] {
  if (isText(value) || value instanceof Undefined) return [requireTemplateName(value)];
  return [...iterate(value)].map(requireTemplateName);
}
