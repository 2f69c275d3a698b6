import { Type } from "@sinclair/typebox";
import { TaskError, type Task } from "../core/task.ts";
import { setMember } from "../workflow-engine/interpreter/query-path-members.ts";
import { anything, list, number, optional, optionalEvenEmpty, scalar, text } from "./arguments.ts";
import { defineTask, gives, refuses } from "./define-task.ts";
import { weighSize } from "./heavy-inputs.ts";
import { checkArrayLength, checkTextLength } from "./limits.ts";

const palette = "Array";
const anyList = Type.Array(Type.Unknown());

/** Tasks that make an array of other arrays (tasks-and-transformations.md §3). */
export const arrayTasks: readonly Task[] = [
  defineTask({
    name: "arrayConcat",
    weigh: weighSize,
    canvasName: "concat",
    palette,
    summary: "Joins two arrays; a value that is no array is appended as one element.",
    incoming: { arr: list, arrayN: anything },
    outgoing: ["combinedArray", anyList],
    compute({ arr, arrayN }) {
      checkArrayLength(arr.length + (Array.isArray(arrayN) ? arrayN.length : 1));
      return arr.concat(arrayN);
    },
    examples: [
      gives(
        [
          ["a", "b", "c"],
          ["d", "e", "f"],
        ],
        ["a", "b", "c", "d", "e", "f"],
      ),
      gives([["a"], "b"], ["a", "b"]),
      gives([["a"], [["b"]]], ["a", ["b"]]),
      refuses(["a", ["b"]], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "arrayPop",
    canvasName: "pop",
    palette,
    summary: "The array without its last element.",
    incoming: { arr: list },
    outgoing: ["poppedArray", anyList],
    compute: ({ arr }) => arr.slice(0, -1),
    examples: [
      gives([["a", "b"]], ["a"]),
      gives([["a"]], []),
      gives([[]], []),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "arrayPush",
    weigh: weighSize,
    canvasName: "push",
    palette,
    summary: "The array with one element more at its end; an array becomes a nested element.",
    incoming: { arr: list, elementN: anything },
    outgoing: ["pushedArray", anyList],
    compute({ arr, elementN }) {
      checkArrayLength(arr.length + 1);
      return [...arr, elementN];
    },
    examples: [
      gives([["a"], "b"], ["a", "b"]),
      gives([[], { id: 1 }], [{ id: 1 }]),
      gives([[1], [2, 3]], [1, [2, 3]]),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "arrayShift",
    canvasName: "shift",
    palette,
    summary: "The array without its first element.",
    incoming: { arr: list },
    outgoing: ["shiftedArray", anyList],
    compute: ({ arr }) => arr.slice(1),
    examples: [
      gives([["a", "b"]], ["b"]),
      gives([["a"]], []),
      gives([[]], []),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "unshift",
    weigh: weighSize,
    palette,
    summary: "The array with one element more at its beginning.",
    incoming: { arr: list, elementN: anything },
    outgoing: ["unshiftedArray", anyList],
    compute({ arr, elementN }) {
      checkArrayLength(arr.length + 1);
      return [elementN, ...arr];
    },
    examples: [
      gives([["b"], "a"], ["a", "b"]),
      gives([[], null], [null]),
      gives([[2], [0, 1]], [[0, 1], 2]),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "arraySlice",
    canvasName: "slice",
    palette,
    summary: "A part of the array; negative places count from its end.",
    incoming: { arr: list, begin: optional(number), end: optional(number) },
    outgoing: ["slicedArray", anyList],
    compute: ({ arr, begin, end }) => arr.slice(begin, end),
    examples: [
      gives([["a", "b", "c"], 1, 2], ["b"]),
      gives([["a", "b", "c"], -2, ""], ["b", "c"]),
      gives([["a", "b", "c"], "", -1], ["a", "b"]),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "copyWithin",
    palette,
    summary: "Copies a part of the array over another place in it.",
    incoming: { arr: list, target: number, start: optional(number), end: optional(number) },
    outgoing: ["copiedArray", anyList],
    compute: ({ arr, target, start, end }) => [...arr].copyWithin(target, start ?? 0, end),
    examples: [
      gives([["a", "b", "c", "d"], 2, 0, 2], ["a", "b", "a", "b"]),
      gives([["a", "b", "c"], 0, 1, ""], ["b", "c", "c"]),
      gives([["a", "b", "c"], -1, "", ""], ["a", "b", "a"]),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "fill",
    palette,
    summary: "Puts a value in every place from start to before end.",
    incoming: { arr: list, value: anything, start: optional(number), end: optional(number) },
    outgoing: ["filledArray", anyList],
    compute: ({ arr, value, start, end }) => [...arr].fill(value, start, end),
    examples: [
      gives([["a", "b", "c"], "x", 1, 2], ["a", "x", "c"]),
      gives([["a", "b"], 0, "", ""], [0, 0]),
      gives([["a", "b", "c"], null, -1], ["a", "b", null]),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "reverse",
    palette,
    summary: "The array in the opposite order.",
    incoming: { arr: list },
    outgoing: ["reversedArray", anyList],
    compute: ({ arr }) => arr.toReversed(),
    examples: [
      gives([["1", "2", "3"]], ["3", "2", "1"]),
      gives([[]], []),
      gives([[[1, 2], 3]], [3, [1, 2]]),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "sort",
    weigh: weighSize,
    palette,
    summary: "The array in the order of its elements' texts: 10 comes before 9.",
    incoming: { arr: list },
    outgoing: ["sortedArray", anyList],
    compute: ({ arr }) => arr.toSorted((left, right) => compareTexts(String(left), String(right))),
    examples: [
      gives([["b", "a"]], ["a", "b"]),
      gives([[9, 10, 1]], [1, 10, 9]),
      gives([[]], []),
      refuses(["r1"], "Schema validation failed on arr"),
    ],
  }),
  defineTask({
    name: "map",
    weigh: weighSize,
    palette,
    summary: "An object that pairs each element of the first array, as key, with its counterpart in the second.",
    incoming: { arr: list, map: list },
    outgoing: ["result", Type.Object({}, { additionalProperties: true })],
    compute({ arr, map }) {
      const pairs: Record<string, unknown> = {};
      arr.forEach((key, index) => {
        if (!scalar.accepts(key))
          throw new TaskError(`Schema validation failed on arr/${index}: expected ${scalar.expected} to be the key`);
        if (index < map.length) setMember(pairs, String(key), map[index]);
      });
      return pairs;
    },
    examples: [
      gives(
        [
          ["a", "b", "c"],
          [1, 2, 3],
        ],
        { a: 1, b: 2, c: 3 },
      ),
      gives([["a", "b"], [1]], { a: 1 }),
      gives([["a"], [1, 2]], { a: 1 }),
      refuses([[{}], [1]], "arr/0"),
    ],
  }),
  defineTask({
    name: "join",
    weigh: weighSize,
    palette,
    summary: "The elements as one text, with a separator between them; without one a comma.",
    incoming: { arr: list, separator: optionalEvenEmpty(text) },
    outgoing: ["joinedElements", Type.String()],
    compute({ arr, separator = "," }) {
      checkTextLength(separator.length * Math.max(0, arr.length - 1));
      const joined = arr.join(separator);
      checkTextLength(joined.length);
      return joined;
    },
    examples: [
      gives([["a", "b"], "<br>"], "a<br>b"),
      gives([["a", "b"], ""], "ab"),
      gives([["a", null, 1], null], "a,,1"),
      refuses([["a"], 5], "Schema validation failed on separator"),
    ],
  }),
];

/** By UTF-16 units, as sorting without an own order does. */
function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
