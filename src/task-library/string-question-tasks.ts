import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { defaultLocale } from "./array-question-tasks.ts";
import { number, object, optional, radix, text, textOrTexts } from "./arguments.ts";
import { defineTask, gives, refuses } from "./define-task.ts";

const palette = "String";

/** Tasks that tell something about a text (tasks-and-transformations.md §7). */
export const stringQuestionTasks: readonly Task[] = [
  defineTask({
    name: "endsWith",
    palette,
    summary: "Whether the text ends with another; with a length only that many characters are looked at.",
    incoming: { str: text, searchString: text, length: optional(number) },
    outgoing: ["result", Type.Boolean()],
    compute: ({ str, searchString, length }) => str.endsWith(searchString, length),
    examples: [
      gives(["Hello world, welcome", "world", 11], true),
      gives(["Hello world", "world", ""], true),
      gives(["Hello world", "World"], false),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "startsWith",
    palette,
    summary: "Whether the text has another at a place, by default at its beginning.",
    incoming: { str: text, searchString: text, position: optional(number) },
    outgoing: ["result", Type.Boolean()],
    compute: ({ str, searchString, position }) => str.startsWith(searchString, position),
    examples: [
      gives(["Hello World", "W", 6], true),
      gives(["Hello", "He", ""], true),
      gives(["Hello", "he"], false),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "stringIncludes",
    canvasName: "includes",
    palette,
    summary: "Whether the text holds another; upper and lower case differ.",
    incoming: { str: text, searchString: text, position: optional(number) },
    outgoing: ["result", Type.Boolean()],
    compute: ({ str, searchString, position }) => str.includes(searchString, position),
    examples: [
      gives(["line is up", "up", ""], true),
      gives(["line is up", "UP"], false),
      gives(["abc", "a", 1], false),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "stringIndexOf",
    canvasName: "indexOf",
    palette,
    summary: "First place of a text in another; −1 where it is not there.",
    incoming: { str: text, searchValue: text, fromIndex: optional(number) },
    outgoing: ["index", Type.Integer()],
    compute: ({ str, searchValue, fromIndex }) => str.indexOf(searchValue, fromIndex),
    examples: [
      gives(["banana", "an", ""], 1),
      gives(["banana", "an", 2], 3),
      gives(["banana", "x"], -1),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "stringLastIndexOf",
    canvasName: "lastIndexOf",
    palette,
    summary: "Last place of a text in another, looking backwards; −1 where it is not there.",
    incoming: { str: text, searchValue: text, fromIndex: optional(number) },
    outgoing: ["index", Type.Integer()],
    compute: ({ str, searchValue, fromIndex }) => str.lastIndexOf(searchValue, fromIndex),
    examples: [
      gives(["banana", "an", ""], 3),
      gives(["banana", "an", 2], 1),
      gives(["banana", "x"], -1),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "stringLength",
    canvasName: "length",
    palette,
    summary: "How long the text is, in UTF-16 units.",
    incoming: { str: text },
    outgoing: ["length", Type.Integer()],
    compute: ({ str }) => str.length,
    examples: [gives(["abc"], 3), gives([""], 0), gives(["😀"], 2), refuses([null], "Schema validation failed on str")],
  }),
  defineTask({
    name: "localeCompare",
    palette,
    summary: "−1, 0 or 1: whether the first text comes before, with or after the second.",
    incoming: { referenceStr: text, compareString: text, locales: optional(textOrTexts), options: optional(object) },
    outgoing: ["compareResult", Type.Union([Type.Literal(-1), Type.Literal(0), Type.Literal(1)])],
    compute({ referenceStr, compareString, locales = defaultLocale, options }) {
      return Math.sign(referenceStr.localeCompare(compareString, locales, options));
    },
    examples: [
      gives(["a", "b"], -1),
      gives(["ä", "z", "sv"], 1),
      gives(["a", "A", "", { sensitivity: "base" }], 0),
      gives(["eth10", "eth9", "en", { numeric: true }], 1),
      refuses([5, "a"], "Schema validation failed on referenceStr"),
    ],
  }),
  defineTask({
    name: "parseInt",
    palette,
    summary: "The whole number a text begins with, in base 10 unless another is given; NaN where there is none.",
    incoming: { str: text, radix: optional(radix) },
    outgoing: ["result", Type.Union([Type.Integer(), Type.Null()])],
    compute: ({ str, radix: base = 10 }) => Number.parseInt(str, base),
    examples: [
      gives(["1.655", ""], 1),
      gives(["0xF", 16], 15),
      gives(["  42px"], 42),
      gives(["x"], Number.NaN),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
];
