import { Type } from "@sinclair/typebox";
import { escapeRegex } from "../core/escape-regex.ts";
import { TaskError, type Task, type TaskContext } from "../core/task.ts";
import {
  compileRegularExpression,
  patternAllowance,
  type RegularExpression,
} from "../workflow-engine/interpreter/regular-expression.ts";
import { optional, text } from "./arguments.ts";
import { defineTask, gives, refuses } from "./define-task.ts";
import { weighSize } from "./heavy-inputs.ts";
import { replaceMatches } from "./replacement.ts";

const palette = "String";

/** String tasks with a regular expression, written plainly or as `/pattern/flags` (tasks-and-transformations.md §7). */
export const patternTasks: readonly Task[] = [
  defineTask({
    name: "match",
    weigh: weighSize,
    palette,
    summary:
      "What of the text matches: with flag g every match, without it the first one and its groups; null for none.",
    incoming: { str: text, regExp: text, flags: optional(text) },
    outgoing: ["matches", Type.Union([Type.Array(Type.Union([Type.String(), Type.Null()])), Type.Null()])],
    compute({ str, regExp, flags }, context) {
      const expression = readExpression({ pattern: regExp, flags }, context);
      if (!isGlobal(expression)) return expression.exec(str)?.groups.map((group) => group ?? null) ?? null;
      const matches = expression.execAll(str).map(({ groups }) => groups[0] ?? "");
      return matches.length > 0 ? matches : null;
    },
    examples: [
      gives(["Hello World", "/o/", "g"], ["o", "o"]),
      gives(["Gi0/1 up", "(\\S+) (up|down)"], ["Gi0/1 up", "Gi0/1", "up"]),
      gives(["abc", "x", ""], null),
      refuses(["abc", "("], "Invalid regular expression"),
    ],
  }),
  defineTask({
    name: "search",
    weigh: weighSize,
    palette,
    summary: "Place of the first match; −1 for none.",
    incoming: { str: text, regexp: text },
    outgoing: ["index", Type.Integer()],
    compute: ({ str, regexp }, context) => readExpression({ pattern: regexp }, context).exec(str)?.index ?? -1,
    examples: [
      gives(["Hello World", "or"], 7),
      gives(["10.0.0.1", "\\."], 2),
      gives(["Hello", "/h/i"], 0),
      gives(["Hello", "x"], -1),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
  defineTask({
    name: "replace",
    weigh: weighSize,
    palette,
    summary: "The text with the first match replaced, or every match with flag g.",
    description:
      "In the new text $1 and $& stand for what matched. A pattern that is no regular expression is looked for as plain text.",
    incoming: { str: text, regExp: text, flags: optional(text), newSubstr: text },
    outgoing: ["replacedString", Type.String()],
    compute({ str, regExp, flags, newSubstr }, context) {
      const expression = readReplaced({ pattern: regExp, flags }, context);
      const first = isGlobal(expression) ? undefined : expression.exec(str);
      const matches = isGlobal(expression) ? expression.execAll(str) : first ? [first] : [];
      return replaceMatches(str, matches, newSubstr);
    },
    examples: [
      gives(["a-b-c", "-", "", "+"], "a+b-c"),
      gives(["a-b-c", "/-/", "g", ""], "abc"),
      gives(["up down", "(\\w+) (\\w+)", "", "$2 $1"], "down up"),
      gives(["C++", "C++", "", "Rust"], "Rust"),
      refuses([5], "Schema validation failed on str"),
    ],
  }),
];

function isGlobal(expression: RegularExpression): boolean {
  return expression.flags.includes("g");
}

interface WrittenPattern {
  pattern: string;
  flags?: string | undefined;
}

/** Strips the slashes of `/pattern/flags`; flags given beside it are added. */
function readExpression({ pattern, flags = "" }: WrittenPattern, context: TaskContext): RegularExpression {
  const literal = /^\/(.+)\/([a-z]*)$/su.exec(pattern);
  const allFlags = [...new Set(`${literal?.[2] ?? ""}${flags}`)].join("");
  return compileRegularExpression(literal?.[1] ?? pattern, allFlags, patternAllowance(context));
}

function readReplaced(written: WrittenPattern, context: TaskContext): RegularExpression {
  const { pattern, flags } = written;
  try {
    return readExpression(written, context);
  } catch (thrown) {
    if (!(thrown instanceof TaskError) || flags !== undefined || /^\/.*\/[a-z]*$/su.test(pattern)) throw thrown;
    return compileRegularExpression(escapeRegex(pattern), "", patternAllowance(context));
  }
}
