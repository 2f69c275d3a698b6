import { define } from "../runtime/define.ts";
import type { Definition } from "../runtime/runtime.ts";
import { hasCase } from "../text/letter-case.ts";
import { spaceClass } from "../text/white-space.ts";
import { isAllPrintable } from "../values/percent-format.ts";
import { requireText } from "./text-search.ts";

function question(name: string, answer: (text: string) => boolean): Definition {
  return define(name, [], ({ budget }, self) => {
    const text = requireText(self);
    budget.chargeCharacters(text.length);
    return answer(text);
  });
}

/** Methods that ask of what a text consists. Of the empty text most answer no. */
export const textQuestionMethods: readonly Definition[] = [
  question("isalpha", (text) => /^\p{L}+$/u.test(text)),
  question("isalnum", (text) => /^[\p{L}\p{N}]+$/u.test(text)),
  question("isascii", (text) => /^[\0-\x7f]*$/u.test(text)),
  question("isdecimal", (text) => /^\p{Nd}+$/u.test(text)),
  question("isdigit", (text) =>
    /^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468]+$/u.test(text),
  ),
  question("isnumeric", (text) => /^\p{N}+$/u.test(text)),
  question("isidentifier", (text) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}_\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u.test(text)),
  question("isprintable", isAllPrintable),
  question("isspace", (text) => new RegExp(`^[${spaceClass}]+$`, "u").test(text)),
  question("isupper", (text) => hasCase(text, "upper")),
  question("islower", (text) => hasCase(text, "lower")),
  question("istitle", (text) => hasCase(text, "title")),
];
