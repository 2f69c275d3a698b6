import { Type } from "@sinclair/typebox";
import type { Task } from "../core/task.ts";
import { modifyAt } from "../workflow-engine/interpreter/query-path-modify.ts";
import { patternAllowance } from "../workflow-engine/interpreter/regular-expression.ts";
import { readQueryText } from "../workflow-engine/interpreter/query-path.ts";
import { anything, listOfTexts, number, object, optional, path, scalar, text } from "./arguments.ts";
import { deepMerge, mergeByKey, mergeItems } from "./merge.ts";
import { defineTask, gives, refuses } from "./define-task.ts";
import { weighSize } from "./heavy-inputs.ts";
import { setAtPath } from "./set-at-path.ts";

const palette = "Object";
const anyObject = Type.Object({}, { additionalProperties: true });
const item = (key: unknown, value: unknown) => ({ key, value });

/** Tasks on objects (tasks-and-transformations.md §5). Members keep their names whatever they are: `__proto__` is plain data. */
export const objectTasks: readonly Task[] = [
  defineTask({
    name: "assign",
    palette,
    summary: "The first object with the members of the second put over its own.",
    incoming: { target: object, sourceN: object },
    outgoing: ["targetObject", anyObject],
    compute: ({ target, sourceN }) => ({ ...target, ...sourceN }),
    examples: [
      gives(
        [
          { a: 1, b: 2 },
          { b: 3, c: 4 },
        ],
        { a: 1, b: 3, c: 4 },
      ),
      gives([{ a: { x: 1 } }, { a: { y: 2 } }], { a: { y: 2 } }),
      gives([{}, {}], {}),
      refuses([{}, []], "Schema validation failed on sourceN"),
    ],
  }),
  defineTask({
    name: "keys",
    palette,
    summary: "The names of the object's members in their order.",
    incoming: { obj: object },
    outgoing: ["keys", Type.Array(Type.String())],
    compute: ({ obj }) => Object.keys(obj),
    examples: [
      gives([{ b: 1, a: 2 }], ["b", "a"]),
      gives([{}], []),
      refuses(["ab"], "Schema validation failed on obj"),
    ],
  }),
  defineTask({
    name: "values",
    palette,
    summary: "The values of the object's members in their order.",
    incoming: { obj: object },
    outgoing: ["values", Type.Array(Type.Unknown())],
    compute: ({ obj }) => Object.values(obj),
    examples: [
      gives([{ b: 1, a: [2] }], [1, [2]]),
      gives([{}], []),
      refuses([null], "Schema validation failed on obj"),
    ],
  }),
  defineTask({
    name: "objectHasOwnProperty",
    palette,
    summary: "Whether the object has a member of this name, even one that is null.",
    incoming: { obj: object, prop: scalar },
    outgoing: ["result", Type.Boolean()],
    compute: ({ obj, prop }) => Object.hasOwn(obj, String(prop)),
    examples: [
      gives([{ a: null }, "a"], true),
      gives([{ a: 1 }, "b"], false),
      gives([{}, "toString"], false),
      refuses(["r1", "length"], "Schema validation failed on obj"),
    ],
  }),
  defineTask({
    name: "objectToString",
    weigh: weighSize,
    canvasName: "toString",
    palette,
    summary: "The value as JSON text; with only some members or with indentation where asked.",
    incoming: { value: anything, replacer: optional(listOfTexts), space: optional(number) },
    outgoing: ["stringified", Type.String()],
    compute: ({ value, replacer, space }) => JSON.stringify(value, replacer ? [...replacer] : null, space),
    examples: [
      gives([{ a: 1, b: [true] }, "", ""], '{"a":1,"b":[true]}'),
      gives([{ a: 1, b: 2 }, ["b"]], '{"b":2}'),
      gives([{ a: 1 }, null, 2], '{\n  "a": 1\n}'),
      refuses([{}, "a"], "Schema validation failed on replacer"),
    ],
  }),
  defineTask({
    name: "setObjectKey",
    palette,
    summary: "A copy of the object with a value put at a path of keys; missing levels are made.",
    incoming: { obj: anything, path, value: anything },
    outgoing: ["object", anyObject],
    compute: ({ obj, path: keys, value }) => setAtPath(obj, keys, value),
    examples: [
      gives([{ a: 1 }, ["b"], 2], { a: 1, b: 2 }),
      gives([{}, ["properties", "name", "enum"], ["x"]], { properties: { name: { enum: ["x"] } } }),
      gives([{ list: [1, 2] }, ["list", 0], 9], { list: [9, 2] }),
      refuses([{}, [], 1], "Schema validation failed on path"),
      refuses(["text", ["a"], 1], "Schema validation failed on obj"),
    ],
  }),
  defineTask({
    name: "merge",
    weigh: weighSize,
    palette: "WorkFlowEngine",
    type: "operation",
    summary:
      "An object of keys and values; without keys an array of the values. Values of one key are collected in an array.",
    incoming: { data_to_merge: mergeItems },
    outgoing: ["merged_object", Type.Union([anyObject, Type.Array(Type.Unknown())])],
    compute: ({ data_to_merge }) => mergeByKey(data_to_merge),
    examples: [
      gives([[item("a", 1), item("b", [2])]], { a: 1, b: [2] }),
      gives([[item("only", { x: 1 })]], { only: { x: 1 } }),
      gives([[item("", 1), item("", 2)]], [1, 2]),
      gives([[item("a", 1), item("a", 2), item("b", 3)]], { a: [1, 2], b: 3 }),
      refuses([[item("a", 1), item("", 2)]], "Schema validation failed on data_to_merge"),
    ],
  }),
  defineTask({
    name: "deepmerge",
    weigh: weighSize,
    palette: "WorkFlowEngine",
    type: "operation",
    summary:
      "One object of several, at every depth; the later one wins, arrays are replaced, values that are no objects left out.",
    incoming: { data_to_merge: mergeItems },
    outgoing: ["merged_object", anyObject],
    compute: ({ data_to_merge }) => data_to_merge.map(({ value }) => value).reduce(deepMerge, {}),
    examples: [
      gives([[item("", { a: { x: 1, y: 1 } }), item("", { a: { y: 2 } })]], { a: { x: 1, y: 2 } }),
      gives([[item("k", { a: [1, 2] }), item("k", { a: [3] })]], { a: [3] }),
      gives([[item("", { a: 1 }), item("", null), item("", "text")]], { a: 1 }),
      refuses(["r1"], "Schema validation failed on data_to_merge"),
    ],
  }),
  defineTask({
    name: "modify",
    weigh: weighSize,
    palette: "WorkFlowEngine",
    type: "operation",
    summary: "A copy of the object with the queried place replaced; the empty query replaces all of it.",
    incoming: { object_to_update: anything, query: optional(text), new_value: anything },
    outgoing: ["updated_object", Type.Unknown()],
    compute: ({ object_to_update, query, new_value }, context) =>
      modifyAt(object_to_update, readQueryText(query), new_value, patternAllowance(context)),
    examples: [
      gives([{ a: 1 }, "", { b: 2 }], { b: 2 }),
      gives([{ a: { b: 1 } }, "a.b", 2], { a: { b: 2 } }),
      gives([{ list: [{ id: 1 }, { id: 2 }] }, "list[id=2].state", "done"], {
        list: [{ id: 1 }, { id: 2, state: "done" }],
      }),
      refuses([{}, "a.b", 1], "leads to no place"),
    ],
  }),
];
