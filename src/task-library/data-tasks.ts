import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { queryPath } from "../workflow-engine/interpreter/query-path.ts";
import { patternAllowance } from "../workflow-engine/interpreter/regular-expression.ts";
import { anything, boolean, object, oneOf, optional, scalar, text } from "./arguments.ts";
import { asciiToBase64, base64ToAscii } from "./base64.ts";
import { defineConcludingTask, defineTask, gives, refuses } from "./define-task.ts";
import { weighSize } from "./heavy-inputs.ts";
import { convertText, fillPlaceholders } from "./make-data.ts";

const palette = "Tools";

/** Tasks that read, fill and convert data (tasks-and-transformations.md §5, §7). */
export const dataTasks: readonly Task[] = [
  defineConcludingTask({
    name: "query",
    weigh: weighSize,
    palette: "WorkFlowEngine",
    type: "operation",
    summary: "What a query finds in a value. Nothing found: failure, or success with null where pass_on_null is true.",
    incoming: { pass_on_null: optional(boolean), query: optional(text), obj: anything },
    outgoing: ["return_data", Type.Unknown()],
    conclude({ pass_on_null, query = "", obj }, context) {
      const { found, value } = queryPath(query, obj, patternAllowance(context));
      return { finishState: found || pass_on_null === true ? "success" : "failure", value };
    },
    examples: [
      gives([false, "response.result[0]._ref", { response: { result: [{ _ref: "r1" }] } }], "r1"),
      gives(
        [
          false,
          "[name=X].id",
          [
            { name: "Y", id: 1 },
            { name: "X", id: 2 },
          ],
        ],
        2,
      ),
      { arguments: [false, "missing", {}], result: null, finishState: "failure" },
      gives([true, "missing", {}], null),
      gives([false, "present", { present: null }], null),
      refuses([false, "a[", {}], 'missing "]"'),
    ],
  }),
  defineTask({
    name: "parse",
    weigh: weighSize,
    palette: "String",
    summary: "The value a JSON text stands for.",
    incoming: { text },
    aliases: { text: { incoming: "stringToParse", outgoing: "result" } },
    outgoing: ["textObject", Type.Unknown()],
    compute: ({ text: json }) => JSON.parse(json) as unknown,
    examples: [
      gives(['{"a":[1]}'], { a: [1] }),
      gives(["null"], null),
      gives([" 5 "], 5),
      refuses(["{a:1}"], "parse: "),
    ],
  }),
  defineTask({
    name: "makeData",
    weigh: weighSize,
    palette,
    summary: "A text with its <!name!> places filled, read as text, JSON, number or boolean.",
    incoming: {
      input: scalar,
      outputType: optional(oneOf("string", "json", "number", "boolean")),
      variables: optional(object),
    },
    outgoing: ["output", Type.Unknown()],
    compute: ({ input, outputType = "string", variables = {} }) =>
      convertText(fillPlaceholders(String(input), variables), outputType),
    examples: [
      gives(["Who are you <!name!>", "string", { name: "Batman" }], "Who are you Batman"),
      gives(['{"a":<!list!>}', "json", { list: [1, 2] }], { a: [1, 2] }),
      gives(["<!n!>0", "number", { n: 4 }], 40),
      gives(["true", "boolean", ""], true),
      gives(["<!unknown!>", "string", {}], "<!unknown!>"),
      refuses(["x", "number", ""], "not a number"),
    ],
  }),
  defineTask({
    name: "FlattenJSONFormInput",
    weigh: weighSize,
    palette,
    summary: "The object with every array of exactly one element replaced by that element.",
    incoming: { input: object },
    outgoing: ["response", Type.Object({}, { additionalProperties: true })],
    compute: ({ input }) => Object.fromEntries(Object.entries(input).map(([key, value]) => [key, onlyElement(value)])),
    examples: [
      gives([{ test: ["a"] }], { test: "a" }),
      gives([{ test: ["a", "b"], none: [] }], { test: ["a", "b"], none: [] }),
      gives([{ deep: { test: ["a"] } }], { deep: { test: ["a"] } }),
      refuses(["r1"], "Schema validation failed on input"),
    ],
  }),
  defineTask({
    name: "asciiToBase64",
    weigh: weighSize,
    palette,
    summary: "The text in Base64, characters beyond ASCII as UTF-8.",
    incoming: { input: text },
    aliases: { input: { incoming: "str" } },
    outgoing: ["response", Type.String()],
    compute: ({ input }) => asciiToBase64(input),
    examples: [
      gives(["admin:secret"], "YWRtaW46c2VjcmV0"),
      gives([""], ""),
      gives(["é"], "w6k="),
      refuses([5], "Schema validation failed on input"),
    ],
  }),
  defineTask({
    name: "base64ToAscii",
    weigh: weighSize,
    palette,
    summary: "The text that a Base64 text stands for.",
    incoming: { input: text },
    aliases: { input: { incoming: "str" } },
    outgoing: ["response", Type.String()],
    compute: ({ input }) => base64ToAscii(input),
    examples: [
      gives(["YWRtaW46c2VjcmV0"], "admin:secret"),
      gives(["w6k="], "é"),
      gives(["6Q=="], "é"),
      refuses(["a"], "base64ToAscii: "),
    ],
  }),
];

function onlyElement(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
