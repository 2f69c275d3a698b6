import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { anything, count, number, oneOf, optional, scalarOrScalars, text, textOrTexts } from "./arguments.ts";
import { defineTask, gives, refuses } from "./define-task.ts";
import { weighSize } from "./heavy-inputs.ts";
import { checkTextLength } from "./limits.ts";

const palette = "String";

/** Tasks that make a text of a text (tasks-and-transformations.md §7). */
export const stringTasks: readonly Task[] = [
  defineTask({
    name: "charAt",
    palette,
    summary: "The character at a place; empty outside of the text.",
    incoming: { str: text, index: optional(number) },
    outgoing: ["character", Type.String()],
    compute: ({ str, index = 0 }) => str.charAt(index),
    examples: [
      gives(["abc", 1], "b"),
      gives(["abc", 9], ""),
      gives(["abc", ""], "a"),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "charCodeAt",
    palette,
    summary: "The UTF-16 code at a place; an index that is no number counts as 0.",
    incoming: { str: text, index: anything },
    outgoing: ["code", Type.Union([Type.Integer(), Type.Null()])],
    compute: ({ str, index }) => str.charCodeAt(typeof index === "number" ? index : 0),
    examples: [
      gives(["ABC", 1], 66),
      gives(["ABC", "x"], 65),
      gives(["ABC", 9], Number.NaN),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "codePointAt",
    palette,
    summary: "The Unicode code point at a place; nothing outside of the text.",
    incoming: { str: text, pos: optional(number) },
    outgoing: ["codePointValue", Type.Integer()],
    compute: ({ str, pos = 0 }) => str.codePointAt(pos),
    examples: [
      gives(["ABC", 1], 66),
      gives(["☃", ""], 9731),
      gives(["a", 4], undefined),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "stringConcat",
    weigh: weighSize,
    canvasName: "concat",
    palette,
    summary: "The text followed by another, or by each text of an array.",
    incoming: { str: text, stringN: scalarOrScalars },
    outgoing: ["combinedStrings", Type.String()],
    compute({ str, stringN }) {
      const parts = [str, ...(Array.isArray(stringN) ? stringN : [stringN])].map(String);
      checkTextLength(parts.reduce((length, part) => length + part.length, 0));
      return parts.join("");
    },
    examples: [
      gives(["# ", "Report"], "# Report"),
      gives(["a", ["b", "c"]], "abc"),
      gives(["vlan", 12], "vlan12"),
      refuses([5, "a"], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "normalize",
    weigh: weighSize,
    palette,
    summary: "The text in a Unicode normal form; without one in NFC.",
    incoming: { str: text, form: optional(oneOf("NFC", "NFD", "NFKC", "NFKD")) },
    outgoing: ["normalizedString", Type.String()],
    compute: ({ str, form }) => str.normalize(form),
    examples: [
      gives(["a\u0301", ""], "\u00e1"),
      gives(["\u00e1", "NFD"], "a\u0301"),
      gives(["\ufb01", "NFKC"], "fi"),
      refuses(["a", "NFX"], "Schema validation failed on form"),
    ],
  }),
  defineTask({
    name: "padStart",
    palette,
    summary: "The text, filled up at its beginning to a length.",
    incoming: { str: text, targetLength: optional(number), padString: optional(text) },
    outgoing: ["paddedString", Type.String()],
    compute({ str, targetLength = 0, padString }) {
      checkTextLength(targetLength);
      return str.padStart(targetLength, padString);
    },
    examples: [
      gives(["Hello World", 14, "123"], "123Hello World"),
      gives(["Hello", 2, "1"], "Hello"),
      gives(["a", 3, ""], "  a"),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "padEnd",
    palette,
    summary: "The text, filled up at its end to a length.",
    incoming: { str: text, targetLength: optional(number), padString: optional(text) },
    outgoing: ["paddedString", Type.String()],
    compute({ str, targetLength = 0, padString }) {
      checkTextLength(targetLength);
      return str.padEnd(targetLength, padString);
    },
    examples: [
      gives(["Hello World", 14, "123"], "Hello World123"),
      gives(["Hello", "", "1"], "Hello"),
      gives(["a", 3], "a  "),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "repeat",
    palette,
    summary: "The text as many times as asked, one after the other.",
    incoming: { str: text, count },
    outgoing: ["repeatedString", Type.String()],
    compute({ str, count: times }) {
      checkTextLength(str.length * times);
      return str.repeat(str === "" ? 0 : times);
    },
    examples: [
      gives(["ab", 3], "ababab"),
      gives(["ab", 0], ""),
      refuses(["ab", -1], "Schema validation failed on count"),
      refuses(["ab", 1e9], "characters"),
    ],
  }),
  defineTask({
    name: "split",
    weigh: weighSize,
    palette,
    summary: "The parts of the text between a separator; without one the whole text is the only part.",
    incoming: { str: text, separator: optional(text), limit: optional(number) },
    outgoing: ["splitArray", Type.Array(Type.String())],
    // A separator of undefined is what makes the whole text one part; the declared type does not allow it.
    compute: ({ str, separator, limit }) => str.split(separator as string, limit),
    examples: [
      gives(["10.0.0.1", ".", ""], ["10", "0", "0", "1"]),
      gives(["a,b,c", ",", 2], ["a", "b"]),
      gives(["abc", ""], ["abc"]),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "stringSlice",
    canvasName: "slice",
    palette,
    summary: "A part of the text; negative places count from its end.",
    incoming: { str: text, beginIndex: optional(number), endIndex: optional(number) },
    outgoing: ["slicedString", Type.String()],
    compute: ({ str, beginIndex, endIndex }) => str.slice(beginIndex, endIndex),
    examples: [
      gives(["abcdef", 1, 3], "bc"),
      gives(["abcdef", -2, ""], "ef"),
      gives(["abcdef", 4, 2], ""),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "substring",
    palette,
    summary: "The text between two places, whichever comes first.",
    incoming: { str: text, indexStart: number, indexEnd: optional(number) },
    outgoing: ["substring", Type.String()],
    compute: ({ str, indexStart, indexEnd }) => str.substring(indexStart, indexEnd),
    examples: [
      gives(["abcdef", 2, ""], "cdef"),
      gives(["abcdef", 4, 2], "cd"),
      gives(["abcdef", -3, 2], "ab"),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "stringValueOf",
    canvasName: "valueOf",
    palette,
    summary: "The text itself.",
    incoming: { str: text },
    outgoing: ["string", Type.String()],
    compute: ({ str }) => str,
    examples: [gives(["abc"], "abc"), gives([""], ""), refuses([1], "Schema validation failed on str")],
  }),
  defineTask({
    name: "toLowerCase",
    palette,
    summary: "The text in lower case.",
    incoming: { str: text },
    outgoing: ["lowercaseString", Type.String()],
    compute: ({ str }) => str.toLowerCase(),
    examples: [
      gives(["AbC"], "abc"),
      gives(["ÄÖ"], "äö"),
      gives([""], ""),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "toUpperCase",
    palette,
    summary: "The text in upper case.",
    incoming: { str: text },
    outgoing: ["uppercaseString", Type.String()],
    compute: ({ str }) => str.toUpperCase(),
    examples: [
      gives(["AbC"], "ABC"),
      gives(["straße"], "STRASSE"),
      gives([""], ""),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "toLocaleLowerCase",
    weigh: weighSize,
    palette,
    summary: "The text in lower case by the rules of a locale.",
    incoming: { str: text, locale: optional(textOrTexts) },
    outgoing: ["lowercaseString", Type.String()],
    compute: ({ str, locale = [] }) => str.toLocaleLowerCase([...toList(locale), "en-US"]),
    examples: [gives(["ABI", "tr"], "abı"), gives(["ABI", ""], "abi"), refuses(["A", "x"], "toLocaleLowerCase: ")],
  }),
  defineTask({
    name: "toLocaleUpperCase",
    weigh: weighSize,
    palette,
    summary: "The text in upper case by the rules of a locale.",
    incoming: { str: text, locale: optional(textOrTexts) },
    outgoing: ["uppercaseString", Type.String()],
    compute: ({ str, locale = [] }) => str.toLocaleUpperCase([...toList(locale), "en-US"]),
    examples: [gives(["abi", "tr"], "ABİ"), gives(["abi", ""], "ABI"), refuses(["a", "x"], "toLocaleUpperCase: ")],
  }),
  defineTask({
    name: "trim",
    palette,
    summary: "The text without white space at both ends.",
    incoming: { str: text },
    outgoing: ["noWhitespace", Type.String()],
    compute: ({ str }) => str.trim(),
    examples: [
      gives(["  a b \n"], "a b"),
      gives(["a"], "a"),
      gives([" "], ""),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "trimStart",
    palette,
    summary: "The text without white space at its beginning.",
    incoming: { str: text },
    outgoing: ["trimmedStart", Type.String()],
    compute: ({ str }) => str.trimStart(),
    examples: [
      gives(["  a "], "a "),
      gives(["a"], "a"),
      gives([" "], ""),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "trimEnd",
    palette,
    summary: "The text without white space at its end.",
    incoming: { str: text },
    outgoing: ["trimmedEnd", Type.String()],
    compute: ({ str }) => str.trimEnd(),
    examples: [
      gives([" a  "], " a"),
      gives(["a"], "a"),
      gives([" "], ""),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
];

function toList(value: string | readonly string[]): readonly string[] {
  return typeof value === "string" ? [value] : value;
}
