import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { anything, list, number, object, optional, textOrTexts } from "./arguments.ts";
import { defineTask, gives, refuses } from "./define-task.ts";
import { weighElements, weighSize } from "./heavy-inputs.ts";

const palette = "Array";

/** The locale of tasks that are given none: the same result on every node. */
export const defaultLocale = "en-US";

/** Tasks that tell something about an array (tasks-and-transformations.md §3). */
export const arrayQuestionTasks: readonly Task[] = [
  defineTask({
    name: "arrayIncludes",
    canvasName: "includes",
    palette,
    summary: "Whether the array holds a value; objects and arrays are never equal to another.",
    incoming: { arr: list, searchElement: anything, fromIndex: optional(number) },
    outgoing: ["result", Type.Boolean()],
    compute: ({ arr, searchElement, fromIndex }) => isPlain(searchElement) && arr.includes(searchElement, fromIndex),
    examples: [
      gives([["a", "b"], "b", ""], true),
      gives([["a", "b"], "B"], false),
      gives([["a", "b"], "a", 1], false),
      gives([[{ id: 1 }], { id: 1 }], false),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "arrayIndexOf",
    canvasName: "indexOf",
    palette,
    summary: "First place of a value; −1 where it is not there.",
    incoming: { arr: list, searchElement: anything, fromIndex: optional(number) },
    outgoing: ["index", Type.Integer()],
    compute: ({ arr, searchElement, fromIndex }) =>
      isPlain(searchElement) ? arr.indexOf(searchElement, fromIndex) : -1,
    examples: [
      gives([["a", "b", "a"], "a", ""], 0),
      gives([["a", "b", "a"], "a", 1], 2),
      gives([[1, 2], "1"], -1),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "arrayLastIndexOf",
    canvasName: "lastIndexOf",
    palette,
    summary: "Last place of a value, looking backwards; −1 where it is not there.",
    incoming: { arr: list, searchElement: anything, fromIndex: optional(number) },
    outgoing: ["index", Type.Integer()],
    compute({ arr, searchElement, fromIndex = arr.length }) {
      return isPlain(searchElement) ? arr.lastIndexOf(searchElement, fromIndex) : -1;
    },
    examples: [
      gives([["a", "b", "a"], "a", ""], 2),
      gives([["a", "b", "a"], "a", 1], 0),
      gives([["a"], "c"], -1),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "arrayLength",
    canvasName: "length",
    palette,
    summary: "How many elements the array has.",
    incoming: { arr: list },
    outgoing: ["length", Type.Integer()],
    compute: ({ arr }) => arr.length,
    examples: [
      gives([["a", "b"]], 2),
      gives([[]], 0),
      refuses([null], "Schema validation failed on arr"),
      refuses(["ab"], "got text"),
    ],
  }),
  defineTask({
    name: "arrayToLocaleString",
    weigh: weighElements,
    canvasName: "toLocaleString",
    palette,
    summary: "The elements as text in the manner of a locale.",
    incoming: { arr: list, locales: optional(textOrTexts), options: optional(object) },
    outgoing: ["elementString", Type.String()],
    compute({ arr, locales = defaultLocale, options = {} }) {
      return (arr as readonly LocaleWritable[])
        .map((element) => element?.toLocaleString(locales, options) ?? "")
        .join(",");
    },
    examples: [
      gives([[1234.5], "de-DE"], "1.234,5"),
      gives([["a", 1500], "en-US", { style: "currency", currency: "USD" }], "a,$1,500.00"),
      gives([[1000, null], ""], "1,000,"),
      refuses([[1], "no locale"], "arrayToLocaleString: "),
    ],
  }),
  defineTask({
    name: "arrayToString",
    weigh: weighSize,
    canvasName: "toString",
    palette,
    summary: "The elements with commas between them, nested arrays flattened; null for an empty array.",
    incoming: { arr: list },
    outgoing: ["arrayString", Type.Union([Type.String(), Type.Null()])],
    compute: ({ arr }) => (arr.length === 0 ? null : arr.join(",")),
    examples: [
      gives([["a", "b"]], "a,b"),
      gives([["a", ["b", ["c"]]]], "a,b,c"),
      gives([[]], null),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "isArray",
    palette,
    summary: "Whether the value is an array.",
    incoming: { arr: anything },
    outgoing: ["isAnArray", Type.Boolean()],
    compute: ({ arr }) => Array.isArray(arr),
    examples: [gives([[]], true), gives([{ length: 0 }], false), gives(["a"], false), gives([null], false)],
  }),
];

interface LocaleWriter {
  toLocaleString(locales: string | readonly string[], options: object): string;
}
type LocaleWritable = LocaleWriter | null | undefined;

/** Every task works on copies, so an object never is the same as another. */
function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
