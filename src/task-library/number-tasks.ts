import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { number, optional, radix } from "./arguments.ts";
import { defineTask, gives, refuses } from "./define-task.ts";

/** Tasks on numbers (tasks-and-transformations.md §7). */
export const numberTasks: readonly Task[] = [
  defineTask({
    name: "numberToString",
    canvasName: "toString",
    palette: "Number",
    summary: "The number as text, in base 10 unless another is given.",
    incoming: { num: number, radix: optional(radix) },
    outgoing: ["numToString", Type.String()],
    compute: ({ num, radix: base }) => num.toString(base),
    examples: [
      gives([255, 16], "ff"),
      gives([10, ""], "10"),
      gives([-0.5], "-0.5"),
      refuses([1, 99], "Schema validation failed on radix"),
    ],
  }),
];
