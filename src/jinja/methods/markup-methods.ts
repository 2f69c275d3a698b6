import { define } from "../runtime/define.ts";
import type { Definition } from "../runtime/runtime.ts";
import { stripTags, unescapeHtml } from "../text/html-text.ts";
import { requireText } from "./text-search.ts";

function reading(name: string, read: (text: string) => string): Definition {
  return define(name, [], ({ budget }, self) => {
    const text = requireText(self);
    budget.chargeCharacters(text.length);
    return read(text);
  });
}

/** What escaped text can do beyond text. */
export const markupMethods: readonly Definition[] = [
  reading("unescape", unescapeHtml),
  reading("striptags", stripTags),
];
